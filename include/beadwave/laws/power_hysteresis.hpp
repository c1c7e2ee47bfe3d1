// Hysteresis damping on a spring of any exponent n >= 1.
//
//     F = K delta^n (1 + chi delta_dot / delta_dot_0)       [Skrinjar2018 Eq. (7), m = n]
//
// Like hysteresis.hpp, which is the same law with n = 3/2 and no power function. The output
// restitution depends on chi alone, not on n (hysteresis_restitution.hpp). The elastic part stores
// K delta^(n+1) / (n+1). No tension unless `lowest_force` allows it.
#pragma once

#include "beadwave/laws/impact_speed.hpp"

namespace beadwave::laws {

template <class T, ImpactSpeed kind>
struct PowerHysteresis {
    template <class U>
    using Rebind = PowerHysteresis<U, kind>;
    using Memory = ImpactSpeedMemory<T, kind>;
    static constexpr bool conservative = false;

    T stiffness;         ///< K [N/m^n]
    T exponent;          ///< n [-]
    T damping;           ///< uniform: chi / delta_dot_0 [s/m]; per contact: chi [-]
    T min_impact_speed;  ///< [m/s], per contact only
    T lowest_force;      ///< 0: no tension; -infinity: contact lasts to zero overlap

    static constexpr auto fields() {
        return std::make_tuple(&PowerHysteresis::stiffness, &PowerHysteresis::exponent,
                               &PowerHysteresis::damping, &PowerHysteresis::min_impact_speed,
                               &PowerHysteresis::lowest_force);
    }

    Response<T, Memory> respond(T overlap, T approach_speed, Memory memory) const {
        const T x = max(overlap, T(0.0));
        const auto [speed, next] = memory.scaled(overlap, approach_speed, min_impact_speed);
        const T force = stiffness * parameter_power(x, exponent) * (T(1.0) + damping * speed);
        return {max(force, lowest_force), next};
    }

    T stored_energy(T overlap, Memory) const {
        const T x = max(overlap, T(0.0));
        return stiffness * x * parameter_power(x, exponent) / (exponent + T(1.0));
    }

    bool ends_in_tension() const { return lowest_force < 0.0; }
};

}  // namespace beadwave::laws
