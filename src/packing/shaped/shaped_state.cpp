// The state of the engine of ellipsoids as columns, and back.

#include "packing/shaped/shaped_backend.hpp"
#include "packing/state/state_columns.hpp"
#include "ranks/communicator.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace beadwave::packing {

template <class Self, class Function>
void ShapedBackend::each_column(Self& self, Function visit, Columns which) {
    const VectorColumns all(visit);
    const auto of_particles = [&](const std::string& name, auto member) {
        all.triples(
            name, self.particle_.size(), [&](std::size_t i) -> auto& {
                return self.particle_[i].*member;
            });
    };
    if (which != Columns::of_pairs) {
        using P = ShapedParticle;
        of_particles("displacement", &P::displacement);
        all.vectors("displacement_at_list", self.at_list_);
        if (std::ranges::any_of(self.member_, &ShapedMember::of_clump))
            all.vectors("place_at_list", self.place_at_list_);
        of_particles("velocity", &P::velocity);
        of_particles("velocity_change", &P::velocity_change);
        visit(
            "orientation", 4 * self.particle_.size(), [&](std::size_t i) -> auto& {
                auto& q = self.particle_[i / 4].orientation;
                return i % 4 == 0 ? q.w : i % 4 == 1 ? q.x : i % 4 == 2 ? q.y : q.z;
            });
        of_particles("angular_momentum", &P::momentum);
        of_particles("force", &P::force);
        of_particles("torque", &P::torque);
        if (self.around_.elements.any()) of_particles("twist", &P::twist);
        all.number("uncertain_normals", self.uncertain_normals_);
        if (!self.packing_.exponents.empty()) all.number("flat_contacts", self.flat_contacts_);
    }
    if (which == Columns::of_particles) return;
    const std::size_t pairs = self.pair_.size();
    const auto of_pairs = [&](const std::string& name, auto member) {
        all.triples(
            name, pairs, [&](std::size_t p) -> auto& { return self.pair_[p].*member; });
    };
    using P = ShapedPair;
    visit(
        "closing", Closing::numbers * pairs, [&](std::size_t i) -> auto& {
            return self.pair_[i / Closing::numbers].closing.*Closing::all[i % Closing::numbers];
        });
    of_pairs("normal", &P::normal);
    of_pairs("arm_1", &P::arm_1);
    of_pairs("arm_2", &P::arm_2);
    PairMemory::each_column(self.pair_, self.traits_.memory_numbers, self.rolls_, visit);
}

std::vector<PackingColumn> ShapedBackend::state() const {
    SavedNumbers columns(state_values_);
    each_column(*this, columns.visit());
    append_columns(columns);
    std::vector<PackingColumn> all = columns.take();
    if (ranks_ != nullptr && !ranks_->first()) {  // the first rank writes them
        for (PackingColumn& column : all)
            column = {column.name, {}, 0, column.values.size()};
    }
    return all;
}

void ShapedBackend::restore(std::int64_t step, const SavedColumns& column) {
    const auto take = take_columns(column);
    each_column(*this, take, Columns::of_particles);
    if (!around_.elements.any()) {
        for (ShapedParticle& particle : particle_)
            particle.twist = (0.5 * dt_) * particle.torque;
    }
    turn_members();
    restore_columns(step, column);
    adopt_list();
    each_column(*this, take, Columns::of_pairs);
    for (std::size_t p = 0; p < pair_.size(); ++p)
        if (pair_[p].closing.is_closed()) make_law(pair_[p], sides_of(p));
    face_walls();
    restore_records(column);
}

}  // namespace beadwave::packing
