#include "mechanism/dynamics.hpp"

#include <algorithm>
#include <cmath>

namespace beadwave::mechanism {

Dynamics::Dynamics(const Mechanism& given)
    : mechanism(given), multibody(given), n_(multibody.coordinates()) {
    for (const Spot& spot : spots_of(mechanism))
        touches.push_back({.spot = spot});
    size = size_of(mechanism, spots_of(mechanism));
    loads_.resize(mechanism.bodies.size());
}

bool Dynamics::is_finite(std::span<const double> y) {
    return std::ranges::all_of(y, [](double number) { return std::isfinite(number); });
}

std::vector<double> Dynamics::first_state() {
    const std::vector<double> u = multibody.first_rates();
    std::vector<double> y(numbers(), 0.0);
    std::ranges::copy(u, y.begin() + static_cast<std::ptrdiff_t>(n_));
    return y;
}

double Dynamics::force(const Touch& touch, const Nearness& near) const {
    if (touch.state == Touch::State::open) return 0.0;
    return touch.force->force(near.overlap, near.approach);
}

double Dynamics::friction(const Touch& touch, const Nearness& near, double normal_force) const {
    const auto& given = mechanism.contacts[touch.spot.contact].friction;
    if (!given) return 0.0;
    const double part =
        std::clamp((std::abs(near.slip) - given->slow) / (given->fast - given->slow), 0.0, 1.0);
    return -std::copysign(given->coefficient * std::max(normal_force, 0.0) * part, near.slip);
}

void Dynamics::push(const Touch& touch, const Nearness& near, const Vector& pull,
                    std::vector<Load>& loads) const {
    const auto [a, b] = touch.spot.bodies;
    const auto bodies = multibody.bodies();
    if (a != ground) loads[a].add(pull, near.place, bodies[a].centre);
    if (b != ground) loads[b].add(-pull, near.place, bodies[b].centre);
}

void Dynamics::rates(double time, std::span<const double> y, std::span<double> slopes) {
    ++evaluations;
    // Simbody takes no NaN; a step that went there is too long.
    const auto give_up = [&] { std::ranges::fill(slopes, std::nan("")); };
    if (!is_finite(y)) return give_up();
    const auto q = y.first(n_), u = y.subspan(n_, n_);
    multibody.set(time, q, u);
    for (std::size_t i = 0; i < loads_.size(); ++i)
        loads_[i] = {.force = mechanism.bodies[i].mass * mechanism.gravity};
    for (std::size_t i = 0; i < touches.size(); ++i) {
        double& normal_rate = slopes[2 * n_ + i];
        double& friction_rate = slopes[2 * n_ + touches.size() + i];
        normal_rate = friction_rate = 0.0;
        const Touch& touch = touches[i];
        if (touch.state == Touch::State::open) continue;
        const Nearness near = touch.spot.nearness(multibody.bodies());
        const double normal_force = force(touch, near);
        if (!std::isfinite(normal_force)) return give_up();
        if (normal_force == 0.0) continue;
        const double along = friction(touch, near, normal_force);
        push(touch, near, normal_force * near.normal + along * left_of(near.normal), loads_);
        normal_rate = normal_force * near.approach;
        friction_rate = -along * near.slip;
    }
    multibody.accelerate(loads_, slopes.subspan(n_, n_));
    std::ranges::copy(u, slopes.begin());
    slopes.back() = multibody.motor_power();
}

void Dynamics::settle(double time, std::vector<double>& y, double tolerance) {
    multibody.settle(time, std::span(y).first(n_), std::span(y).subspan(n_, n_), tolerance);
}

void Dynamics::see(double time, std::span<const double> y, std::vector<Nearness>& seen) {
    multibody.set(time, y.first(n_), y.subspan(n_, n_));
    seen.resize(touches.size());
    for (std::size_t i = 0; i < touches.size(); ++i)
        seen[i] = touches[i].spot.nearness(multibody.bodies());
}

std::vector<Load> Dynamics::unit_loads(std::size_t spot, const Nearness& near) const {
    std::vector<Load> loads(mechanism.bodies.size());
    push(touches[spot], near, near.normal, loads);
    return loads;
}

double Dynamics::effective_mass(std::size_t spot, const Nearness& near) {
    const std::vector<Load> loads = unit_loads(spot, near);
    return 1.0 / multibody.along(loads, multibody.kick(loads));
}

void Dynamics::strike(std::size_t spot, const Nearness& near, double impulse, std::span<double> y) {
    const std::vector<double> du = multibody.kick(unit_loads(spot, near));
    for (std::size_t k = 0; k < n_; ++k)
        y[n_ + k] += impulse * du[k];
}

double Dynamics::kinetic_energy() const {
    double twice = 0.0;
    for (std::size_t i = 0; i < mechanism.bodies.size(); ++i) {
        const BodyMotion& motion = multibody.bodies()[i];
        twice += mechanism.bodies[i].mass * dot(motion.velocity, motion.velocity) +
                 mechanism.bodies[i].inertia * motion.spin * motion.spin;
    }
    return 0.5 * twice;
}

Ledger Dynamics::ledger(double time, std::span<const double> y) {
    multibody.set(time, y.first(n_), y.subspan(n_, n_));
    Ledger ledger;
    ledger.kinetic = kinetic_energy();
    for (std::size_t i = 0; i < mechanism.bodies.size(); ++i) {
        const Body& body = mechanism.bodies[i];
        ledger.potential -=
            body.mass * dot(mechanism.gravity, multibody.bodies()[i].centre - body.centre);
    }
    for (std::size_t i = 0; i < touches.size(); ++i) {
        const Touch& touch = touches[i];
        const Nearness near = touch.spot.nearness(multibody.bodies());
        const double stored = touch.state == Touch::State::open
                                  ? 0.0
                                  : touch.force->stored_energy(near.overlap, near.approach);
        ledger.stored += stored;
        ledger.dissipated += y[2 * n_ + i] - stored;
        ledger.friction += y[2 * n_ + touches.size() + i];
    }
    ledger.work = y[numbers() - 1];
    return ledger;
}

Moment Dynamics::moment(double time, std::span<const double> y) {
    slopes_.resize(numbers());
    rates(time, y, slopes_);
    Moment moment{.time = time,
                  .bodies = {multibody.bodies().begin(), multibody.bodies().end()},
                  .spots = {},
                  .ledger = {}};
    for (const Touch& touch : touches) {
        const Nearness near = touch.spot.nearness(multibody.bodies());
        const double normal_force = force(touch, near);
        moment.spots.push_back({.overlap = near.overlap,
                                .approach = near.approach,
                                .force = normal_force,
                                .friction = friction(touch, near, normal_force),
                                .offset = near.offset});
    }
    moment.ledger = ledger(time, y);
    return moment;
}

}  // namespace beadwave::mechanism
