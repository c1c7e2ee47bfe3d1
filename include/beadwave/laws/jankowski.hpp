// Jankowski: a dashpot that works only while the bodies approach.
//
//     F = K delta^(3/2) + C delta^(1/4) delta_dot     delta_dot > 0      [CorralReview Eq. (5.52)]
//     F = K delta^(3/2)                               delta_dot <= 0
//
// C = 2 xi sqrt(K m) with the effective mass m; CorralReview Eqs (5.54) and (5.55) give xi(e)
// (viscous_hertz.cpp). The force is continuous where delta_dot changes sign, and never negative.
// Contact ends at zero overlap, where the force is also zero. The spring stores (2/5) K
// delta^(5/2).
#pragma once

#include "beadwave/laws/number.hpp"
#include "beadwave/laws/response.hpp"

namespace beadwave::laws {

template <class T>
struct Jankowski {
    template <class U>
    using Rebind = Jankowski<U>;
    using Memory = NoMemory;
    static constexpr bool conservative = false;

    T stiffness;  ///< K [N/m^1.5]
    T damping;    ///< C [N s/m^1.25]

    static constexpr auto fields() {
        return std::make_tuple(&Jankowski::stiffness, &Jankowski::damping);
    }

    Response<T, Memory> respond(T overlap, T approach_speed, Memory memory) const {
        const T x = max(overlap, T(0.0));
        const T root = sqrt(x);
        return {stiffness * x * root + damping * sqrt(root) * max(approach_speed, T(0.0)), memory};
    }

    T stored_energy(T overlap, Memory) const {
        const T x = max(overlap, T(0.0));
        return T(0.4) * stiffness * x * power_3_2(x);
    }

    bool ends_in_tension() const { return false; }
};

}  // namespace beadwave::laws
