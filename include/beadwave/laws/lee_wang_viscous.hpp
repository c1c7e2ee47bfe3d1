// Lee-Wang, viscous: a Hertz spring with a linear dashpot that starts smoothly.
//
//     F = K delta^(3/2) + S(delta) D delta_dot,    delta > 0             [WangReview2022 Table 2]
//     S = exp(2 q (delta - epsilon) / epsilon)     below epsilon, so S = exp(-2 q) at closing
//     S = 1                                        from epsilon on
//
// q is a number (the paper gives it the unit m, with which the exponent would have a unit). The
// paper's D = 2 xi sqrt(K m) needs a linear stiffness: with Hertz's K it is no damping coefficient.
// The paper prints no values of epsilon and q. The force becomes negative before zero overlap
// unless `lowest_force` is 0. The spring stores (2/5) K delta^(5/2).
#pragma once

#include "beadwave/laws/number.hpp"
#include "beadwave/laws/response.hpp"

namespace beadwave::laws {

template <class T>
struct LeeWangViscous {
    template <class U>
    using Rebind = LeeWangViscous<U>;
    using Memory = NoMemory;
    static constexpr bool conservative = false;

    T stiffness;     ///< K [N/m^1.5]
    T damping;       ///< D [N s/m]
    T transition;    ///< epsilon [m]
    T steepness;     ///< 2 q / epsilon [1/m]
    T lowest_force;  ///< 0: no tension; -infinity: contact lasts to zero overlap

    static constexpr auto fields() {
        return std::make_tuple(&LeeWangViscous::stiffness, &LeeWangViscous::damping,
                               &LeeWangViscous::transition, &LeeWangViscous::steepness,
                               &LeeWangViscous::lowest_force);
    }

    Response<T, Memory> respond(T overlap, T approach_speed, Memory memory) const {
        const T x = max(overlap, T(0.0));
        const T missing = max(transition - x, T(0.0));
        const T force =
            stiffness * power_3_2(x) + exp(-steepness * missing) * damping * approach_speed;
        return {select(overlap <= T(0.0), T(0.0), max(force, lowest_force)), memory};
    }

    T stored_energy(T overlap, Memory) const {
        const T x = max(overlap, T(0.0));
        return T(0.4) * stiffness * x * power_3_2(x);
    }

    bool ends_in_tension() const { return lowest_force < 0.0; }
};

}  // namespace beadwave::laws
