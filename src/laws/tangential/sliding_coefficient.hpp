// The coefficient of friction of a contact that slides, over its slip speed v: Stribeck's curve
// from the static to the kinetic coefficient, and a viscous part.
//
//     mu(v) = mu + (mu_s - mu) exp(-(v / v_s)^d) + c v
//
// R. Stribeck, Zeitschrift des VDI 46 (1902) 1341-1348; the exponential with d = 1: A. Tustin,
// Journal of the IEE 94 (1947) 143-151; with any d: L. C. Bo, D. Pavelescu, Wear 82 (1982) 277-289;
// together with the viscous part: B. Armstrong-Helouvry et al., Automatica
// 30 (1994) 1083-1138, Eq. 5. There the viscous force is F_v v whatever the normal force; here it
// is c N v, so that it begins and ends with the contact: F_v = c N.
#pragma once

#include "beadwave/laws/number.hpp"
#include "laws/triple.hpp"

#include <cmath>
#include <optional>
#include <string>

namespace beadwave::laws {

template <class T>
struct SlidingCoefficient {
    T coefficient;         ///< mu [-]
    T static_coefficient;  ///< mu_s [-]
    T stribeck;            ///< 1 / v_s [s/m]; 0: mu at every speed
    T exponent;            ///< d [-]
    T viscous;             ///< c [s/m]

    /// mu(v); speed: of the slip, 0 or larger [m/s].
    T at_speed(const T& speed) const {
        if (!any(stribeck > T(0.0)) && !any(viscous > T(0.0))) return coefficient;
        constexpr double smallest = -700.0;  // below it the exponential is no normal number
        const T fall = parameter_power(speed * stribeck, exponent);
        const T above = (static_coefficient - coefficient) * exp(max(-fall, T(smallest)));
        return coefficient + select(stribeck > T(0.0), above, T(0.0)) + viscous * speed;
    }
    /// The same at a slip velocity.
    T at_velocity(const Triple<T>& velocity) const {
        if (!any(stribeck > T(0.0)) && !any(viscous > T(0.0))) return coefficient;
        return at_speed(sqrt(dot(velocity, velocity)));
    }
};

/// The curve of friction settings that have these members: `coefficient`, `static_coefficient`
/// (empty: `coefficient`), `stribeck_speed` (0: none) [m/s], `stribeck_exponent`,
/// `viscous_coefficient` [s/m].
template <class Settings>
SlidingCoefficient<double> sliding_coefficient(const Settings& of) {
    return {.coefficient = of.coefficient,
            .static_coefficient = of.static_coefficient.value_or(of.coefficient),
            .stribeck = of.stribeck_speed > 0.0 ? 1.0 / of.stribeck_speed : 0.0,
            .exponent = of.stribeck_exponent,
            .viscous = of.viscous_coefficient};
}

/// Whether the coefficient of such settings depends on the slip speed.
template <class Settings>
bool depends_on_slip_speed(const Settings& of) {
    return of.stribeck_speed > 0.0 || of.viscous_coefficient > 0.0;
}

/// What is wrong with such settings, beginning with the name of a member; empty: nothing.
std::string fault_of_sliding(const SlidingCoefficient<double>& curve,
                             std::optional<double> static_coefficient, double stribeck_speed);

template <class Settings>
std::string fault_of_sliding(const Settings& of) {
    return fault_of_sliding(sliding_coefficient(of), of.static_coefficient, of.stribeck_speed);
}

}  // namespace beadwave::laws
