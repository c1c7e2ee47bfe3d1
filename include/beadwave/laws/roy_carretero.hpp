// Roy-Carretero: force from the volume V that two spheres have in common.
//
//     F = [E1 E2/(R2 E1 + R1 E2)] V + [D1 D2/(R2 D1 + R1 D2)] V_dot    [CorralReview Eq. (5.80)]
//
// The text prints the second denominator with E1 and E2, which gives D no physical unit; with D1
// and D2 it is a viscosity, in Pa s. The text does not define R1 and R2: here they are the spheres'
// radii, S = R1 + R2. So
//
//     F = e V + d A delta_dot,     A = dV/d(delta), the area of the common disc
//     e = E1 E2/(R2 E1 + R1 E2), d = D1 D2/(R2 D1 + R1 D2): E/S and D/S for one material
//     V = pi delta^2 (2 S + d - 3 (R1 - R2)^2/d) / 12,     d = S - delta, between the centres
//
// For small overlaps V = pi R delta^2 with the effective radius R: the spring is far softer than
// Hertz. It stores e times the integral of V. The force becomes negative before zero overlap
// unless `lowest_force` is 0.
#pragma once

#include "beadwave/laws/number.hpp"
#include "beadwave/laws/response.hpp"

#include <numbers>

namespace beadwave::laws {

template <class T>
struct RoyCarretero {
    template <class U>
    using Rebind = RoyCarretero<U>;
    using Memory = NoMemory;
    static constexpr bool conservative = false;

    T modulus;            ///< e [Pa/m]
    T viscosity;          ///< d [Pa s/m]
    T radii;              ///< S = R1 + R2 [m]
    T radius_difference;  ///< |R1 - R2| [m]
    T lowest_force;       ///< 0: no tension; -infinity: contact lasts to zero overlap

    static constexpr auto fields() {
        return std::make_tuple(&RoyCarretero::modulus, &RoyCarretero::viscosity,
                               &RoyCarretero::radii, &RoyCarretero::radius_difference,
                               &RoyCarretero::lowest_force);
    }

    /// V [m^3] at an overlap x in [0, S).
    T volume(T x) const {
        const T d = radii - x;
        const T unequal = T(3.0) * radius_difference * radius_difference / d;
        return T(pi_12) * x * x * (radii + radii + d - unequal);
    }

    /// A = dV/dx [m^2] at an overlap x in [0, S).
    T area(T x) const {
        const T d = radii - x;
        const T ratio = radius_difference / d;
        const T sum = radii + d;
        // a^2 = (S^2 - d^2)(d^2 - (R1 - R2)^2) / (4 d^2)
        return T(3.0 * pi_12) * x * sum * (T(1.0) - ratio) * (T(1.0) + ratio);
    }

    Response<T, Memory> respond(T overlap, T approach_speed, Memory memory) const {
        const T x = max(overlap, T(0.0));
        const T force = modulus * volume(x) + viscosity * area(x) * approach_speed;
        return {max(force, lowest_force), memory};
    }

    T stored_energy(T overlap, Memory) const {
        const T x = max(overlap, T(0.0));
        const T z = x / radii;
        // The part of unequal radii, the integral of x^2/(S - x), as a series in z: with the
        // logarithm of its closed form it would lose all digits at small overlaps.
        T series = T(0.0);
        for (int k = 24; k >= 3; --k)
            series = series * z + T(1.0 / k);
        const T x3 = x * x * x;
        const T unequal = T(3.0) * radius_difference * radius_difference / radii * x3 * series;
        return modulus * T(pi_12) * (x3 * (radii - T(0.25) * x) - unequal);
    }

    bool ends_in_tension() const { return lowest_force < 0.0; }

  private:
    static constexpr double pi_12 = std::numbers::pi / 12.0;
};

}  // namespace beadwave::laws
