// Contacts, energy and saved state of the engine of rigid contacts.

#include "packing/rigid/rigid_backend.hpp"
#include "packing/state/finite.hpp"
#include "packing/state/state_columns.hpp"
#include "packing/walls/wall_motion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

namespace beadwave::packing {

std::vector<ContactState> RigidBackend::contacts() const {
    std::vector<ContactState> closed;
    for (std::size_t p = 0; p < pair_.size(); ++p) {
        const Pair& pair = pair_[p];
        const Sides sides = sides_of(p);
        if (pair.impulse == Vec3{} && !(pair.gap < touching * sides.radii)) continue;
        const Vec3 branch = (sides.radii + pair.gap) * pair.normal;
        const Vec3 normal = dot(pair.impulse, pair.normal) * pair.normal;
        closed.push_back({.first = sides.first,
                          .second = second_of(sides),
                          .overlap = std::max(0.0, -pair.gap),
                          .point = packing_.radius[sides.first] / sides.radii * branch,
                          .branch = branch,
                          .normal_force = (-1.0 / dt_) * normal,
                          .tangential_force = (-1.0 / dt_) * (pair.impulse - normal)});
    }
    std::ranges::stable_sort(closed, {}, &ContactState::first);
    return closed;
}

std::size_t RigidBackend::closed_contacts() const {
    return contacts().size();
}

PackingTotals RigidBackend::totals() const {
    PackingTotals t{};
    for (std::size_t i = 0; i < n_; ++i) {
        const double m = packing_.mass[i], inertia = packing_.inertia[i];
        const Vec3 &v = velocity_[i], &w = angular_velocity_[i];
        t.translational += 0.5 * m * dot(v, v);
        t.rotational += 0.5 * inertia * dot(w, w);
        t.momentum += m * v;
        t.angular_momentum += cross(place_of(i), m * v) + inertia * w;
        t.external_work += m * dot(packing_.gravity, displacement_[i]);
    }
    t.external_work += sums_.walls;
    t.dissipated_normal = sums_.normal;
    t.dissipated_tangential = sums_.friction;
    return t;
}

DeepContact RigidBackend::deepest() const {
    const DeepContact penetration = rigid().penetration;
    return penetration.depth >= large_depth ? penetration : DeepContact{};
}

RigidReport RigidBackend::rigid() const {
    return {.iterations = static_cast<std::int64_t>(sums_.iterations),
            .unconverged = static_cast<std::int64_t>(sums_.unconverged),
            .largest_change = sums_.largest_change,
            .penetration = {sums_.depth, sums_.overlap, static_cast<std::size_t>(sums_.first),
                            static_cast<std::size_t>(sums_.second),
                            static_cast<std::int64_t>(sums_.step)}};
}

std::optional<std::size_t> RigidBackend::first_non_finite() const {
    for (std::size_t i = 0; i < n_; ++i) {
        if (!finite(displacement_[i]) || !finite(velocity_[i]) || !finite(angular_velocity_[i]))
            return i;
    }
    for (std::size_t p = 0; p < pair_.size(); ++p)
        if (!finite(pair_[p].impulse) || !finite(pair_[p].normal)) return list_.first[p];
    return std::nullopt;
}

std::vector<RigidBackend::PairImpulse> RigidBackend::impulses() const {
    std::vector<PairImpulse> all;
    for (std::size_t p = 0; p < pair_.size(); ++p) {
        const Sides sides = sides_of(p);
        all.push_back({sides.first, second_of(sides), pair_[p].impulse});
    }
    return all;
}

void RigidBackend::set_impulses(std::span<const Vec3> impulses) {
    if (impulses.size() != pair_.size()) {
        throw std::invalid_argument(fmt::format("{} impulses; expected one per listed pair, {}",
                                                impulses.size(), pair_.size()));
    }
    for (std::size_t p = 0; p < pair_.size(); ++p)
        pair_[p].impulse = impulses[p];
}

template <class Self, class Function>
void RigidBackend::each_column(Self& self, Function visit, Columns which) {
    const VectorColumns all(visit);
    if (which != Columns::of_pairs) {
        all.vectors("displacement", self.displacement_);
        all.vectors("displacement_at_list", self.at_list_);
        all.vectors("velocity", self.velocity_);
        all.vectors("angular_velocity", self.angular_velocity_);
        all.vectors("force", self.force_);
        all.vectors("wall_at_list", self.wall_at_list_);
        auto& sums = self.sums_;
        all.number("normal_dissipation", sums.normal);
        all.number("friction_dissipation", sums.friction);
        all.number("wall_work", sums.walls);
        all.number("iterations", sums.iterations);
        all.number("unconverged_steps", sums.unconverged);
        all.number("largest_change", sums.largest_change);
        all.number("penetration_depth", sums.depth);
        all.number("penetration", sums.overlap);
        all.number("penetration_first", sums.first);
        all.number("penetration_second", sums.second);
        all.number("penetration_step", sums.step);
    }
    if (which == Columns::of_particles) return;
    const std::size_t pairs = self.pair_.size();
    all.triples(
        "normal", pairs, [&](std::size_t p) -> auto& { return self.pair_[p].normal; });
    visit(
        "gap", pairs, [&](std::size_t p) -> auto& { return self.pair_[p].gap; });
    all.triples(
        "impulse", pairs, [&](std::size_t p) -> auto& { return self.pair_[p].impulse; });
}

std::vector<PackingColumn> RigidBackend::state() const {
    SavedNumbers columns(state_values_);
    each_column(*this, columns.visit());
    return columns.take();
}

void RigidBackend::restore(std::int64_t step, const SavedColumns& column) {
    const auto take = take_columns(column);
    step_ = step;
    each_column(*this, take, Columns::of_particles);
    const double bodies = static_cast<double>(n_ + packing_.walls.size());
    if (!(sums_.first >= 0.0 && sums_.first < static_cast<double>(n_) && sums_.second >= 0.0 &&
          sums_.second < bodies))
        throw std::invalid_argument("penetration: no such bodies");
    loads_.restore(time());
    adopt_list();
    each_column(*this, take, Columns::of_pairs);
}

}  // namespace beadwave::packing
