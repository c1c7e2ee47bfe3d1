#include "mechanism/force_elements.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace beadwave::mechanism {
namespace {

/// A place between two rows: values are row[i] + part * (row[i + 1] - row[i]).
struct Place {
    std::size_t row = 0;
    double part = 0.0;
};

/// `beyond`: the first and the last piece go on; otherwise the ends are constant.
Place place_in(const std::vector<double>& rows, double at, bool beyond) {
    if (rows.size() < 2) return {};
    if (!beyond) at = std::clamp(at, rows.front(), rows.back());
    const auto after = std::upper_bound(rows.begin() + 1, rows.end() - 1, at);
    const auto row = static_cast<std::size_t>(after - rows.begin()) - 1;
    return {row, (at - rows[row]) / (rows[row + 1] - rows[row])};
}

template <class Value>
Value value_at(const std::vector<Value>& values, const Place& place) {
    if (place.part == 0.0) return values[place.row];
    return (1.0 - place.part) * values[place.row] + place.part * values[place.row + 1];
}

/// Change per row of the piece that `at` lies in.
template <class Value>
Value slope_at(const std::vector<double>& rows, const std::vector<Value>& values, double at) {
    if (rows.size() < 2 || at < rows.front() || at > rows.back()) return Value{};
    const std::size_t row = place_in(rows, at, false).row;
    return (1.0 / (rows[row + 1] - rows[row])) * (values[row + 1] - values[row]);
}

double factor_at(const Oscillation& oscillation, double time) {
    if (oscillation.frequency == 0.0) return 1.0;
    return std::sin(2.0 * std::numbers::pi * oscillation.frequency * time + oscillation.phase);
}

/// Force of a spring without its damper [N].
double spring_force(const Spring& spring, double extension) {
    if (spring.acts == Spring::Acts::tension && extension <= 0.0) return 0.0;
    if (spring.acts == Spring::Acts::compression && extension >= 0.0) return 0.0;
    if (spring.extensions.empty()) return spring.stiffness * extension;
    return value_at(spring.forces, place_in(spring.extensions, extension, true));
}

/// The integral of the force from extension 0 [J].
double spring_energy(const Spring& spring, double extension) {
    if (spring.extensions.empty()) return 0.5 * spring_force(spring, extension) * extension;
    // The force is linear between 0, the rows and the extension.
    std::vector<double> places{0.0, extension};
    for (const double row : spring.extensions) {
        if (row > std::min(0.0, extension) && row < std::max(0.0, extension)) places.push_back(row);
    }
    std::ranges::sort(places);
    double energy = 0.0;
    for (std::size_t i = 1; i < places.size(); ++i) {
        energy += 0.5 * (places[i] - places[i - 1]) *
                  (spring_force(spring, places[i - 1]) + spring_force(spring, places[i]));
    }
    return extension < 0.0 ? -energy : energy;
}

Vector anchor(const std::vector<Vector>& centres, std::size_t body, const Vector& point) {
    return body == ground ? point : point - centres[body];
}

using Pair = std::array<std::size_t, 2>;

/// A torque on the second body, and its opposite on the first.
void add_torque(const Pair& bodies, double torque, std::vector<Load>& loads) {
    if (bodies[0] != ground) loads[bodies[0]].torque -= torque;
    if (bodies[1] != ground) loads[bodies[1]].torque += torque;
}

/// Angular velocity of the second body relative to the first [rad/s].
double relative_spin(const Pair& bodies, const std::vector<BodyState>& states) {
    return state_of(states, bodies[1]).angular_velocity -
           state_of(states, bodies[0]).angular_velocity;
}

SpringSample sample_of(const TorsionSpring& spring, const std::vector<BodyState>& bodies) {
    const double angle = state_of(bodies, spring.bodies[1]).angle -
                         state_of(bodies, spring.bodies[0]).angle - spring.free_angle;
    return {
        .extension = angle,
        .force = -spring.stiffness * angle - spring.damping * relative_spin(spring.bodies, bodies)};
}

}  // namespace

ForceElements::ForceElements(const Mechanism& mechanism)
    : forces_(mechanism.forces),
      torques_(mechanism.torques),
      springs_(mechanism.springs),
      torsion_springs_(mechanism.torsion_springs) {
    for (const Body& body : mechanism.bodies) {
        centres_.push_back(body.centre);
        masses_.push_back(body.mass);
        inertias_.push_back(body.inertia);
    }
    for (const Spring& spring : springs_) {
        free_lengths_.push_back(
            spring.free_length.value_or(length(spring.points[1] - spring.points[0])));
    }
}

