// A dashpot that is a power of overlap and of speed.
//
//     F = K delta^n + C delta^q sgn(delta_dot) |delta_dot|^s,   not below p K delta^n
//
//     Choi        any exponents, 0 <= p <= 1: it never pulls    [CorralReview Eqs (5.72)-(5.74)]
//     Alizadeh    n = 3/2, q = 1, C = 4 pi mu                   [CorralReview Eq. (5.17)]
//
// Alizadeh's delta_dot^s is written for closing only; opening has the same drag with the opposite
// sign. The spring stores K delta^(n+1) / (n+1).
#pragma once

#include "beadwave/laws/number.hpp"
#include "beadwave/laws/response.hpp"

namespace beadwave::laws {

template <class T>
struct SpeedPowerDashpot {
    template <class U>
    using Rebind = SpeedPowerDashpot<U>;
    using Memory = NoMemory;
    static constexpr bool conservative = false;

    T stiffness;         ///< K [N/m^n]
    T exponent;          ///< n > 0 [-]
    T damping;           ///< C [N s^s/m^(q+s)]
    T overlap_exponent;  ///< q >= 0 [-]
    T speed_exponent;    ///< s > 0 [-]
    T least_part;  ///< p: least force over the spring's [-]; lowest double: contact lasts to zero
                   ///< overlap

    static constexpr auto fields() {
        return std::make_tuple(&SpeedPowerDashpot::stiffness, &SpeedPowerDashpot::exponent,
                               &SpeedPowerDashpot::damping, &SpeedPowerDashpot::overlap_exponent,
                               &SpeedPowerDashpot::speed_exponent, &SpeedPowerDashpot::least_part);
    }

    using Started = decltype(start_power(T(), T()));
    Started start(T /*overlap*/, T approach_speed) const {
        return start_power(fabs(approach_speed), speed_exponent);
    }
    Response<T, Memory> finish(Started started, T overlap, T approach_speed, Memory memory) const {
        const T x = max(overlap, T(0.0));
        const auto [power, drag_power] = any(overlap_exponent != T(0.0))
                                             ? parameter_powers(x, exponent, overlap_exponent)
                                             : std::pair(parameter_power(x, exponent), T(1.0));
        const T spring = stiffness * power;
        const T drag = finish_power(started, fabs(approach_speed), speed_exponent);
        const T force = spring + damping * drag_power * copysign(drag, approach_speed);
        return {select(overlap <= T(0.0), T(0.0), max(force, least_part * spring)), memory};
    }

    Response<T, Memory> respond(T overlap, T approach_speed, Memory memory) const {
        return finish(start(overlap, approach_speed), overlap, approach_speed, memory);
    }

    T stored_energy(T overlap, Memory) const {
        const T x = max(overlap, T(0.0));
        return stiffness * x * parameter_power(x, exponent) / (exponent + T(1.0));
    }

    bool ends_in_tension() const { return least_part < 0.0; }
};

}  // namespace beadwave::laws
