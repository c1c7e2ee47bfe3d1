// Contacts, energy and stability limits of the engine of ellipsoids.

#include "beadwave/laws/slopes.hpp"
#include "laws/neck.hpp"
#include "packing/shaped/shaped_packing_engine.hpp"
#include "packing/walls/wall_limits.hpp"

#include <algorithm>
#include <cmath>

namespace beadwave::packing {

std::vector<ContactState> ShapedPackingEngine::contacts() const {
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

std::size_t ShapedPackingEngine::closed_contacts() const {
    return static_cast<std::size_t>(
        std::ranges::count_if(pair_, [&](const ShapedPair& pair) { return touches(pair); }));
}

PackingTotals ShapedPackingEngine::totals() const {
    PackingTotals t{};
    for (std::size_t i = 0; i < particle_.size(); ++i) {
        const ShapedParticle& p = particle_[i];
        const Vec3 v = own_velocity(i);
        t.translational += 0.5 * p.mass * dot(v, v);
        t.rotational += p.rotational_energy();
        t.momentum += p.mass * v;
        t.angular_momentum += cross(place_of(i), p.mass * v) + p.momentum_in_space();
        t.external_work += p.mass * dot(packing_.gravity, p.displacement);
    }
    t.translational += loads_.kinetic() + box_.kinetic();
    t.external_work += accounting_.walls + loads_.external_work() + box_.external_work();
    if (population_.changes()) t.add(population_.inflow());
    t.stored_normal = stored_normal();
    t.stored_tangential = stored_tangential();
    if (!traits_.conservative) {
        const double given = dt_ * (accounting_.power - 0.5 * accounting_.power_now +
                                    0.5 * accounting_.power_at_start);
        // The contacts' work on moving walls and images is the negative of the walls' work.
        t.dissipated_normal = accounting_.walls + box_.image_work() - given -
                              accounting_.tangential - (t.stored_normal - initial_stored_);
    }
    t.dissipated_tangential = accounting_.tangential - t.stored_tangential;
    t.dissipated_rolling = dissipated_rolling(t.dissipated_tangential);
    return t;
}

void ShapedPackingEngine::account_pair(const ShapedPair& pair, const Sides& sides,
                                       double sliding_work, const Rolled& rolled) {
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

std::vector<ContactDissipation> ShapedPackingEngine::dissipation() const {
    if (!accounts_) return {};
    return accounts_->dissipation(dt_, traits_.conservative,
                                  [&](auto visit) { each_stored(visit); });
}

std::uint32_t ShapedPackingEngine::triangle_of(std::size_t p) const {
    const std::uint32_t second = list_.second[p];
    return facing_.empty() || second < member_.size() ? 0
                                                      : facing_[second - member_.size()].triangle;
}

void ShapedPackingEngine::rub_wall(std::size_t p, const Sides& sides, double force_before,
                                   double slid) {
    const double pressing =
        0.5 * (std::max(force_before, 0.0) + std::max(pair_[p].normal_force, 0.0));
    wall_work_->rub(static_cast<std::size_t>(sides.wall), triangle_of(p), pressing * slid);
}

double ShapedPackingEngine::power_of_contacts() const {
    double power = 0.0;
    for (const ShapedParticle& p : particle_)
        power += dot(p.force, p.velocity) + dot(p.torque, p.spin());
    return power;
}

double ShapedPackingEngine::normal_energy(const ShapedPair& pair) const {
    if (!pair.is_closed()) return 0.0;
    return law_of_pair(pair).normal.stored_energy(pair.overlap, pair.memory);
}

double ShapedPackingEngine::sliding_energy(const ShapedPair& pair) const {
    if (!pair.is_closed()) return 0.0;
    return std::visit(
        [&](const auto& slider) { return slider.stored_energy(pair.overlap, pair.sliding); },
        law_of_pair(pair).slider);
}

double ShapedPackingEngine::stored_normal() const {
    double stored = 0.0;
    for (const ShapedPair& pair : pair_)
        stored += normal_energy(pair);
    return stored;
}

double ShapedPackingEngine::stored_tangential() const {
    double stored = 0.0;
    for (const ShapedPair& pair : pair_) {
        stored += sliding_energy(pair);
        if (rolls_) stored += rolling_energy(pair);
    }
    return stored;
}

StabilityLimits ShapedPackingEngine::stability_limits(double speed) const {
    WallLimits walls(packing_);
    BoxMotion::Limits box;
    std::vector<double> stiffness(particle_.size(), 0.0), damping(particle_.size(), 0.0);
    for (std::size_t p = 0; p < pair_.size(); ++p) {
        const ShapedPair& pair = pair_[p];
        if (!touches(pair)) continue;
        const Sides sides = sides_of(p);
        const Touch touch{pair.normal, pair.overlap, pair.arm_1, pair.arm_2, true};
        const double approach =
            dot(pair.normal, rates_of(sides, touch, When::now).apart(pair.arm_1, pair.arm_2));
        const PairLaw& law = law_of_pair(pair);
        const laws::Slopes<double> slope =
            laws::slopes_of(law.normal, pair.overlap, approach, pair.memory, speed, dt_);
        const double size = grip_of(pair).overlap;
        const double tangential = laws::tangential_stiffness(law.slider, size),
                     dashpot = laws::tangential_damping(law.slider, size);
        const auto add = [&](std::uint32_t i, const Vec3& arm) {
            const double along = particle_[i].mobility(arm, pair.normal),
                         across = particle_[i].largest_mobility(arm);
            stiffness[i] += slope.stiffness * along + tangential * across;
            damping[i] += slope.damping * along + dashpot * across;
        };
        add(sides.first, pair.arm_1);
        if (sides.wall < 0) {
            add(sides.second, pair.arm_2);
            box_.add_contact(box, pair.arm_1 - pair.arm_2, slope.stiffness + tangential,
                             slope.damping);
        } else {
            walls.add(static_cast<std::size_t>(sides.wall), slope.stiffness + tangential,
                      slope.damping);
        }
    }
    double stiffest = *std::ranges::max_element(stiffness),
           most_damped = *std::ranges::max_element(damping);
    box_.raise(box, stiffest, most_damped);
    return walls.limits_with(stiffest, most_damped);
}

std::optional<std::size_t> ShapedPackingEngine::first_non_finite() const {
    const auto finite = [](const Vec3& v) { return std::isfinite(dot(v, v)); };
    std::vector<char> broken(particle_.size(), false);
    for (std::size_t i = 0; i < particle_.size(); ++i)
        broken[i] = !particle_[i].is_finite();
    for (std::size_t p = 0; p < pair_.size(); ++p) {
        const ShapedPair& pair = pair_[p];
        bool good = std::isfinite(pair.normal_force) && finite(pair.tangential_force) &&
                    finite(pair.sliding.vector) && finite(pair.rolling.vector);
        for (const double number : pair.memory)
            good = good && std::isfinite(number);
        if (!good) broken[member_[list_.first[p]].body] = true;
    }
    const auto at = std::ranges::find(broken, char{true});
    if (at == broken.end()) return std::nullopt;
    return static_cast<std::size_t>(at - broken.begin());
}

}  // namespace beadwave::packing
