// DMT: Hertz's contact of two elastic spheres that attract each other around it, for stiff bodies
// with a small work of adhesion w [J/m^2].
//
//     F = K delta^(3/2) - F_c,   F_c = 2 pi w R,   delta > 0
//
// [Derjaguin, Muller and Toporov 1975]
//
// The attraction does not change the shape of the contact. It acts while the bodies touch, and
// ends with the contact at zero overlap, where its force jumps from or to the pull-off force F_c.
// Stored energy: U = (2/5) K delta^(5/2) - F_c delta, without a jump. So without a dashpot nothing
// is lost, and bodies that meet at any speed part again.
//
// A dashpot may act beside it, Tsuji's: F += alpha sqrt(K m) delta^(1/4) delta_dot.
//
// Friction and rolling: their limit is mu (F + F_c), the pressure of the contact.
#pragma once

#include "beadwave/laws/neck.hpp"

#include <cmath>

namespace beadwave::laws {

template <class T>
struct Dmt {
    template <class U>
    using Rebind = Dmt<U>;
    using Memory = NoMemory;
    static constexpr bool conservative = false;

    T stiffness;  ///< K [N/m^1.5]
    T pull_off;   ///< F_c [N]
    T damping;    ///< alpha sqrt(K m) [N s/m^1.25]

    static constexpr auto fields() {
        return std::make_tuple(&Dmt::stiffness, &Dmt::pull_off, &Dmt::damping);
    }

    Response<T, Memory> respond(T overlap, T approach_speed, Memory memory) const {
        const T x = max(overlap, T(0.0));
        const T root = sqrt(x);
        const T force = stiffness * x * root - pull_off + damping * sqrt(root) * approach_speed;
        return {select(overlap <= T(0.0), T(0.0), force), memory};
    }

    T stored_energy(T overlap, Memory) const {
        const T x = max(overlap, T(0.0));
        return x * (T(0.4) * stiffness * x * sqrt(x) - pull_off);
    }

    bool ends_in_tension() const { return true; }

    T range() const { return T(0.0); }
    auto touches(T overlap, Memory) const { return overlap > T(0.0); }
    Grip<T> grip(T overlap, T force, Memory) const {
        return {overlap, select(overlap > T(0.0), force + pull_off, T(0.0))};
    }
    double well() const { return std::cbrt(std::pow(2.5 * pull_off / stiffness, 2.0)); }
};

}  // namespace beadwave::laws
