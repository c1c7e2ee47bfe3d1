// Walton-Braun: two straight lines. In none of the five papers; J. Rheol. 30 (1986) 949.
//
//     loading      F = k_1 delta
//     unloading    F = k_2 (delta - delta_r),   delta_r = delta_max - F_max / k_2
//                  k_2 = k_1 / e^2 + S F_max
//
// S = 0: the restitution is e at every speed. S > 0: k_2 grows with the largest force and the
// restitution falls with the impact speed, sqrt(k_1 / k_2). D = F_max^2 (1/k_1 - 1/k_2) / 2 >= 0
// everywhere.
#pragma once

#include "beadwave/laws/elastoplastic.hpp"

namespace beadwave::laws {

template <class T>
struct WaltonBraunCurve {
    using Unloading = LinearUnloading;

    T loading_stiffness;    ///< k_1 [N/m]
    T unloading_stiffness;  ///< k_1 / e^2 [N/m]
    T hardening;            ///< S [1/m]

    static constexpr auto fields() {
        return std::make_tuple(&WaltonBraunCurve::loading_stiffness,
                               &WaltonBraunCurve::unloading_stiffness,
                               &WaltonBraunCurve::hardening);
    }

    T loading_force(T x) const { return loading_stiffness * x; }
    T recovered_span(T /*largest*/, T force) const {
        return force / (unloading_stiffness + hardening * force);
    }
};

template <class T>
using WaltonBraun = Elastoplastic<WaltonBraunCurve, T>;

}  // namespace beadwave::laws
