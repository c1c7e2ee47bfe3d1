// Stronge: elastic, elastoplastic and fully plastic indentation [WangReview2022 Table 3].
//
// With z = 2 delta / delta_y - 1 and theta the mean pressure at yield over the yield stress:
//
//     F = K delta^(3/2)                    delta <  delta_y = (3 pi theta sigma_y / (4 E))^2 R
//     F = F_y z (1 + ln z / (3 theta))     delta_y <= delta < delta_p
//     F = (2.8 / theta) F_y z              delta_p <= delta
//
// delta_p is not printed; continuity of the force makes it
//
//     delta_p = (delta_y / 2) (1 + exp(3 (2.8 - theta)))
//
// The slope jumps there (to 0.89 of its value for theta = 1.1) and at delta_y (to 1.74): the
// contact area grows as z, twice as fast as Hertz's.
//
// Unloading: Hertzian with radius R sqrt(z). The table calls the recovered part permanent;
// continuity at the turn gives delta_e = delta_y sqrt(z) (F_max / (F_y z))^(2/3).
//
// As printed, loading lies above Hertz up to 15 delta_y, and turns up to about 3 delta_y would
// create energy (theta = 1.1; the catalogue says how far and how much). There delta_e is bounded:
// see elastoplastic.hpp; D* = 0.
#pragma once

#include "beadwave/laws/elastoplastic.hpp"
#include "beadwave/laws/elastoplastic/hertz_yield.hpp"

namespace beadwave::laws {

template <class T>
struct StrongeCurve {
    using Unloading = HertzUnloading;

    T stiffness;        ///< K [N/m^1.5]
    T overlap_yield;    ///< delta_y [m]
    T overlap_plastic;  ///< delta_p [m]
    T force_yield;      ///< F_y [N]
    T log_factor;       ///< 1 / (3 theta) [-]
    T work_yield;       ///< W_L at delta_y [J]
    T work_plastic;     ///< W_L at delta_p [J]

    static constexpr auto fields() {
        return std::make_tuple(&StrongeCurve::stiffness, &StrongeCurve::overlap_yield,
                               &StrongeCurve::overlap_plastic, &StrongeCurve::force_yield,
                               &StrongeCurve::log_factor, &StrongeCurve::work_yield,
                               &StrongeCurve::work_plastic);
    }

    T loading_force(T x) const {
        return select(x < overlap_yield, stiffness * power_3_2(x),
                      force_yield * z(x) * (T(1.0) + log_factor * log(z(min(x, overlap_plastic)))));
    }

    T recovered_span(T largest, T force) const {
        const T bounded =
            min(min(printed_span(largest, force), largest), T(2.5) * loading_work(largest) / force);
        return select(largest < overlap_yield, largest, bounded);
    }

    /// The recovered span as printed, without the bound; at or above delta_y.
    T printed_span(T largest, T force) const {
        const T root = cbrt(force / (force_yield * z(largest)));
        return overlap_yield * sqrt(z(largest)) * root * root;
    }

    /// W_L [J] at or above delta_y.
    T loading_work(T x) const {
        const T y = z(min(x, overlap_plastic));
        const T square = y * y;
        const T elastoplastic =
            work_yield + T(0.5) * force_yield * overlap_yield *
                             (T(0.5) * (square - T(1.0)) +
                              log_factor * (T(0.5) * square * log(y) - T(0.25) * square + T(0.25)));
        const T plastic = work_plastic + T(0.5) *
                                             (loading_force(x) + loading_force(overlap_plastic)) *
                                             (x - overlap_plastic);
        return select(x < overlap_plastic, elastoplastic, plastic);
    }

  private:
    T z(T x) const { return max(T(2.0) * x / overlap_yield - T(1.0), T(1.0)); }
};

template <class T>
using Stronge = Elastoplastic<StrongeCurve, T>;

/// theta: mean contact pressure at first yield over the yield stress [-], about 1.1.
inline Stronge<double> make_stronge(const Contact& contact, double theta) {
    const HertzYield yield(contact, 1.5 * theta * contact.yield_stress);
    Stronge<double> law{
        {.stiffness = contact.stiffness,
         .overlap_yield = yield.overlap,
         .overlap_plastic = 0.5 * yield.overlap * (1.0 + std::exp(3.0 * (2.8 - theta))),
         .force_yield = yield.force,
         .log_factor = 1.0 / (3.0 * theta),
         .work_yield = 0.4 * yield.force * yield.overlap,
         .work_plastic = 0.0}};
    const double just_below = std::nextafter(law.overlap_plastic, 0.0);
    law.work_plastic = law.loading_work(just_below);
    return law;
}

}  // namespace beadwave::laws
