// Spring and dashpot in parallel: one kernel for the viscous laws, which differ only in how the
// coefficients are set.
//
//     F = K delta^n + C delta^q delta_dot,    delta > 0    [CorralReview Eqs (5.8), (5.13),
//     (5.45)-(5.47)]
//
// with the exponents n and q fixed at compile time (power_dashpot.hpp takes any). delta_dot is
// positive while closing. The restitution does not depend on the impact speed exactly where
// q = (n - 1)/2; for smaller q it rises with the speed, for larger q it falls.
//
// q = 0 makes the force jump to C delta_dot_0 at closing. Before zero overlap the force becomes
// negative: a contact that ends at zero force (`lowest_force` = 0) ends there, at the residual
// overlap; with -infinity it lasts to zero overlap, with tension before its end. A contact that
// ended at zero force and closes again before zero overlap follows the same formula.
//
// The spring stores K delta^(n+1) / (n+1); the rest of the work is dissipated.
#pragma once

#include "beadwave/laws/number.hpp"
#include "beadwave/laws/response.hpp"

namespace beadwave::laws {

enum class Exponent { zero, quarter, half, one, three_halves };

/// The exponent as a number [-].
constexpr double value_of(Exponent exponent) {
    constexpr double values[] = {0.0, 0.25, 0.5, 1.0, 1.5};
    return values[static_cast<int>(exponent)];
}

/// x to a fixed power, for x >= 0.
template <Exponent exponent, class T>
T raised(T x) {
    if constexpr (exponent == Exponent::zero) return T(1.0);
    if constexpr (exponent == Exponent::quarter) return sqrt(sqrt(x));
    if constexpr (exponent == Exponent::half) return sqrt(x);
    if constexpr (exponent == Exponent::one) return x;
    if constexpr (exponent == Exponent::three_halves) return power_3_2(x);
}

template <class T, Exponent n, Exponent q>
struct SpringDashpot {
    template <class U>
    using Rebind = SpringDashpot<U, n, q>;
    using Memory = NoMemory;
    static constexpr bool conservative = false;

    T stiffness;     ///< K [N/m^n]
    T damping;       ///< C [N s/m^(q+1)]
    T lowest_force;  ///< 0: no tension; -infinity: contact lasts to zero overlap

    static constexpr auto fields() {
        return std::make_tuple(&SpringDashpot::stiffness, &SpringDashpot::damping,
                               &SpringDashpot::lowest_force);
    }

    Response<T, Memory> respond(T overlap, T approach_speed, Memory memory) const {
        const T x = max(overlap, T(0.0));
        const T force = stiffness * raised<n>(x) + damping * raised<q>(x) * approach_speed;
        return {select(overlap <= T(0.0), T(0.0), max(force, lowest_force)), memory};
    }

    T stored_energy(T overlap, Memory) const {
        const T x = max(overlap, T(0.0));
        return T(1.0 / (1.0 + value_of(n))) * stiffness * x * raised<n>(x);
    }

    bool ends_in_tension() const { return lowest_force < 0.0; }
};

}  // namespace beadwave::laws