ForceElements::SpringState ForceElements::state(const Spring& spring, double free_length,
                                                const std::vector<BodyState>& bodies) const {
    SpringState s{};
    std::array<Vector, 2> velocities{};
    for (std::size_t k = 0; k < 2; ++k) {
        const BodyState& body = state_of(bodies, spring.bodies[k]);
        s.points[k] = body.at(anchor(centres_, spring.bodies[k], spring.points[k]));
        velocities[k] = body.velocity_at(s.points[k]);
    }
    const Vector span = s.points[1] - s.points[0];
    const double distance = length(span);
    if (distance > 0.0) s.direction = (1.0 / distance) * span;
    s.extension = distance - free_length;
    const double speed = dot(s.direction, velocities[1] - velocities[0]);
    const double damper = spring.damping * speed;
    s.damping_power = damper * speed;
    s.force = spring_force(spring, s.extension) + damper;
    return s;
}

ForceElements::Power ForceElements::add_loads(double time, const std::vector<BodyState>& bodies,
                                              std::vector<Load>& loads) const {
    Power power;
    for (const Force& given : forces_) {
        const BodyState& body = bodies[given.body];
        const Vector point = body.at(given.point - centres_[given.body]);
        Vector force = factor_at(given.oscillation, time) *
                       value_at(given.forces, place_in(given.times, time, false));
        if (given.turns_with_body) force = rotated(force, body.angle);
        loads[given.body].add(force, point, body.centre);
        power.external += dot(force, body.velocity_at(point));
    }
    for (const Torque& given : torques_) {
        const double torque = factor_at(given.oscillation, time) *
                              value_at(given.torques, place_in(given.times, time, false));
        add_torque(given.bodies, torque, loads);
        power.external += torque * relative_spin(given.bodies, bodies);
    }
    for (std::size_t i = 0; i < springs_.size(); ++i) {
        const SpringState now = state(springs_[i], free_lengths_[i], bodies);
        const auto [a, b] = springs_[i].bodies;
        const Vector pull = now.force * now.direction;
        if (a != ground) loads[a].add(pull, now.points[0], bodies[a].centre);
        if (b != ground) loads[b].add(-pull, now.points[1], bodies[b].centre);
        power.damping += now.damping_power;
    }
    for (const TorsionSpring& spring : torsion_springs_) {
        add_torque(spring.bodies, sample_of(spring, bodies).force, loads);
        const double spin = relative_spin(spring.bodies, bodies);
        power.damping += spring.damping * spin * spin;
    }
    return power;
}

double ForceElements::stored_energy(const std::vector<BodyState>& bodies) const {
    double energy = 0.0;
    for (std::size_t i = 0; i < springs_.size(); ++i)
        energy +=
            spring_energy(springs_[i], state(springs_[i], free_lengths_[i], bodies).extension);
    for (const TorsionSpring& spring : torsion_springs_) {
        const double angle = sample_of(spring, bodies).extension;
        energy += 0.5 * spring.stiffness * angle * angle;
    }
    return energy;
}

std::vector<SpringSample> ForceElements::samples(const std::vector<BodyState>& bodies) const {
    std::vector<SpringSample> all;
    for (std::size_t i = 0; i < springs_.size(); ++i) {
        const SpringState now = state(springs_[i], free_lengths_[i], bodies);
        all.push_back({.extension = now.extension, .force = now.force});
    }
    for (const TorsionSpring& spring : torsion_springs_)
        all.push_back(sample_of(spring, bodies));
    return all;
}

double ForceElements::largest_jerk(double time, const std::vector<BodyState>& bodies,
                                   double size) const {
    // How fast a force or a torque changes, by its rows and its oscillation.
    const auto rate_of = [&](const auto& given, const auto& values, const auto& size_of) {
        const double turning = 2.0 * std::numbers::pi * given.oscillation.frequency;
        return size_of(slope_at(given.times, values, time)) +
               std::abs(turning) * size_of(value_at(values, place_in(given.times, time, false)));
    };
    double largest = 0.0;
    for (const Force& given : forces_) {
        const double rate =
            rate_of(given, given.forces, [](const Vector& force) { return length(force); });
        const BodyState& body = bodies[given.body];
        const double arm = length(body.at(given.point - centres_[given.body]) - body.centre);
        largest = std::max(
            {largest, rate / masses_[given.body], size * arm * rate / inertias_[given.body]});
    }
    for (const Torque& given : torques_) {
        const double rate =
            rate_of(given, given.torques, [](double torque) { return std::abs(torque); });
        for (const std::size_t body : given.bodies) {
            if (body != ground) largest = std::max(largest, size * rate / inertias_[body]);
        }
    }
    return largest;
}

std::vector<double> ForceElements::times() const {
    std::vector<double> all;
    for (const Force& force : forces_)
        all.insert(all.end(), force.times.begin(), force.times.end());
    for (const Torque& torque : torques_)
        all.insert(all.end(), torque.times.begin(), torque.times.end());
    return all;
}

}  // namespace beadwave::mechanism
