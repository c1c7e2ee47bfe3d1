#include "mechanism/dynamics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace beadwave::mechanism {

namespace {

/// Whether the law of the spot is at work.
bool has_force(const Touch& touch) {
    return touch.state == Touch::State::touching || touch.state == Touch::State::spent;
}

}  // namespace

void make_force(Touch& touch, const Mechanism& mechanism, double mass, double closing_speed) {
    const std::size_t number = touch.spot.contact;
    const Contact& contact = mechanism.contacts[number];
    try {
        touch.force = make_force(contact, mass, closing_speed);
    } catch (const ArgumentError& error) {
        throw PartError(fmt::format("contact.{}.law", number),
                        fmt::format("contact \"{}\", of {:.6g} kg that close at {:.6g} m/s: {}",
                                    contact.name, mass, closing_speed, error.what()));
    }
    touch.force_mass = mass;
    touch.force_speed = closing_speed;
}

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
    if (touch.state == Touch::State::resting) return touch.holding;
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
        if (!has_force(touch)) continue;
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
    hold(slopes.subspan(n_, n_));
    std::ranges::copy(u, slopes.begin());
    slopes.back() = multibody.motor_power();
}

void Dynamics::settle(double time, std::vector<double>& y, double tolerance) {
    const auto q = std::span(y).first(n_), u = std::span(y).subspan(n_, n_);
    multibody.settle(time, q, u, tolerance);
    settle_resting(time, q, u);
}

std::vector<std::size_t> Dynamics::resting() const {
    std::vector<std::size_t> spots;
    for (std::size_t i = 0; i < touches.size(); ++i) {
        if (touches[i].state == Touch::State::resting) spots.push_back(i);
    }
    return spots;
}

void Dynamics::hold(std::span<double> rates) {
    const std::vector<std::size_t> spots = resting();
    if (spots.empty()) return;
    std::vector<Nearness> near(touches.size());
    std::vector<double> closing;
    for (const std::size_t i : spots) {
        near[i] = touches[i].spot.nearness(multibody.bodies());
        closing.push_back(approach_rate(i));
    }
    const std::vector<double> forces = solved(yields(spots, near), closing);
    for (std::size_t k = 0; k < spots.size(); ++k) {
        Touch& touch = touches[spots[k]];
        touch.holding = forces[k];
        push(touch, near[spots[k]], forces[k] * near[spots[k]].normal, loads_);
    }
    multibody.accelerate(loads_, rates);
}

/// As the loops of ideal joints: without it the overlap and the approach drift by what the steps
/// err.
void Dynamics::settle_resting(double time, std::span<double> q, std::span<double> u) {
    const std::vector<std::size_t> spots = resting();
    if (spots.empty()) return;
    std::vector<Nearness> near(touches.size());
    const auto move = [&](std::span<double> moved, double Nearness::*off) {
        multibody.set(time, q, u);
        std::vector<double> offs;
        for (const std::size_t i : spots) {
            near[i] = touches[i].spot.nearness(multibody.bodies());
            offs.push_back(near[i].*off);
        }
        const std::vector<double> by = solved(yields(spots, near), offs);
        for (std::size_t k = 0; k < spots.size(); ++k) {
            const std::vector<double> kick = multibody.kick(unit_loads(spots[k], near[spots[k]]));
            for (std::size_t c = 0; c < n_; ++c)
                moved[c] += by[k] * kick[c];
        }
    };
    for (int pass = 0; pass < 2; ++pass)  // the second leaves rounding
        move(q, &Nearness::overlap);
    move(u, &Nearness::approach);
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

double Dynamics::approach_rate(std::size_t spot) const {
    return touches[spot].spot.approach_rate(multibody.bodies());
}

Matrix Dynamics::yields(const std::vector<std::size_t>& spots, const std::vector<Nearness>& seen) {
    Matrix matrix(spots.size());
    for (std::size_t column = 0; column < spots.size(); ++column) {
        const std::vector<double> du =
            multibody.kick(unit_loads(spots[column], seen[spots[column]]));
        for (std::size_t row = 0; row < spots.size(); ++row)
            matrix(row, column) = multibody.along(unit_loads(spots[row], seen[spots[row]]), du);
    }
    return matrix;
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

void Dynamics::exchange(StateNumbers& state) {
    state(evaluations);
    for (Touch& touch : touches) {
        int kind = static_cast<int>(touch.state);
        bool has_law = touch.force != nullptr;
        state(kind), state(has_law), state(touch.loading);
        if (kind < 0 || kind > static_cast<int>(Touch::State::resting))
            throw std::length_error("the saved state is damaged");
        touch.state = static_cast<Touch::State>(kind);
        for (double* number : {&touch.work_at_start, &touch.closing_speed, &touch.largest_overlap,
                               &touch.force_mass, &touch.force_speed, &touch.holding})
            state(*number);
        if (!has_law) touch.force.reset();
        if (has_law && !touch.force)
            make_force(touch, mechanism, touch.force_mass, touch.force_speed);
        if (touch.force) touch.force->exchange(state);
        if (has_force(touch) && !touch.force) throw std::length_error("the saved state is damaged");
    }
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
        const double stored =
            has_force(touch) ? touch.force->stored_energy(near.overlap, near.approach) : 0.0;
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
