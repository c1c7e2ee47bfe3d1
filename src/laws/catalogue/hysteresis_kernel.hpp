// The hysteresis kernel of one contact, once its damping factor chi is known.
#pragma once

#include "beadwave/laws/catalogue.hpp"
#include "beadwave/laws/hysteresis.hpp"
#include "beadwave/laws/power_hysteresis.hpp"
#include "laws/catalogue/parameters.hpp"

namespace beadwave::laws {

/// chi(e), computed once if a chain needs the same value for contact after contact: some factors
/// are roots.
inline double remembered(double (*chi)(double), double restitution) {
    struct Last {
        double (*chi)(double) = nullptr;
        double restitution = 0.0, factor = 0.0;
    };
    thread_local Last last;
    if (last.chi != chi || last.restitution != restitution) {
        last = {chi, restitution, chi(restitution)};
    }
    return last.factor;
}

/// F = K delta^(3/2) (1 + chi delta_dot/delta_dot_0), impact speed and separation as in the
/// settings.
inline AnyLaw hertz_hysteresis(const Contact& c, const Settings& s, double chi) {
    if (s.is("impact_speed", "per-contact")) {
        return Hysteresis<double, ImpactSpeed::per_contact>{
            .stiffness = c.stiffness,
            .damping = chi,
            .min_impact_speed = s.number("min_impact_speed"),
            .lowest_force = lowest_force(s)};
    }
    return Hysteresis<double, ImpactSpeed::uniform>{.stiffness = c.stiffness,
                                                    .damping = chi / s.number("impact_speed"),
                                                    .min_impact_speed = 0.0,
                                                    .lowest_force = lowest_force(s)};
}

/// The hysteresis of hertz_hysteresis() on K delta^n, stiffness K in N/m^n.
inline AnyLaw power_hysteresis(const Settings& s, double stiffness, double exponent, double chi) {
    if (s.is("impact_speed", "per-contact")) {
        return PowerHysteresis<double, ImpactSpeed::per_contact>{
            .stiffness = stiffness,
            .exponent = exponent,
            .damping = chi,
            .min_impact_speed = s.number("min_impact_speed"),
            .lowest_force = lowest_force(s)};
    }
    return PowerHysteresis<double, ImpactSpeed::uniform>{.stiffness = stiffness,
                                                         .exponent = exponent,
                                                         .damping = chi / s.number("impact_speed"),
                                                         .min_impact_speed = 0.0,
                                                         .lowest_force = lowest_force(s)};
}

}  // namespace beadwave::laws
