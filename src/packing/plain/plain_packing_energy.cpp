// Contacts, energy and stability limits of the plain engine.

#include "beadwave/laws/slopes.hpp"
#include "packing/neighbours/pair_matching.hpp"
#include "packing/walls/wall_limits.hpp"
#include "plain_packing_engine.hpp"

#include <algorithm>
#include <cmath>

namespace beadwave::packing {

std::vector<Vec3> PlainPackingEngine::displacement() const {
    std::vector<Vec3> all;
    for (std::size_t i = 0; i < n_; ++i)
        all.push_back(displacement_of(i));
    return all;
}

std::vector<ContactState> PlainPackingEngine::contacts() const {
    std::vector<ContactState> closed;
    for (std::size_t p = 0; p < pair_.size(); ++p) {
        const Pair& pair = pair_[p];
        if (!touches(pair)) continue;
        const PairKey key = pair_key(list_, n_, p);
        const double radii = body_[list_.first[p]].radius + body_[list_.second[p]].radius;
        const double length = std::sqrt(dot(pair.branch, pair.branch));
        closed.push_back(
            {.first = key.first,
             .second = key.wall >= 0 ? n_ + static_cast<std::size_t>(key.wall) : key.second,
             .overlap = pair.overlap,
             .point = body_[key.first].radius / radii * pair.branch,
             .branch = pair.branch,
             .normal_force = -pair.normal_force / length * pair.branch,
             .tangential_force = -pair.tangential_force,
             .triangle = dissipation_ ? triangle_of(p) : 0});
    }
    std::ranges::stable_sort(closed, {}, &ContactState::first);
    return closed;
}

PackingTotals PlainPackingEngine::totals() const {
    PackingTotals t{};
    for (std::size_t i = 0; i < n_; ++i) {
        const double m = packing_.mass[i];
        const Vec3 v = own_velocity(i);
        t.translational += 0.5 * m * dot(v, v);
        t.rotational += 0.5 * packing_.inertia[i] * dot(angular_velocity_[i], angular_velocity_[i]);
        t.momentum += m * v;
        t.angular_momentum += cross(packing_.position[i] + displacement_of(i), m * v) +
                              packing_.inertia[i] * angular_velocity_[i];
        t.external_work += m * dot(packing_.gravity, displacement_of(i));
    }
    t.translational += loads_.kinetic() + box_.kinetic();
    t.external_work += accounting_.walls + loads_.external_work() + box_.external_work();
    if (elements_.any()) {
        ElementTotals of_elements;
        for (std::size_t i = 0; i < n_; ++i)
            of_elements.add(elements_.totals_of(i, displacement_of(i)));
        t.add(of_elements);
    }
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

StabilityLimits PlainPackingEngine::stability_limits(double speed) const {
    WallLimits walls(packing_);
    BoxMotion::Limits box;
    std::vector<double> stiffness(n_, 0.0), damping(n_, 0.0);
    for (std::size_t p = 0; p < pair_.size(); ++p) {
        const Pair& pair = pair_[p];
        if (!touches(pair)) continue;
        const PairLaw& law = laws_.law(pair.kind);
        const laws::Slopes<double> slope =
            laws::slopes_of(law.normal, pair.overlap, approach_speed(p), pair.memory, speed, dt_);
        const double size = grip_of(pair).overlap;
        const double tangential = laws::tangential_stiffness(law.slider, size),
                     dashpot = laws::tangential_damping(law.slider, size);
        const auto add = [&](std::uint32_t i) {
            if (packing_.is_held(i)) return;
            const double r = body_[i].radius, m = packing_.mass[i];
            const double arm = 1.0 + m * r * r / packing_.inertia[i];
            stiffness[i] += (slope.stiffness + arm * tangential) / m;
            damping[i] += (slope.damping + arm * dashpot) / m;
        };
        add(list_.first[p]);
        box_.add_contact(box, pair.branch, slope.stiffness + tangential, slope.damping);
        const PairKey key = pair_key(list_, n_, p);
        if (key.wall < 0) {
            add(key.second);
        } else {
            walls.add(static_cast<std::size_t>(key.wall), slope.stiffness + tangential,
                      slope.damping);
        }
    }
    for (std::size_t c = 0; c < elements_.carriers(); ++c) {
        const std::size_t i = elements_.particle(c);
        const ElementStepper::Limits own = elements_.limits(c, displacement_of(i));
        stiffness[i] += own.stiffness + own.inner_stiffness;
        damping[i] += own.damping + own.inner_damping;
    }
    double stiffest = *std::ranges::max_element(stiffness),
           most_damped = *std::ranges::max_element(damping);
    box_.raise(box, stiffest, most_damped);
    return walls.limits_with(stiffest, most_damped);
}

std::optional<std::size_t> PlainPackingEngine::first_non_finite() const {
    const auto finite = [](Vec3 v) { return std::isfinite(dot(v, v)); };
    std::vector<char> broken(n_, false);
    for (std::size_t i = 0; i < n_; ++i) {
        broken[i] = !(finite(body_[i].displacement) && finite(body_[i].reference) &&
                      finite(velocity_[i]) && finite(angular_velocity_[i]) &&
                      finite(velocity_change_[i]) && finite(angular_velocity_change_[i]));
    }
    for (std::size_t p = 0; p < pair_.size(); ++p) {
        const Pair& pair = pair_[p];
        bool good = std::isfinite(pair.normal_force) && finite(pair.tangential_force) &&
                    finite(pair.sliding.vector) && finite(pair.rolling.vector);
        for (const double number : pair.memory)
            good = good && std::isfinite(number);
        if (!good) broken[list_.first[p]] = true;
    }
    if (const auto particle = elements_.first_non_finite()) broken[*particle] = true;
    const auto at = std::ranges::find(broken, char{true});
    if (at == broken.end()) return std::nullopt;
    return static_cast<std::size_t>(at - broken.begin());
}

double PlainPackingEngine::dissipated_rolling(double dissipated_tangential) const {
    if (!packing_.rolling.acts()) return 0.0;
    if (packing_.friction.law == laws::FrictionLaw::none) return dissipated_tangential;
    double stored = 0.0;
    for (const Pair& pair : pair_)
        stored += rolling_energy(pair);
    return accounting_.rolling - stored;
}

double PlainPackingEngine::approach_speed(std::size_t p) const {
    const Vec3 r = pair_[p].branch;
    const auto image_velocity = [&](const Ghost& ghost) {
        const Vec3 v = velocity_[ghost.of];
        return box_.strains() ? v + box_.rate().shift(ghost.image) : v;
    };
    const auto speed_of = [&](std::uint32_t body) {
        return body < n_                          ? velocity_[body]
               : list_.ghosts[body - n_].wall < 0 ? image_velocity(list_.ghosts[body - n_])
                                                  : body_[body].predicted;
    };
    return -dot(speed_of(list_.second[p]) - speed_of(list_.first[p]), r) / std::sqrt(dot(r, r));
}

void PlainPackingEngine::update_power() {
    accounting_.power_now = 0.0;
    for (std::size_t i = 0; i < n_; ++i)
        accounting_.power_now +=
            dot(force_[i], velocity_[i]) + dot(torque_[i], angular_velocity_[i]);
    if (dissipation_) update_contact_power();
}

double PlainPackingEngine::normal_energy(const Pair& pair) const {
    return laws_.law(pair.kind).normal.stored_energy(pair.overlap, pair.memory);
}

double PlainPackingEngine::rolling_energy(const Pair& pair) const {
    return laws_.law(pair.kind).rolling.stored_energy(pair.overlap, pair.rolling);
}

double PlainPackingEngine::sliding_energy(const Pair& pair) const {
    return std::visit(
        [&](const auto& slider) { return slider.stored_energy(pair.overlap, pair.sliding); },
        laws_.law(pair.kind).slider);
}

double PlainPackingEngine::stored_normal() const {
    double stored = 0.0;
    for (const Pair& pair : pair_)
        stored += normal_energy(pair);
    return stored;
}

double PlainPackingEngine::stored_tangential() const {
    double stored = 0.0;
    for (const Pair& pair : pair_) {
        stored += sliding_energy(pair);
        stored += rolling_energy(pair);
    }
    return stored;
}

}  // namespace beadwave::packing
