// Vu-Quoc-Zhang: the contact radius has an elastic and a plastic part [WangReview2022 Table 3].
//
// Above F_y the overlap is given as a function of the force,
//
//     delta = (a_e + a_p)^2 / (C_R R),   a_e = (3 R F / (4 E))^(1/3),   a_p = C_a (F - F_y),
//                                        C_R = 1 + K_c (F - F_y)
//
// in effective R and E and the overlap of the pair (the table has half of it, for two equal
// spheres). With w = delta/delta_y, u = (F/F_y)^(1/3), c = C_a F_y/a_y, k = K_c F_y and
// a_y^2 = R delta_y, this is
//
//     u + c (u^3 - 1) = sqrt(w (1 + k (u^3 - 1)))
//
// solved by eight Newton steps from above: to rounding wherever the force rises at most as delta^2,
// which the maker checks.
//
// Unloading: Hertzian with the radius C_R^3 R at the turn (the table lost a square root):
// delta_e = a_e^2 / (C_R R) = delta_y u^2 / (1 + k (u^3 - 1)), because F_max is (4/3) E a_e^3 / R.
//
// C_a and K_c are fitted to finite elements and not printed; by default they are the authors'
// constants for an aluminium sphere made free of units, c = 0.02583 and k = 0.009805. The slope
// steps down at F_y (to 0.94). D >= 0 as long as k <= 2 c. The large-load limit is a line: stay
// below about 100 delta_y.
#pragma once

#include "beadwave/laws/elastoplastic.hpp"
#include "beadwave/laws/elastoplastic/hertz_yield.hpp"

#include <cmath>

namespace beadwave::laws {

template <class T>
struct VuQuocZhangCurve {
    using Unloading = HertzUnloading;

    T stiffness;      ///< K [N/m^1.5]
    T overlap_yield;  ///< delta_y [m]
    T force_yield;    ///< F_y [N]
    T widening;       ///< c = C_a F_y / a_y [-]
    T flattening;     ///< k = K_c F_y [-]

    static constexpr auto fields() {
        using C = VuQuocZhangCurve;
        return std::make_tuple(&C::stiffness, &C::overlap_yield, &C::force_yield, &C::widening,
                               &C::flattening);
    }

    T loading_force(T x) const {
        const T u = force_root(max(x / overlap_yield, T(1.0)));
        return select(x < overlap_yield, stiffness * power_3_2(x), force_yield * u * u * u);
    }

    T recovered_span(T largest, T force) const {
        const T relative = max(force / force_yield, T(1.0));
        const T u = cbrt(relative);
        const T span = overlap_yield * u * u / (T(1.0) + flattening * (relative - T(1.0)));
        return select(largest < overlap_yield, largest, min(span, largest));
    }

  private:
    /// u = (F/F_y)^(1/3) at w >= 1.
    T force_root(T w) const {
        // Upper bounds: Hertz, and the plastic radius alone.
        const T half = w * flattening;
        const T plastic = (half + sqrt(half * half + T(4.0) * widening * widening * w)) /
                          (T(2.0) * widening * widening);
        T u = min(sqrt(w), cbrt(T(1.0) + plastic));
        for (int step = 0; step < 8; ++step) {
            const T rise = u * u * u - T(1.0);
            const T root = sqrt(w * (T(1.0) + flattening * rise));
            const T excess = u + widening * rise - root;
            const T slope = T(1.0) + u * u * (T(3.0) * widening - T(1.5) * flattening * w / root);
            u = u - excess / slope;
        }
        return u;
    }
};

template <class T>
using VuQuocZhang = Elastoplastic<VuQuocZhangCurve, T>;

/// Whether 0 < k <= 2 c and the force nowhere rises faster than delta^2.
inline bool vu_quoc_zhang_is_usable(double widening, double flattening) {
    if (!(widening > 0.0) || flattening < 0.0 || flattening > 2.0 * widening) return false;
    for (double u = 1.0; u < 1000.0; u *= 1.05) {
        const double rise = u * u * u - 1.0;
        const double order =
            2.0 * u * (1.0 + 3.0 * widening * u * u) / (u + widening * rise) -
            3.0 * flattening * u * u * u / (1.0 + flattening * rise);  // d ln w / d ln u
        if (order < 1.5) return false;
    }
    return true;
}

/// yield_factor: k_y [-]; widening: c [-]; flattening: k [-].
inline VuQuocZhang<double> make_vu_quoc_zhang(const Contact& contact, double yield_factor,
                                              double widening, double flattening) {
    const HertzYield yield(contact, yield_factor * contact.yield_stress);
    return {{.stiffness = contact.stiffness,
             .overlap_yield = yield.overlap,
             .force_yield = yield.force,
             .widening = widening,
             .flattening = flattening}};
}

}  // namespace beadwave::laws
