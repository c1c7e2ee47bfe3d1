#include "mechanism/longest_step.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace beadwave::mechanism {
namespace {

/// The step in which two shapes move by their gap and the depth in which their overlap grows,
/// from rest by their gap alone, or turn by a third of a radian: within it they cannot pass
/// through each other, and the overlap of one place has one maximum at most. Where they touch,
/// the overlap may double: a trial of a longer step could get behind a thin wall, where there
/// is no force, and see none.
double longest_step_of(const Dynamics& dynamics, const ContactKinematics& now, std::size_t number) {
    constexpr double largest_turn = 0.3, first_overlap = 1e-4;
    const ContactState& state = dynamics.contact_states[number];
    const ContactPoint& point = state.point;
    // The time for a way, from a speed and an acceleration.
    const auto time = [](double way, double speed, double acceleration) {
        return 2.0 * way / (speed + std::sqrt(speed * speed + 2.0 * acceleration * way));
    };
    const auto& bodies = dynamics.multibody.bodies();
    const BodyState& a = state_of(bodies, point.bodies[0]);
    const BodyState& b = state_of(bodies, point.bodies[1]);
    const double turning = std::abs(a.angular_velocity - b.angular_velocity);
    const double turning_faster = std::abs(a.angular_acceleration - b.angular_acceleration);
    const double size = point.place->smallest;
    const double speed = std::hypot(now.approach_speed, now.slip_speed) + size * turning;
    const double faster =
        length(a.acceleration_at(now.position) - b.acceleration_at(now.position)) +
        size * turning_faster;
    const double way =
        std::max(-now.overlap, 0.0) + (speed > 0.0 ? point.place->depth : 1e-6 * size);
    double step = time(way, speed, faster);
    if (state.phase != ContactState::Phase::open) {
        step = std::min(step, time(std::max(now.overlap, 0.0) + first_overlap * point.place->depth,
                                   std::abs(now.approach_speed),
                                   std::abs(dynamics.approach_acceleration(number))));
    }
    return point.place->elongated ? std::min(step, time(largest_turn, turning, turning_faster))
                                  : step;
}

/// Whether forces alone decide what happens next: a contact rests, or friction holds a joint. Then
/// nothing moves, and the error of a step of any length is zero.
bool anything_rests(const Dynamics& dynamics) {
    return std::ranges::any_of(
               dynamics.contact_states,
               [](const auto& state) { return state.phase == ContactState::Phase::resting; }) ||
           std::ranges::any_of(dynamics.joint_frictions,
                               [](const auto& state) { return state.direction == 0.0; });
}

/// The shortest period of a load [s].
double shortest_period(const Mechanism& mechanism) {
    double highest = 0.0;
    for (const Force& force : mechanism.forces)
        highest = std::max(highest, std::abs(force.oscillation.frequency));
    for (const Torque& torque : mechanism.torques)
        highest = std::max(highest, std::abs(torque.oscillation.frequency));
    return 1.0 / highest;
}

}  // namespace

double longest_step(const Dynamics& dynamics, const std::vector<ContactKinematics>& kinematics) {
    constexpr double part_of_period = 0.125;  // see release_search.cpp
    double longest = std::numeric_limits<double>::infinity();
    if (anything_rests(dynamics)) longest = part_of_period * shortest_period(dynamics.mechanism);
    for (const BodyState& body : dynamics.multibody.bodies())
        longest = std::min(longest, 1.0 / std::abs(body.angular_velocity));
    for (std::size_t i = 0; i < kinematics.size(); ++i) {
        const ContactPoint& point = dynamics.contact_states[i].point;
        if (point.kind == ContactPoint::Kind::shapes)
            longest = std::min(longest, longest_step_of(dynamics, kinematics[i], i));
        if (point.kind != ContactPoint::Kind::journal) continue;
        longest = std::min(longest,
                           8.0 * point.contact_distance /
                               std::hypot(kinematics[i].approach_speed, kinematics[i].slip_speed));
    }
    return longest;
}

}  // namespace beadwave::mechanism
