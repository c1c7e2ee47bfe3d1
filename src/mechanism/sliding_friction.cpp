#include "mechanism/sliding_friction.hpp"

#include "laws/tangential/sliding_coefficient.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace beadwave::mechanism {
namespace {

/// The cubic from (0, from) to (1, to) that is level at both ends: STEP of MSC Adams.
double cubic_step(double x, double from, double to) {
    return from + (to - from) * x * x * (3.0 - 2.0 * x);
}

/// The coefficient of MSC Adams without a viscous part.
double modified_coulomb(const Friction& friction, double speed) {
    const double holds = friction.static_coefficient.value_or(friction.coefficient);
    const double stiction = friction.stiction_speed, dynamic = friction.dynamic_speed;
    if (speed < stiction) return cubic_step(0.5 + 0.5 * speed / stiction, -holds, holds);
    if (speed < dynamic) {
        return cubic_step((speed - stiction) / (dynamic - stiction), holds, friction.coefficient);
    }
    return friction.coefficient;
}

}  // namespace

double sliding_coefficient(const Friction& friction, double speed) {
    return laws::sliding_coefficient(friction).at_speed(speed);
}

double sliding_force(const Friction& friction, double normal_force, double speed) {
    if (friction.law == Friction::Law::modified_coulomb) {
        return (modified_coulomb(friction, speed) + friction.viscous_coefficient * speed) *
               normal_force;
    }
    const double part = std::clamp(
        (speed - friction.slip_tolerance) / (friction.full_slip_speed - friction.slip_tolerance),
        0.0, 1.0);
    return sliding_coefficient(friction, speed) * normal_force * part;
}

double sliding_coefficient(const JointFriction& friction, double speed) {
    return laws::sliding_coefficient(friction).at_speed(speed);
}

double holding_coefficient(const Friction& friction, double speed) {
    return std::max(friction.static_coefficient.value_or(friction.coefficient),
                    laws::sliding_coefficient(friction).at_speed(speed));
}

double holding_coefficient(const JointFriction& friction) {
    return friction.static_coefficient.value_or(friction.coefficient);
}

bool has_two_states(const Friction& friction) {
    return friction.static_coefficient.has_value() || laws::depends_on_slip_speed(friction);
}

std::string fault_of_coefficients(const Friction& friction) {
    if (!(friction.coefficient >= 0.0)) return "the coefficient must not be negative";
    if (std::string wrong = laws::fault_of_sliding(friction); !wrong.empty()) return wrong;
    if (friction.law == Friction::Law::coulomb && friction.coefficient == 0.0 &&
        friction.static_coefficient.value_or(0.0) > 0.0) {
        return "under \"coulomb\" a static_coefficient needs a coefficient above 0: with 0 the "
               "contact has no friction";
    }
    if (friction.law == Friction::Law::ambrosio && friction.static_coefficient &&
        !(friction.stribeck_speed > 0.0)) {
        return "under \"ambrosio\" nothing sticks, so that a static_coefficient needs a "
               "stribeck_speed, at which the coefficient falls; \"modified-coulomb\" and "
               "\"linear\" "
               "take a static_coefficient alone";
    }
    if (friction.law != Friction::Law::modified_coulomb) return {};
    if (friction.stribeck_speed > 0.0) {
        return "\"modified-coulomb\" has a curve of its own, from stiction_speed to dynamic_speed; "
               "expected no stribeck_speed";
    }
    if (!(friction.stiction_speed > 0.0 && friction.dynamic_speed > friction.stiction_speed &&
          std::isfinite(friction.dynamic_speed))) {
        return fmt::format(
            "stiction_speed is {:g} m/s and dynamic_speed {:g} m/s; expected a stiction_speed "
            "above "
            "0 and a larger dynamic_speed",
            friction.stiction_speed, friction.dynamic_speed);
    }
    return {};
}

std::string fault_of_coefficients(const JointFriction& friction) {
    if (!(friction.coefficient >= 0.0 && std::isfinite(friction.coefficient)))
        return "the coefficient must not be negative";
    return laws::fault_of_sliding(friction);
}

}  // namespace beadwave::mechanism
