// The part of Dynamics for friction by a tangential spring: what it holds, and when it slides.
#include "mechanism/dynamics.hpp"
#include "mechanism/sliding_friction.hpp"

#include <algorithm>
#include <cmath>

namespace beadwave::mechanism {

double Dynamics::spring_coefficient(std::size_t point, double slip_speed) const {
    const Friction& given = friction_of(point);
    const double speed = std::abs(slip_speed);
    return contact_states[point].slides ? sliding_coefficient(given, speed)
                                        : holding_coefficient(given, speed);
}

double Dynamics::spring_limit(std::size_t point, const ContactKinematics& kinematics) const {
    if (!contact_states[point].has_force()) return 0.0;
    const double normal = std::max(force(contact_states[point], kinematics), 0.0);
    return spring_coefficient(point, kinematics.slip_speed) * normal / friction_of(point).stiffness;
}

bool Dynamics::slides(std::size_t point, const ContactKinematics& kinematics,
                      std::span<const double> y) const {
    constexpr double rounding = 1e-9;
    if (may_break_away(point)) return false;
    return std::abs(spring_length(point, y)) >= (1.0 - rounding) * spring_limit(point, kinematics);
}

bool Dynamics::may_break_away(std::size_t point) const {
    return has_tangential_spring(point) && has_two_states(friction_of(point)) &&
           !contact_states[point].slides;
}

double Dynamics::spring_excess(std::size_t point, const ContactKinematics& kinematics,
                               std::span<const double> y) const {
    const Friction& given = friction_of(point);
    const double pull =
        given.stiffness * spring_length(point, y) + given.damping * kinematics.slip_speed;
    return std::abs(pull) - given.stiffness * spring_limit(point, kinematics);
}

void Dynamics::commit_tangential_spring(std::size_t point, const ContactKinematics& kinematics,
                                        std::span<const double> y) {
    ContactState& state = contact_states[point];
    if (!state.has_force()) {
        state.slides = false;
    } else if (has_two_states(friction_of(point))) {
        // An instant at which it breaks away is found to rounding.
        constexpr double rounding = 1e-9;
        const double holds = friction_of(point).stiffness * spring_limit(point, kinematics);
        state.slides = holds > 0.0 && spring_excess(point, kinematics, y) >= -rounding * holds;
    }
    const double limit = spring_limit(point, kinematics);
    state.spring_origin = y[slip_of_[point]] - std::clamp(spring_length(point, y), -limit, limit);
}

double Dynamics::spring_range(std::size_t point, const ContactKinematics& kinematics) const {
    const double limit = spring_limit(point, kinematics);
    return limit > 0.0 ? limit : size;
}

double Dynamics::spring_energy(std::size_t point, const ContactKinematics& kinematics,
                               std::span<const double> y) const {
    if (!has_tangential_spring(point)) return 0.0;
    const double limit = spring_limit(point, kinematics);
    const double length = std::clamp(spring_length(point, y), -limit, limit);
    return 0.5 * friction_of(point).stiffness * length * length;
}

}  // namespace beadwave::mechanism
