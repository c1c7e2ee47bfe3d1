// Ma-Liu with its one fault corrected: it creates no energy near yield.
//
// Loading and unloading as in ma_liu.hpp. As printed, turns not far above delta_y store more than
// the work of loading wherever ln(xi^2/2) < 2 (2 psi sigma_y/p_y - 1), up to where the catalogue
// says. There delta_e is bounded (elastoplastic.hpp, D* = 0), and never longer than delta_max.
// Above that both forms are the same.
#pragma once

#include "beadwave/laws/elastoplastic.hpp"
#include "beadwave/laws/ma_liu.hpp"

namespace beadwave::laws {

template <class T>
struct GuardedMaLiuCurve {
    using Unloading = HertzUnloading;

    T stiffness;                    ///< K [N/m^1.5]
    T overlap_yield;                ///< delta_y [m]
    T overlap_plastic;              ///< delta_p [m]
    T c1, c2;                       ///< [N/m]
    T c3;                           ///< [N]
    T k1;                           ///< [N/m]
    T force_plastic;                ///< F_p [N]
    T plastic_unloading_stiffness;  ///< K_u of the plastic phase [N/m^1.5]
    T work_offset;                  ///< W_L at delta_y less the next two terms of W_L there [J]

    static constexpr auto fields() {
        using C = GuardedMaLiuCurve;
        return std::make_tuple(&C::stiffness, &C::overlap_yield, &C::overlap_plastic, &C::c1,
                               &C::c2, &C::c3, &C::k1, &C::force_plastic,
                               &C::plastic_unloading_stiffness, &C::work_offset);
    }

    T loading_force(T x) const {
        const T in_log = max(x, overlap_yield) / overlap_yield;
        const T elastoplastic = x * (c1 + c2 * log(in_log)) + c3;
        const T plastic = force_plastic + k1 * (x - overlap_plastic);
        return select(x < overlap_yield, stiffness * power_3_2(x),
                      select(x < overlap_plastic, elastoplastic, plastic));
    }

    T recovered_span(T largest, T force) const {
        const T bounded =
            min(min(printed_span(largest, force), largest), T(2.5) * loading_work(largest) / force);
        return select(largest < overlap_yield, largest, bounded);
    }

    /// The recovered span as printed, as in ma_liu.hpp; at or above delta_y.
    T printed_span(T largest, T force) const {
        const T root = cbrt(force / plastic_unloading_stiffness);
        return select(largest < overlap_plastic,
                      largest * (force / (stiffness * power_3_2(largest))), root * root);
    }

    /// W_L [J] at or above delta_y.
    T loading_work(T x) const {
        const T y = max(min(x, overlap_plastic), overlap_yield);
        const T beyond = max(x - overlap_plastic, T(0.0));
        return work_offset +
               y * (y * (T(0.5) * c1 - T(0.25) * c2 + T(0.5) * c2 * log(y / overlap_yield)) + c3) +
               beyond * (force_plastic + T(0.5) * k1 * beyond);
    }
};

template <class T>
using GuardedMaLiu = Elastoplastic<GuardedMaLiuCurve, T>;

/// psi and xi as in MaLiuConstants.
inline GuardedMaLiu<double> make_guarded_ma_liu(const Contact& contact, double psi, double xi) {
    const MaLiu<double> m = make_ma_liu(contact, psi, xi);
    const double y = m.overlap_yield;
    return {{.stiffness = m.stiffness,
             .overlap_yield = y,
             .overlap_plastic = m.overlap_plastic,
             .c1 = m.c1,
             .c2 = m.c2,
             .c3 = m.c3,
             .k1 = m.k1,
             .force_plastic = m.force_plastic,
             .plastic_unloading_stiffness = m.plastic_unloading_stiffness,
             .work_offset = 0.4 * m.stiffness * y * power_3_2(y) -
                            y * (y * (0.5 * m.c1 - 0.25 * m.c2) + m.c3)}};
}

}  // namespace beadwave::laws
