// The part of Dynamics for joints with friction: it holds them, or acts against their motion.
#include "mechanism/dynamics.hpp"
#include "mechanism/sliding_friction.hpp"

#include <algorithm>
#include <cmath>

namespace beadwave::mechanism {
namespace {

Vector axis_of(const Joint& joint, const std::vector<BodyState>& bodies) {
    if (joint.kind == JointKind::revolute) return {};
    return rotated(unit_vector(joint.axis), state_of(bodies, joint.bodies[0]).angle);
}

/// The speed that a joint allows: of the second body relative to the first [rad/s or m/s].
double speed_of(const Joint& joint, const std::vector<BodyState>& bodies) {
    const BodyState& first = state_of(bodies, joint.bodies[0]);
    const BodyState& second = state_of(bodies, joint.bodies[1]);
    if (joint.kind == JointKind::revolute) return second.angular_velocity - first.angular_velocity;
    return dot(axis_of(joint, bodies), second.velocity - first.velocity_at(second.centre));
}

/// The coefficient of friction that acts in a joint which moves at `speed`, or is held if
/// `direction` is 0.
double coefficient_of(const Joint& joint, double direction, double speed) {
    const JointFriction& friction = *joint.friction;
    if (direction == 0.0) return holding_coefficient(friction);
    const double arm = joint.kind == JointKind::revolute ? friction.radius : 1.0;
    return sliding_coefficient(friction, arm * std::abs(speed));
}

/// The time derivative of speed_of() [rad/s^2 or m/s^2].
double acceleration_of(const Joint& joint, const std::vector<BodyState>& bodies) {
    const BodyState& first = state_of(bodies, joint.bodies[0]);
    const BodyState& second = state_of(bodies, joint.bodies[1]);
    if (joint.kind == JointKind::revolute)
        return second.angular_acceleration - first.angular_acceleration;
    const Vector axis = axis_of(joint, bodies), arm = second.centre - first.centre;
    const Vector sliding = second.velocity - first.velocity_at(second.centre);
    const double turning = first.angular_velocity;
    const Vector faster = second.acceleration - first.acceleration -
                          first.angular_acceleration * left_of(arm) -
                          turning * left_of(second.velocity - first.velocity);
    return dot(turning * left_of(axis), sliding) + dot(axis, faster);
}

}  // namespace

void Dynamics::add_joint_load(const Joint& joint, double force, std::vector<Load>& loads) const {
    const auto [a, b] = joint.bodies;
    const auto& bodies = multibody.bodies();
    if (joint.kind == JointKind::revolute) {
        if (a != ground) loads[a].torque -= force;
        if (b != ground) loads[b].torque += force;
        return;
    }
    const Vector along = force * axis_of(joint, bodies);
    const Vector at = state_of(bodies, b).centre;
    if (a != ground) loads[a].add(-along, at, bodies[a].centre);
    if (b != ground) loads[b].add(along, at, bodies[b].centre);
}

std::vector<Load> Dynamics::joint_loads(const Joint& joint) const {
    std::vector<Load> loads(mechanism.bodies.size());
    add_joint_load(joint, 1.0, loads);
    return loads;
}

std::vector<std::vector<Load>> Dynamics::joint_loads() const {
    std::vector<std::vector<Load>> loads;
    for (std::size_t j = 0; j < joint_frictions.size(); ++j)
        loads.push_back(joint_loads(joint_of(j)));
    return loads;
}

JointFrictionProblem Dynamics::joint_friction_problem(std::span<double> accelerations) {
    const std::size_t count = joint_frictions.size();
    JointFrictionProblem problem(count);
    const std::vector<JointReaction> free = multibody.joint_reactions();
    double largest = 0.0;
    std::vector<double> limits;
    for (std::size_t j = 0; j < count; ++j) {
        const Joint& joint = joint_of(j);
        problem.joints[j] = &joint;
        problem.axes[j] = axis_of(joint, multibody.bodies());
        problem.accelerations[j] = acceleration_of(joint, multibody.bodies());
        problem.reactions[j] = free[joint_frictions[j].joint];
        problem.directions[j] = joint_frictions[j].direction;
        problem.coefficients[j] =
            coefficient_of(joint, problem.directions[j], speed_of(joint, multibody.bodies()));
        limits.push_back(
            friction_limit(joint, problem.coefficients[j], problem.reactions[j], problem.axes[j]));
        largest = std::max(largest, limits.back());
    }
    std::vector<Load> loads;
    const std::vector<std::vector<Load>> unit = joint_loads();
    for (std::size_t k = 0; k < count; ++k) {
        const std::vector<double> du = multibody.impulse_response(unit[k]);
        for (std::size_t j = 0; j < count; ++j)
            problem.response(j, k) = multibody.projected_speed(unit[j], du);
        // The change of the reactions, by a force of the size of the limits: little rounding.
        const double force = largest > 0.0 ? std::max(limits[k], 1e-3 * largest) : 1.0;
        loads = loads_;
        add_joint_load(joint_of(k), force, loads);
        multibody.accelerate(loads, accelerations);
        const std::vector<JointReaction> with = multibody.joint_reactions();
        for (std::size_t j = 0; j < count; ++j) {
            const JointReaction& changed = with[joint_frictions[j].joint];
            problem.changes[j * count + k] = {
                .force = (1.0 / force) * (changed.force - problem.reactions[j].force),
                .torque = (changed.torque - problem.reactions[j].torque) / force};
        }
    }
    return problem;
}

bool Dynamics::apply_joint_friction(std::span<double> dydt) {
    if (joint_frictions.empty()) return true;
    const auto accelerations = dydt.subspan(n_, n_);
    joint_forces_ = solve(joint_friction_problem(accelerations));
    if (!joint_forces_) return false;
    double power = 0.0;
    for (std::size_t j = 0; j < joint_frictions.size(); ++j) {
        const Joint& joint = joint_of(j);
        JointFrictionState& state = joint_frictions[j];
        state.force = joint_forces_->forces[j];
        add_joint_load(joint, state.force, loads_);
        std::vector<Load> own(mechanism.bodies.size());
        add_joint_load(joint, state.force, own);
        for (const std::size_t body : joint.bodies) {
            if (body != ground) include_acceleration(body, own[body]);
        }
        if (state.direction != 0.0) power -= state.force * speed_of(joint, multibody.bodies());
    }
    multibody.accelerate(loads_, accelerations);
    dydt[joint_friction_sum()] = power;
    return true;
}

std::vector<double> Dynamics::joint_speeds(double time, std::span<const double> y) {
    multibody.set(time, y.first(n_), y.subspan(n_, n_));
    std::vector<double> speeds;
    for (std::size_t j = 0; j < joint_frictions.size(); ++j)
        speeds.push_back(speed_of(joint_of(j), multibody.bodies()));
    return speeds;
}

bool Dynamics::joints_hold() const {
    if (joint_frictions.empty() || joints_jam()) return true;
    for (std::size_t j = 0; j < joint_frictions.size(); ++j) {
        if (joint_frictions[j].direction == 0.0 &&
            std::abs(joint_forces_->accelerations[j]) > joint_forces_->negligible[j])
            return false;
    }
    return true;
}

Dynamics::Margin Dynamics::joint_margin() const {
    Margin margin;
    if (joint_frictions.empty() || joints_jam()) return margin;
    for (std::size_t j = 0; j < joint_frictions.size(); ++j) {
        const double limit = joint_forces_->limits[j];
        margin.scale = std::max(margin.scale, limit);
        if (joint_frictions[j].direction != 0.0) continue;
        // At the limit the force says no more by how much it is too small: the acceleration does.
        const double moves = std::abs(joint_forces_->accelerations[j]);
        const double lacking =
            moves > joint_forces_->negligible[j] ? moves / joint_forces_->own_response[j] : 0.0;
        margin.least = std::min(margin.least, limit - std::abs(joint_forces_->forces[j]) - lacking);
    }
    return margin;
}

std::optional<std::size_t> Dynamics::jammed_joint() const {
    if (!joints_jam()) return std::nullopt;
    for (const JointFrictionState& state : joint_frictions) {
        if (state.direction != 0.0) return state.joint;
    }
    return joint_frictions.front().joint;
}

void Dynamics::decide_joint_friction(double time, std::span<double> y, double stopped,
                                     bool breaks) {
    if (joint_frictions.empty()) return;
    const std::vector<double> speeds = joint_speeds(time, y);
    for (std::size_t j = 0; j < speeds.size(); ++j) {
        JointFrictionState& state = joint_frictions[j];
        // Motion against the direction that it had is rounding.
        const bool against = state.direction * speeds[j] <= 0.0 && state.direction != 0.0;
        if (std::abs(speeds[j]) <= stopped || (stopped > 0.0 && against)) state.direction = 0.0;
    }
    project_held_joints(time, y.first(n_), y.subspan(n_, n_));
    dydt_.resize(numbers());
    derivatives(time, y, dydt_);
    if (!joint_forces_) return;  // the next step says that a joint jams
    // Well below what joints_hold() sees.
    const double part = breaks ? 1e-2 : 1.0;
    for (std::size_t j = 0; j < speeds.size(); ++j) {
        const double begins = joint_forces_->accelerations[j];
        if (joint_frictions[j].direction == 0.0 &&
            std::abs(begins) > part * joint_forces_->negligible[j])
            joint_frictions[j].direction = std::copysign(1.0, begins);
    }
}

void Dynamics::start_joint_friction(double time, std::span<double> y) {
    const std::vector<double> speeds = joint_speeds(time, y);
    double fastest = 0.0;
    for (const double speed : speeds)
        fastest = std::max(fastest, std::abs(speed));
    for (std::size_t j = 0; j < speeds.size(); ++j)
        joint_frictions[j].direction = std::copysign(1.0, speeds[j]);
    constexpr double rounding = 1e-12;
    decide_joint_friction(time, y, rounding * fastest, false);
}

void Dynamics::project_held_joints(double time, std::span<double> q, std::span<double> u) {
    std::vector<std::size_t> held;
    for (std::size_t j = 0; j < joint_frictions.size(); ++j) {
        if (joint_frictions[j].direction == 0.0) held.push_back(j);
    }
    if (held.empty()) return;
    multibody.set(time, q, u);
    Matrix response(held.size());
    std::vector<double> speeds;
    std::vector<std::vector<double>> changes;
    const std::vector<std::vector<Load>> unit = joint_loads();
    for (std::size_t k = 0; k < held.size(); ++k) {
        speeds.push_back(-speed_of(joint_of(held[k]), multibody.bodies()));
        changes.push_back(multibody.impulse_response(unit[held[k]]));
        for (std::size_t j = 0; j < held.size(); ++j)
            response(j, k) = multibody.projected_speed(unit[held[j]], changes[k]);
    }
    const std::vector<double> impulses = solve_semidefinite(response, speeds);
    for (std::size_t k = 0; k < held.size(); ++k) {
        for (std::size_t c = 0; c < n_; ++c)
            u[c] += impulses[k] * changes[k][c];
    }
}

}  // namespace beadwave::mechanism
