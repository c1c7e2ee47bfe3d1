// The state of the engine of ellipsoids as columns, and back.

#include "packing/shaped/shaped_packing_engine.hpp"
#include "packing/state/state_columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <string>

namespace beadwave::packing {

template <class Self, class Function>
void ShapedPackingEngine::each_column(Self& self, Function visit, Columns which) {
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
        all.vectors("wall_force", self.wall_force_);
        all.vectors("wall_at_list", self.wall_at_list_);
        visit(
            "wall_torque",
            self.wall_torque_.size(), [&](std::size_t w) -> auto& { return self.wall_torque_[w]; });
        using State = WallLoads::State;
        auto& loads = self.loads_.states();
        visit(
            "wall_loads", State::numbers * loads.size(), [&](std::size_t i) -> auto& {
                return loads[i / State::numbers].number(i % State::numbers);
            });
        const auto number = [&](const std::string& name, auto& value) {
            visit(
                name, 1, [&](std::size_t) -> auto& { return value; });
        };
        number("power", self.accounting_.power);
        number("power_now", self.accounting_.power_now);
        number("power_at_start", self.accounting_.power_at_start);
        number("tangential_work", self.accounting_.tangential);
        if (self.rolls_) number("rolling_work", self.accounting_.rolling);
        number("wall_work", self.accounting_.walls);
        number("initial_stored", self.initial_stored_);
        number("uncertain_normals", self.uncertain_normals_);
        if (std::ranges::any_of(self.packing_.walls, &Wall::mesh_turns))
            number("list_time", self.list_time_);
        if (!self.packing_.exponents.empty()) number("flat_contacts", self.flat_contacts_);
    }
    if (which == Columns::of_particles) return;
    const std::size_t pairs = self.pair_.size();
    const auto numbers = [&](const std::string& name, auto member) {
        visit(
            name, pairs, [&](std::size_t p) -> auto& { return self.pair_[p].*member; });
    };
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
    numbers("overlap", &P::overlap);
    numbers("normal_force", &P::normal_force);
    of_pairs("tangential_force", &P::tangential_force);
    all.triples(
        "sliding", pairs, [&](std::size_t p) -> auto& { return self.pair_[p].sliding.vector; });
    visit(
        "sliding_number",
        pairs, [&](std::size_t p) -> auto& { return self.pair_[p].sliding.number; });
    if (self.rolls_) {
        all.triples(
            "rolling", pairs, [&](std::size_t p) -> auto& { return self.pair_[p].rolling.vector; });
        visit(
            "rolling_number",
            pairs, [&](std::size_t p) -> auto& { return self.pair_[p].rolling.number; });
    }
    for (std::size_t k = 0; k < self.traits_.memory_numbers; ++k) {
        visit(
            "memory_" + std::to_string(k),
            pairs, [&](std::size_t p) -> auto& { return self.pair_[p].memory[k]; });
    }
}

std::vector<PackingColumn> ShapedPackingEngine::state() const {
    std::vector<PackingColumn> columns;
    state_values_.clear();
    each_column(*this, keep_columns(columns, state_values_));
    if (box_.strains()) {
        state_values_.push_back(box_.numbers());
        columns.push_back({"box", {}});
    }
    if (population_.changes()) {
        state_values_.push_back(population_.numbers());
        columns.push_back({"population", {}});
    }
    if (accounts_) {
        state_values_.push_back(accounts_->account_numbers());
        columns.push_back({"contact_accounts", {}});
        state_values_.push_back(accounts_->action_numbers());
        columns.push_back({"pair_actions", {}});
        state_values_.push_back(wall_work_->rubbing().wall);
        columns.push_back({"wall_rubbing", {}});
        state_values_.push_back(wall_work_->rubbing().triangle);
        columns.push_back({"triangle_rubbing", {}});
    }
    if (watches_impacts_) {
        state_values_.push_back(impacts_.numbers());
        columns.push_back({"contact_impacts", {}});
        state_values_.push_back(impacts_.ended_numbers());
        columns.push_back({"ended_impacts", {}});
        state_values_.push_back(wall_work_->cutting().wall);
        columns.push_back({"wall_cutting", {}});
        state_values_.push_back(wall_work_->cutting().triangle);
        columns.push_back({"triangle_cutting", {}});
    }
    for (std::size_t k = 0; k < columns.size(); ++k)
        columns[k].values = state_values_[k];
    return columns;
}

void ShapedPackingEngine::restore(std::int64_t step, const SavedColumns& column) {
    const auto take = take_columns(column);
    step_ = step;
    each_column(*this, take, Columns::of_particles);
    turn_members();
    if (population_.changes()) {
        population_.restore(column("population"));
        hold_absent();
    }
    loads_.restore(time());
    if (box_.strains()) {
        std::vector<double> box(box_.count());
        take(
            "box", box.size(), [&](std::size_t i) -> auto& { return box[i]; });
        box_.restore(step, box);
    }
    adopt_list();
    each_column(*this, take, Columns::of_pairs);
    for (std::size_t p = 0; p < pair_.size(); ++p)
        if (pair_[p].closing.is_closed()) make_law(pair_[p], sides_of(p));
    face_walls();
    const auto take_sums = [&](const char* name, std::vector<double>& sums) {
        take(
            name, sums.size(), [&](std::size_t i) -> auto& { return sums[i]; });
    };
    if (accounts_) {
        accounts_->restore(column("contact_accounts"), column("pair_actions"));
        take_sums("wall_rubbing", wall_work_->rubbing().wall);
        take_sums("triangle_rubbing", wall_work_->rubbing().triangle);
    }
    if (!watches_impacts_) return;
    impacts_.restore(column("contact_impacts"), column("ended_impacts"), accounts_->all().size(),
                     particle_.size() + packing_.walls.size());
    take_sums("wall_cutting", wall_work_->cutting().wall);
    take_sums("triangle_cutting", wall_work_->cutting().triangle);
}

}  // namespace beadwave::packing
