// The hysteresis-damping family of Hunt and Crossley: one kernel, some twenty laws.
//
//     F = K delta^(3/2) (1 + chi delta_dot / delta_dot_0)      [WangReview2022 Table 1]
//
// The laws differ only in the factor chi(e) they derive from the coefficient of restitution e:
// hysteresis_factors.cpp lists them. The elastic part stores (2/5) K delta^(5/2); the rest of the
// work is dissipated. The force is zero at closing and at opening. If two bodies are pulled apart
// faster than delta_dot_0 / chi, the force would become tensile; `lowest_force` cuts it off.
#pragma once

#include "beadwave/laws/impact_speed.hpp"

namespace beadwave::laws {

template <class T, ImpactSpeed kind>
struct Hysteresis {
    template <class U>
    using Rebind = Hysteresis<U, kind>;
    using Memory = ImpactSpeedMemory<T, kind>;
    static constexpr bool conservative = false;

    T stiffness;         ///< K [N/m^1.5]
    T damping;           ///< uniform: chi / delta_dot_0 [s/m]; per contact: chi [-]
    T min_impact_speed;  ///< [m/s], per contact only
    T lowest_force;      ///< 0: no tension; -infinity: contact lasts to zero overlap

    static constexpr auto fields() {
        return std::make_tuple(&Hysteresis::stiffness, &Hysteresis::damping,
                               &Hysteresis::min_impact_speed, &Hysteresis::lowest_force);
    }

    Response<T, Memory> respond(T overlap, T approach_speed, Memory memory) const {
        const auto [speed, next] = memory.scaled(overlap, approach_speed, min_impact_speed);
        const T force = stiffness * power_3_2(overlap) * multiply_add(damping, speed, T(1.0));
        return {max(force, lowest_force), next};
    }

    T stored_energy(T overlap, Memory) const {
        const T x = max(overlap, T(0.0));
        return T(0.4) * stiffness * x * power_3_2(x);
    }

    bool ends_in_tension() const { return lowest_force < 0.0; }
};

}  // namespace beadwave::laws
