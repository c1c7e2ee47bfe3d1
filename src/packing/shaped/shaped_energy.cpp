// Contacts, their energy and stability limits in the engine of ellipsoids.

#include "beadwave/laws/slopes.hpp"
#include "laws/neck.hpp"
#include "packing/neighbours/pair_matching.hpp"
#include "packing/shaped/shaped_backend.hpp"

#include <algorithm>
#include <cmath>

namespace beadwave::packing {

std::vector<ContactState> ShapedBackend::contacts() const {
    std::vector<ContactState> closed;
    for (std::size_t p = 0; p < pair_.size(); ++p) {
        const ShapedPair& pair = pair_[p];
        if (!touches(pair)) continue;
        const Sides sides = sides_of(p);
        closed.push_back({.first = sides.first,
                          .second = sides.wall >= 0
                                        ? particle_.size() + static_cast<std::size_t>(sides.wall)
                                        : std::size_t{sides.second},
                          .overlap = pair.overlap,
                          .point = pair.arm_1,
                          .branch = pair.arm_1 - pair.arm_2,
                          .normal_force = -pair.normal_force * pair.normal,
                          .tangential_force = -pair.tangential_force,
                          .triangle = triangle_of(p),
                          .spot = pair.balls ? 0.0 : pair.closing.slip_radius});
    }
    std::ranges::stable_sort(closed, {}, &ContactState::first);
    return closed;
}

void ShapedBackend::account_pair(const ShapedPair& pair, const Sides& sides, double sliding_work,
                                 const Rolled& rolled) {
    const Vec3 force = pair.normal_force * pair.normal + pair.tangential_force;
    const Vec3& turns = pair.balls ? pair.tangential_force : force;
    accounts_->add(bodies_of(sides), pair.overlap > 0.0 || dot(force, force) != 0.0,
                   {.force = force,
                    .torque_1 = -cross(pair.arm_1, turns) - pair.rolling_torque,
                    .torque_2 = cross(pair.arm_2, turns) + pair.rolling_torque,
                    .wall_torque = wall_torque_of(pair, sides, force),
                    .image = sides.image,
                    .sliding_work = sliding_work,
                    .rolling_work = rolled.rolling,
                    .twisting_work = rolled.twisting});
}

std::uint32_t ShapedBackend::triangle_of(std::size_t p) const {
    const std::uint32_t second = list_.second[p];
    return facing_.empty() || second < member_.size() ? 0
                                                      : facing_[second - member_.size()].triangle;
}

void ShapedBackend::rub_wall(std::size_t p, const Sides& sides, double force_before, double slid) {
    const double pressing =
        0.5 * (std::max(force_before, 0.0) + std::max(pair_[p].normal_force, 0.0));
    wall_work_->rub(static_cast<std::size_t>(sides.wall), triangle_of(p), pressing * slid);
}

std::array<std::size_t, 2> ShapedBackend::particles_of(std::size_t p) const {
    const PairKey key = pair_key(list_, member_.size(), p);
    const std::uint32_t second = key.wall < 0 ? key.second : key.first;
    return {member_[key.first].body, member_[second].body};
}

ContactLimits ShapedBackend::limits_of(std::size_t p, double speed) const {
    const ShapedPair& pair = pair_[p];
    const Sides sides = sides_of(p);
    const Touch touch{pair.normal, pair.overlap, pair.arm_1, pair.arm_2, true};
    const double approach =
        dot(pair.normal, rates_of(sides, touch, When::now).apart(pair.arm_1, pair.arm_2));
    const PairLaw& law = law_of_pair(pair);
    const laws::Slopes<double> slope =
        laws::slopes_of(law.normal, pair.overlap, approach, pair.memory, speed, dt_);
    const double points =
        1.0 + static_cast<double>(std::ranges::count_if(
                  beside(p), [](const PointOnWall& at) { return at.sign > 0.0; }));
    const double size = pair.grip(law).overlap;
    const double tangential = laws::tangential_stiffness(law.slider, size),
                 dashpot = laws::tangential_damping(law.slider, size);
    const auto on = [&](std::uint32_t i, const Vec3& arm) -> ContactLimits::OnParticle {
        const double along = particle_[i].mobility(arm, pair.normal),
                     across = particle_[i].largest_mobility(arm);
        return {.particle = i,
                .stiffness = points * slope.stiffness * along + tangential * across,
                .damping = points * slope.damping * along + dashpot * across};
    };
    return {.first = on(sides.first, pair.arm_1),
            .second = on(sides.second, pair.arm_2),
            .wall = sides.wall,
            .on_box = sides.wall < 0,
            .branch = pair.arm_1 - pair.arm_2,
            .stiffness = points * slope.stiffness + tangential,
            .damping = points * slope.damping};
}

}  // namespace beadwave::packing
