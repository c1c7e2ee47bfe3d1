// Yigit: elastic, elastic-plastic and unloading phases [CorralReview Eqs (5.75)-(5.79)].
//
//     loading      F = K delta^(3/2), then F_y + K_y (delta - delta_y),
//                  K_y = (3/2) K sqrt(delta_y)
//     unloading    F = K (delta^(3/2) - delta_r^(3/2)),
//                  delta_r = (delta_max^(3/2) - F_max / K)^(2/3)
//
// The text gives no delta_y; here the largest Hertz pressure at yield is k_y sigma_y. D >= 0
// everywhere.
//
// The linear form has no elastic branch and unloads along a line:
//
//     loading      F = K_y delta
//     unloading    F = (K_y / gamma^2) (delta - delta_r),   gamma^2 = 1 - delta_r / delta_max,
//                  delta_r = delta_max (1 - K_y / (K sqrt(delta_max)))^(2/3)
//
// Here gamma is the restitution. The text prints gamma = 1 - delta_r / delta_max. With it the
// force would jump by 1/gamma at the turn, and nothing would be dissipated. delta_r > 0 above (9/4)
// delta_y.
#pragma once

#include "beadwave/laws/elastoplastic.hpp"
#include "beadwave/laws/elastoplastic/hertz_then_line.hpp"

namespace beadwave::laws {

/// F = K_u (delta^(3/2) - delta_r^(3/2)).
struct YigitUnloading {
    /// F / K_u [m^1.5].
    template <class Curve, class T>
    static T force(const Curve&, T overlap, T /*largest*/, T residual) {
        return power_3_2(max(overlap, residual)) - power_3_2(residual);
    }
    /// U / K_u [m^2.5].
    template <class Curve, class T>
    static T energy(const Curve&, T overlap, T /*largest*/, T residual) {
        const T x = max(overlap, residual);
        const T r = power_3_2(residual);
        return T(0.4) * (x * power_3_2(x) - residual * r) - r * (x - residual);
    }
};

template <class T>
struct YigitCurve : HertzThenLine<T> {
    using Unloading = YigitUnloading;

    T recovered_span(T largest, T force) const {
        const T root = cbrt(max(power_3_2(largest) - force / this->stiffness, T(0.0)));
        return select(largest < this->overlap_yield, largest, largest - root * root);
    }
};

template <class T>
struct YigitLinearCurve {
    using Unloading = LinearUnloading;

    T stiffness;      ///< K [N/m^1.5]
    T plastic_slope;  ///< K_y [N/m]

    static constexpr auto fields() {
        return std::make_tuple(&YigitLinearCurve::stiffness, &YigitLinearCurve::plastic_slope);
    }

    T loading_force(T x) const { return plastic_slope * x; }

    T recovered_span(T largest, T /*force*/) const {
        const T lost = max(stiffness * sqrt(largest) - plastic_slope, T(0.0));
        const T root = cbrt(lost / max(stiffness * sqrt(largest), plastic_slope));
        return largest * (T(1.0) - root * root);
    }
};

template <class T>
using Yigit = Elastoplastic<YigitCurve, T>;
template <class T>
using YigitLinear = Elastoplastic<YigitLinearCurve, T>;

/// yield_factor: k_y = p_y / sigma_y [-].
inline Yigit<double> make_yigit(const Contact& contact, double yield_factor) {
    return {{hertz_then_line(contact, yield_factor * contact.yield_stress)}};
}

inline YigitLinear<double> make_yigit_linear(const Contact& contact, double yield_factor) {
    const HertzThenLine<double> line =
        hertz_then_line(contact, yield_factor * contact.yield_stress);
    return {{.stiffness = line.stiffness, .plastic_slope = line.plastic_slope}};
}

}  // namespace beadwave::laws
