// Hooke: a linear spring.
//
//     F = K delta                                                [CorralReview Eq. (5.1)]
//
// K is given, or follows from the bodies: two flat square faces of half width a, pressed together
// without friction, have
//
//     K = a / (0.475 (h_i + h_j)) = a E / 0.475,   h = (1 - nu^2) / Young's modulus
//                                                 [CorralReview Eq. (5.6); Skrinjar2018 Eq. (5)]
//
// for the mean approach under an even pressure on the square: 0.475 is half of 0.95, the shape
// factor of the mean displacement of a square. The unit of K, N/m, makes the exponent 1, although
// the texts print it next to the 3/2 of spheres. All of the work is stored: U = K delta^2 / 2.
#pragma once

#include "beadwave/laws/number.hpp"
#include "beadwave/laws/response.hpp"

namespace beadwave::laws {

template <class T>
struct Hooke {
    template <class U>
    using Rebind = Hooke<U>;
    using Memory = NoMemory;
    static constexpr bool conservative = true;

    T stiffness;  ///< K [N/m]

    static constexpr auto fields() { return std::make_tuple(&Hooke::stiffness); }

    Response<T, Memory> respond(T overlap, T /*approach_speed*/, Memory memory) const {
        return {stiffness * max(overlap, T(0.0)), memory};
    }

    T stored_energy(T overlap, Memory) const {
        const T x = max(overlap, T(0.0));
        return T(0.5) * stiffness * x * x;
    }

    bool ends_in_tension() const { return false; }
};

}  // namespace beadwave::laws
