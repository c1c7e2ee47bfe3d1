// Brake: Hertz, a cubic transition, then Meyer's hardness [WangReview2022 Table 3].
//
//     F = K delta^(3/2)                                    delta <  delta_y
//     F = cubic from (F_y, F_y') to (F_p, F_p')            delta_y <= delta < delta_p
//     F = F_p + 2 pi R p_0 (delta - delta_p)               delta_p <= delta
//
// with hardness p_0, F_p = pi p_0 a_p^2, F_p' = 2 pi R p_0 and a_p = 3 pi R p_0 / (4 E), where
// Hertz's mean pressure is p_0. The cubic is fixed by force and slope at both ends; the table's
// misprints (F_p without the square, "F'" for F_y', a 4 for a 2 in the plastic branch) are read so
// that they are continuous. Not in the text: delta_y, here with the largest Hertz pressure k_y
// sigma_y, and delta_p = f a_p^2 / R, here with f = 1 unless given.
//
// Unloading: Hertzian with radius R + delta_max / 2; the printed exponent 3/2 of the recovered span
// is 2/3 by its units: delta_e = (F_max / (K sqrt(1 + delta_max / (2 R))))^(2/3).
//
// With f = 1 the loading curve touches Hertz's at delta_p and lies above it up to 2.6 delta_p: D
// falls from its maximum in the cubic phase and below 0. There delta_e is bounded
// (elastoplastic.hpp) so that no more is dissipated than at that maximum; the catalogue says where.
#pragma once

#include "beadwave/laws/contact.hpp"
#include "beadwave/laws/elastoplastic.hpp"

namespace beadwave::laws {

template <class T>
struct BrakeCurve {
    using Unloading = HertzUnloading;

    T stiffness;          ///< K [N/m^1.5]
    T diameter;           ///< 2 R [m]
    T overlap_yield;      ///< delta_y [m]
    T overlap_plastic;    ///< delta_p [m]
    T force_yield;        ///< F_y [N]
    T force_plastic;      ///< F_p [N]
    T plastic_slope;      ///< F_p' [N/m]
    T c1, c2, c3;         ///< of the cubic in t = (delta - delta_y) / (delta_p - delta_y) [N]
    T bound_from;         ///< delta_max from which delta_e is bounded [m]
    T bound_dissipation;  ///< D* [J]

    static constexpr auto fields() {
        using C = BrakeCurve;
        return std::make_tuple(&C::stiffness, &C::diameter, &C::overlap_yield, &C::overlap_plastic,
                               &C::force_yield, &C::force_plastic, &C::plastic_slope, &C::c1,
                               &C::c2, &C::c3, &C::bound_from, &C::bound_dissipation);
    }

    T loading_force(T x) const {
        const T t = (x - overlap_yield) / (overlap_plastic - overlap_yield);
        const T cubic = force_yield + t * (c1 + t * (c2 + t * c3));
        const T plastic = force_plastic + plastic_slope * (x - overlap_plastic);
        return select(x < overlap_yield, stiffness * power_3_2(x),
                      select(x < overlap_plastic, cubic, plastic));
    }

    T recovered_span(T largest, T force) const {
        const T bound = T(2.5) * (loading_work(largest) - bound_dissipation) / force;
        const T printed = printed_span(largest, force);
        return select(largest < overlap_yield, largest,
                      select(largest < bound_from, printed, min(printed, bound)));
    }

    /// The recovered span as printed, without the bound; below delta_max.
    T printed_span(T largest, T force) const {
        const T root = cbrt(force / (stiffness * sqrt(T(1.0) + largest / diameter)));
        return min(root * root, largest);
    }

    /// W_L [J] at or above delta_y.
    T loading_work(T x) const {
        const T length = overlap_plastic - overlap_yield;
        const T t = (min(x, overlap_plastic) - overlap_yield) / length;
        const T cubic =
            t * (force_yield + t * (T(0.5) * c1 + t * (T(1.0 / 3.0) * c2 + t * (T(0.25) * c3))));
        const T beyond = max(x - overlap_plastic, T(0.0));
        return T(0.4) * force_yield * overlap_yield + length * cubic +
               beyond * (force_plastic + T(0.5) * plastic_slope * beyond);
    }
};

template <class T>
using Brake = Elastoplastic<BrakeCurve, T>;

/// hardness: p_0 / sigma_y [-]; yield_factor: k_y [-]; plastic_onset: f, from 1 to 2 [-].
Brake<double> make_brake(const Contact& contact, double hardness, double yield_factor,
                         double plastic_onset);

}  // namespace beadwave::laws
