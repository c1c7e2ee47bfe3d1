#include "mechanism/multibody.hpp"

#include "mechanism/joint_numbers.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace beadwave::mechanism {
namespace {

/// Throws PartError if a given velocity disagrees with the joints by more than a thousandth of the
/// largest speed. (The numbers in a scenario are often rounded.)
void check_given(const Mechanism& mechanism, const std::vector<BodyState>& states) {
    double fastest = 0.0, fastest_angular = 0.0;
    for (const BodyState& state : states) {
        fastest = std::max(fastest, length(state.velocity));
        fastest_angular = std::max(fastest_angular, std::abs(state.angular_velocity));
    }
    for (const Body& body : mechanism.bodies) {
        if (body.velocity) fastest = std::max(fastest, length(*body.velocity));
        if (body.angular_velocity)
            fastest_angular = std::max(fastest_angular, std::abs(*body.angular_velocity));
    }
    for (std::size_t i = 0; i < states.size(); ++i) {
        const Body& body = mechanism.bodies[i];
        const BodyState& state = states[i];
        if (body.velocity && length(*body.velocity - state.velocity) > 1e-3 * fastest) {
            throw PartError(
                fmt::format("body.{}.velocity", i),
                fmt::format("body \"{}\": its velocity [{:g}, {:g}] m/s disagrees with its joints, "
                            "which make it [{:.6g}, {:.6g}] m/s",
                            body.name, (*body.velocity)[0], (*body.velocity)[1], state.velocity[0],
                            state.velocity[1]));
        }
        if (body.angular_velocity &&
            std::abs(*body.angular_velocity - state.angular_velocity) > 1e-3 * fastest_angular) {
            throw PartError(fmt::format("body.{}.angular_velocity", i),
                            fmt::format("body \"{}\": its angular velocity {:g} rad/s disagrees "
                                        "with its joints, which make "
                                        "it {:.6g} rad/s",
                                        body.name, *body.angular_velocity, state.angular_velocity));
        }
    }
}

/// Speed of a motor and its time derivative, on the part of the table that a step from `start` lies
/// on. The sign is that of the second body of the joint.
std::pair<double, double> speed_at(const Motor& motor, double sign, double start, double time) {
    const auto& [times, speeds, means] = motor;
    const auto after = std::ranges::upper_bound(times, start);
    if (after == times.begin()) return {sign * speeds.front(), 0.0};
    if (after == times.end()) return {sign * speeds.back(), 0.0};
    const auto i = static_cast<std::size_t>(after - times.begin());
    const double length = times[i] - times[i - 1], at = (time - times[i - 1]) / length;
    const double rise = speeds[i] - speeds[i - 1];
    // The parabola adds `bulge` to the mean of a straight line.
    const double bulge = means.empty() ? 0.0 : means[i - 1] - 0.5 * (speeds[i] + speeds[i - 1]);
    return {sign * (speeds[i - 1] + rise * at + 6.0 * bulge * at * (1.0 - at)),
            sign * (rise + 6.0 * bulge * (1.0 - 2.0 * at)) / length};
}

simbody::Mobility mobility_of(const Joint& joint) {
    return joint.kind == JointKind::revolute ? simbody::Mobility::revolute
                                             : simbody::Mobility::slider;
}

Vector axis_of(const Joint& joint) {
    return joint.kind == JointKind::slider ? unit_vector(joint.axis) : Vector{};
}

std::vector<simbody::Branch> branches_of(const Mechanism& mechanism, const JointTree& joints,
                                         const std::shared_ptr<double>& step_start) {
    std::vector<simbody::Branch> branches;
    for (const Branch& given : joints.branches) {
        const Body& body = mechanism.bodies[given.body];
        simbody::Branch branch{.body = given.body,
                               .parent = given.parent,
                               .mobility = simbody::Mobility::planar,
                               .mass = body.mass,
                               .inertia = body.inertia,
                               .centre = body.centre};
        if (given.joint) {
            const Joint& joint = mechanism.joints[*given.joint];
            branch.mobility = mobility_of(joint);
            branch.point = joint.point;
            branch.axis = axis_of(joint);
            if (joint.motor) {
                branch.motor = [motor = *joint.motor, sign = given.reversed ? -1.0 : 1.0,
                                step_start](double time) {
                    return speed_at(motor, sign, *step_start, time);
                };
            }
        }
        branches.push_back(std::move(branch));
    }
    return branches;
}

std::vector<Closure> closures_of(const Mechanism& mechanism, const JointTree& joints) {
    std::vector<Closure> closures;
    for (const std::size_t j : joints.loop_joints) {
        const Joint& joint = mechanism.joints[j];
        closures.push_back({.first = joint.bodies[0],
                            .second = joint.bodies[1],
                            .mobility = mobility_of(joint),
                            .point = joint.point,
                            .axis = axis_of(joint)});
    }
    return closures;
}

}  // namespace

Multibody::Multibody(const Mechanism& mechanism)
    : mechanism_(mechanism),
      joints_(joint_tree(mechanism)),
      step_start_(std::make_shared<double>(0.0)) {
    const auto branches = branches_of(mechanism_, joints_, step_start_);
    tree_ = simbody::make_tree(branches);
    auto closures = closures_of(mechanism_, joints_);
    if (!closures.empty()) loops_ = std::make_unique<Loops>(branches, std::move(closures), *tree_);
}

std::size_t Multibody::coordinates() const {
    return tree_->coordinates();
}
bool Multibody::is_angle(std::size_t k) const {
    return tree_->is_angle(k);
}
const std::vector<BodyState>& Multibody::bodies() const {
    return tree_->bodies();
}

