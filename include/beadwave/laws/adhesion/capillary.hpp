// A liquid bridge between two elastic spheres: Hertz's contact and the attraction of a bridge of a
// given volume V [m^3] that forms when the bodies touch.
//
//     F = K max(delta, 0)^(3/2) - F_c / (1 + 1.05 x + 2.5 x^2),
//     F_c = 4 pi R gamma cos(theta),   x = max(-delta, 0) sqrt(2 R / V)
//
// with the surface tension gamma [N/m] and the contact angle theta [rad]. The quotient is the
// closed form of Willett et al. 2000 for small bridges between equal spheres of the radius 2 R;
// Derjaguin's approximation makes that the pair of any radii with the effective radius R. The
// bridge ruptures when the gap grows to (1 + theta/2) V^(1/3) [Lian, Thornton and Adams 1993]. The
// same volume is there again at the next touch: liquid does not move.
//
// Stored energy: the work of the force from the rupture on,
//
//     U = (2/5) K delta^(5/2) - F_c delta - B(gap)
//
// where B is the integral of the bridge's force from the gap to the rupture. It jumps from 0 to
// -B(0) when the bridge forms, and that is lost.
//
// A dashpot may act beside it while the bodies touch, Tsuji's: alpha sqrt(K m) delta^(1/4)
// delta_dot.
//
// Friction and rolling: the liquid carries none. Their limit is mu (F + F_c) in contact, and zero
// while only the bridge is left.
#pragma once

#include "beadwave/laws/neck.hpp"

#include <cmath>

namespace beadwave::laws {

template <class T>
struct Capillary {
    template <class U>
    using Rebind = Capillary<U>;
    using Memory = NeckMemory<T>;
    static constexpr bool conservative = false;

    T stiffness;   ///< K [N/m^1.5]
    T pull_off;    ///< F_c [N]
    T per_gap;     ///< sqrt(2 R / V) [1/m]
    T rupture;     ///< gap at which the bridge ruptures [m]
    T total_work;  ///< B(0) [J]
    T damping;     ///< alpha sqrt(K m) [N s/m^1.25]

    static constexpr auto fields() {
        return std::make_tuple(&Capillary::stiffness, &Capillary::pull_off, &Capillary::per_gap,
                               &Capillary::rupture, &Capillary::total_work, &Capillary::damping);
    }

    Response<T, Memory> respond(T overlap, T approach_speed, Memory memory) const {
        // NaN is not open, so that it reaches the force.
        const auto open = overlap <= select(memory.neck > T(0.0), -rupture, T(0.0));
        const T delta = max(overlap, T(0.0)), root = sqrt(delta);
        const T x = max(-overlap, T(0.0)) * per_gap;
        const T force = stiffness * delta * root + damping * sqrt(root) * approach_speed -
                        pull_off / ((T(2.5) * x + T(1.05)) * x + T(1.0));
        return {select(open, T(0.0), force), {select(open, T(0.0), T(1.0))}};
    }

    T stored_energy(T overlap, Memory memory) const {
        const T delta = max(overlap, T(0.0));
        const T x = max(-overlap, T(0.0)) * per_gap;
        const T contact = delta * (T(0.4) * stiffness * delta * sqrt(delta) - pull_off);
        const T bridge = pull_off / per_gap * each_lane(integral, x) - total_work;
        return select(memory.neck > T(0.0), contact + bridge, T(0.0));
    }

    /// The integral of 1 / (1 + 1.05 x + 2.5 x^2) from 0 to x.
    static double integral(double x) {
        const double root = std::sqrt(10.0 - 1.05 * 1.05);
        return 2.0 / root * std::atan(root * x / (2.0 + 1.05 * x));
    }

    bool ends_in_tension() const { return true; }

    T range() const { return rupture; }
    auto touches(T /*overlap*/, Memory memory) const { return memory.neck > T(0.0); }
    Grip<T> grip(T overlap, T force, Memory) const {
        return {overlap, select(overlap > T(0.0), force + pull_off, T(0.0))};
    }
    /// A bound: the energy of the bridge is all gained before contact, and none is lost.
    double well() const {
        const double contact = std::cbrt(std::pow(2.5 * pull_off / stiffness, 2.0));
        const double impact = std::pow(2.5 * total_work / stiffness, 0.4);
        return contact + impact;
    }
};

}  // namespace beadwave::laws
