// Spring and dashpot side by side, with any exponents.
//
//     F = K delta^n + C delta^q delta_dot,    delta > 0
//
// [CorralReview Eqs (5.15), (5.16); with q = 0 Poursina2020 Eq. (7)]
//
// The rest is as in spring_dashpot.hpp, which has the common exponents without a power function.
#pragma once

#include "beadwave/laws/number.hpp"
#include "beadwave/laws/response.hpp"

namespace beadwave::laws {

template <class T>
struct PowerDashpot {
    template <class U>
    using Rebind = PowerDashpot<U>;
    using Memory = NoMemory;
    static constexpr bool conservative = false;

    T stiffness;         ///< K [N/m^n]
    T exponent;          ///< n > 0 [-]
    T damping;           ///< C [N s/m^(q+1)]
    T overlap_exponent;  ///< q >= 0 [-]
    T lowest_force;      ///< 0: no tension; -infinity: contact lasts to zero overlap

    static constexpr auto fields() {
        return std::make_tuple(&PowerDashpot::stiffness, &PowerDashpot::exponent,
                               &PowerDashpot::damping, &PowerDashpot::overlap_exponent,
                               &PowerDashpot::lowest_force);
    }

    using Started = decltype(start_powers(T(), T(), T()));
    Started start(T overlap, T /*approach_speed*/) const {
        return start_powers(max(overlap, T(0.0)), exponent, overlap_exponent);
    }
    Response<T, Memory> finish(Started started, T overlap, T approach_speed, Memory memory) const {
        const T x = max(overlap, T(0.0));
        const auto [power, drag_power] = finish_powers(started, x, exponent, overlap_exponent);
        const T force = stiffness * power + damping * drag_power * approach_speed;
        return {select(overlap <= T(0.0), T(0.0), max(force, lowest_force)), memory};
    }
    Response<T, Memory> respond(T overlap, T approach_speed, Memory memory) const {
        return finish(start(overlap, approach_speed), overlap, approach_speed, memory);
    }

    T stored_energy(T overlap, Memory) const {
        const T x = max(overlap, T(0.0));
        return stiffness * x * parameter_power(x, exponent) / (exponent + T(1.0));
    }

    bool ends_in_tension() const { return lowest_force < 0.0; }
};

}  // namespace beadwave::laws
