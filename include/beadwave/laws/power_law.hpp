// Power law: an elastic contact of any exponent.
//
//     F = A delta^n,   n >= 1                                        [Poursina2020 Eq. (6)]
//
// For contacts whose curve was measured, and for surfaces other than spheres: n = 1 flat punch,
// n = 3/2 spheres, n = 2 cone. All of the work is stored: U = A delta^(n+1) / (n+1).
#pragma once

#include "beadwave/laws/number.hpp"
#include "beadwave/laws/response.hpp"

namespace beadwave::laws {

template <class T>
struct PowerLaw {
    template <class U>
    using Rebind = PowerLaw<U>;
    using Memory = NoMemory;
    static constexpr bool conservative = true;

    T stiffness;  ///< A [N/m^n]
    T exponent;   ///< n [-]

    static constexpr auto fields() {
        return std::make_tuple(&PowerLaw::stiffness, &PowerLaw::exponent);
    }

    Response<T, Memory> respond(T overlap, T /*approach_speed*/, Memory memory) const {
        return {stiffness * parameter_power(max(overlap, T(0.0)), exponent), memory};
    }

    T stored_energy(T overlap, Memory) const {
        const T x = max(overlap, T(0.0));
        return stiffness * x * parameter_power(x, exponent) / (exponent + T(1.0));
    }

    bool ends_in_tension() const { return false; }
};

}  // namespace beadwave::laws