std::vector<double> Multibody::initial_speeds() {
    std::vector<double> q(coordinates(), 0.0), u = speeds_of_tree();
    if (!project_constraints(0.0, q, u, 1e-12)) fail_to_move(mechanism_, loop_joints());
    check_given(mechanism_, bodies());
    return u;
}

bool Multibody::can_move() {
    std::vector<double> q(coordinates(), 0.0), u = speeds_of_tree();
    return project_constraints(0.0, q, u, 1e-12);
}

std::vector<double> Multibody::speeds_of_tree() {
    std::vector<double> q(coordinates(), 0.0), u(coordinates(), 0.0);
    for (const Branch& branch : joints_.branches) {
        set(0.0, q, u);  // the parents already have their speeds
        const Body& body = mechanism_.bodies[branch.body];
        const BodyState& parent = state_of(bodies(), branch.parent);
        double* own = &u[tree_->first_coordinate(branch.body)];
        const Vector carried = parent.velocity_at(body.centre);
        if (!branch.joint) {
            const Vector velocity = body.velocity.value_or(Vector{});
            own[0] = body.angular_velocity.value_or(0.0);
            own[1] = velocity[0];
            own[2] = velocity[1];
            continue;
        }
        const Joint& joint = mechanism_.joints[*branch.joint];
        if (joint.kind == JointKind::slider) {
            if (body.velocity) own[0] = dot(unit_vector(joint.axis), *body.velocity - carried);
            continue;
        }
        const Vector arm = body.centre - joint.point;
        if (!body.angular_velocity && body.velocity && dot(arm, arm) > 0.0) {
            const Vector own_part = *body.velocity - parent.velocity_at(joint.point);
            own[0] = cross(arm, own_part) / dot(arm, arm) - parent.angular_velocity;
        } else {
            own[0] = body.angular_velocity.value_or(0.0) - parent.angular_velocity;
        }
    }
    return u;
}

void Multibody::fail_to_move(const Mechanism& mechanism, const std::vector<std::size_t>& loops) {
    // The motors, one after the other: the first with which nothing moves contradicts the others.
    Mechanism fewer = mechanism;
    std::vector<std::size_t> earlier;
    for (Joint& joint : fewer.joints)
        joint.motor.reset();
    for (std::size_t j = 0; j < fewer.joints.size(); ++j) {
        if (!mechanism.joints[j].motor) continue;
        fewer.joints[j].motor = mechanism.joints[j].motor;
        if (!earlier.empty() && !Multibody(fewer).can_move()) {
            throw PartError(
                fmt::format("joint.{}", j),
                fmt::format("the motors of joints {} and {} contradict each other: the loops "
                            "leave them no common motion; remove one of these motors",
                            fmt::join(earlier, ", "), j));
        }
        earlier.push_back(j);
    }
    throw PartError(
        fmt::format("joint.{}", loops.front()),
        fmt::format("joint {}: its loop cannot move at the given speeds. In a singular position "
                    "(bodies of the loop in one line) start beside it",
                    few_of(loops)));
}

void Multibody::set(double time, std::span<const double> q, std::span<const double> u) {
    tree_->set(time, q.data(), u.data());
    if (loops_) loops_->state_changed();
}
bool Multibody::project_constraints(double time, std::span<double> q, std::span<double> u,
                                    double tolerance) {
    try {
        bool closed = true;
        if (loops_) closed = loops_->close(time, q, u, tolerance);
        set(time, q, u);
        std::copy_n(tree_->speeds(), u.size(), u.begin());  // those of the motors
        return closed;
    } catch (const simbody::NoSolution&) {
        return false;
    }
}
void Multibody::accelerate(std::span<const Load> loads, std::span<double> accelerations) {
    if (!loops_) return tree_->accelerate(loads.data(), accelerations.data());
    loops_->accelerate(loads, accelerations.data());
}
std::vector<JointReaction> Multibody::joint_reactions() {
    std::vector<JointReaction> of_branches(joints_.branches.size());
    std::vector<JointReaction> all(mechanism_.joints.size());
    if (all.empty()) return all;
    tree_->joint_reactions(of_branches.data());
    const std::vector<Load> of_loops = loops_ ? loops_->reactions() : std::vector<Load>{};
    for (std::size_t k = 0; k < of_loops.size(); ++k)
        all[joints_.loop_joints[k]] = of_loops[k];
    for (std::size_t k = 0; k < of_branches.size(); ++k) {
        const Branch& branch = joints_.branches[k];
        if (!branch.joint) continue;
        const Joint& joint = mechanism_.joints[*branch.joint];
        JointReaction reaction = of_branches[k];
        if (branch.reversed) {  // what the second body does to the first
            if (joint.kind == JointKind::slider) {
                const Vector first = state_of(bodies(), joint.bodies[0]).centre;
                const Vector second = state_of(bodies(), joint.bodies[1]).centre;
                reaction.torque += cross(first - second, reaction.force);
            }
            reaction = {.force = -reaction.force, .torque = -reaction.torque};
        }
        all[*branch.joint] = reaction;
    }
    return all;
}
double Multibody::motor_power() const {
    return tree_->motor_power();
}
std::vector<double> Multibody::impulse_response(std::span<const Load> impulses) {
    std::vector<double> change = tree_->impulse_response(impulses.data());
    if (loops_) loops_->hold(change);
    return change;
}
double Multibody::projected_speed(std::span<const Load> loads, std::span<const double> du) {
    return tree_->projected_speed(loads.data(), du.data());
}

}  // namespace beadwave::mechanism
