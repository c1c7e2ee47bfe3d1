// Burgoyne-Daraio: strain-rate-free form [WangReview2022 Table 3].
//
//     F = K delta^(3/2)                                        delta <  delta_y
//     F = delta (F_y / delta_y + beta ln(delta / delta_y))     delta_y <= delta < delta_p
//     F = pi p_0 (2 R delta + c_2)                             delta_p <= delta
//
// with p_y = 1.6 sigma_y, p_0 = c_1 sigma_y and beta = (F_p/delta_p - F_y/delta_y) /
// ln(delta_p/delta_y): the printed alpha + beta ln(delta) in a form free of units. The paper fits
// c_2 and delta_p to experiments that the text does not print. Unless they are given, they make the
// slope continuous too:
//
//     beta = F_y / (2 delta_y),   delta_p = delta_y exp(6 p_0/p_y - 3),
//     c_2 = -(R p_y / (3 p_0)) delta_p
//
// Unloading: Hertzian with Thornton's radius (the table lost its exponent 3/2)
//
//     R_u = 4 E / (3 F_max) a^3,   a^2 = (2 F_max + F_y) / (2 pi p_y)
//
// so that delta_e = 3 F_max / (4 E a). With the smooth constants D >= 0 everywhere. The strain-rate
// factor is not in the text.
#pragma once

#include "beadwave/laws/elastoplastic.hpp"
#include "beadwave/laws/elastoplastic/hertz_yield.hpp"

#include <cmath>

namespace beadwave::laws {

template <class T>
struct BurgoyneDaraioCurve {
    using Unloading = HertzUnloading;

    T stiffness;          ///< K [N/m^1.5]
    T overlap_yield;      ///< delta_y [m]
    T overlap_plastic;    ///< delta_p [m]
    T force_yield;        ///< F_y [N]
    T log_slope;          ///< beta [N/m]
    T force_plastic;      ///< F_p [N]
    T plastic_slope;      ///< 2 pi R p_0 [N/m]
    T pressure_per_area;  ///< 1 / (2 pi p_y) [1/Pa]
    T compliance;         ///< 3 / (4 E) [1/Pa]

    static constexpr auto fields() {
        using C = BurgoyneDaraioCurve;
        return std::make_tuple(&C::stiffness, &C::overlap_yield, &C::overlap_plastic,
                               &C::force_yield, &C::log_slope, &C::force_plastic, &C::plastic_slope,
                               &C::pressure_per_area, &C::compliance);
    }

    T loading_force(T x) const {
        const T in_log = max(x, overlap_yield) / overlap_yield;
        const T transition = x * (force_yield / overlap_yield + log_slope * log(in_log));
        const T plastic = force_plastic + plastic_slope * (x - overlap_plastic);
        return select(x < overlap_yield, stiffness * power_3_2(x),
                      select(x < overlap_plastic, transition, plastic));
    }

    T recovered_span(T largest, T force) const {
        const T contact_radius = sqrt((T(2.0) * force + force_yield) * pressure_per_area);
        return select(largest < overlap_yield, largest,
                      min(compliance * force / contact_radius, largest));
    }
};

template <class T>
using BurgoyneDaraio = Elastoplastic<BurgoyneDaraioCurve, T>;

/// The two constants that the paper fits; c_2 [m^2] and delta_p [m].
struct BurgoyneDaraioFit {
    double area;
    double overlap_plastic;
};

/// c_1: p_0 / sigma_y [-].
inline BurgoyneDaraioFit smooth_burgoyne_daraio_fit(const Contact& contact, double c_1) {
    constexpr double k_y = 1.6;
    const HertzYield yield(contact, k_y * contact.yield_stress);
    const double overlap_plastic = yield.overlap * std::exp(6.0 * c_1 / k_y - 3.0);
    return {.area = -contact.radius * k_y / (3.0 * c_1) * overlap_plastic,
            .overlap_plastic = overlap_plastic};
}

/// Throws nothing: the caller must refuse a fit with delta_p <= delta_y or F_p <= F_y.
inline BurgoyneDaraio<double> make_burgoyne_daraio(const Contact& contact, double c_1,
                                                   const BurgoyneDaraioFit& fit) {
    using std::numbers::pi;
    const double p_y = 1.6 * contact.yield_stress;
    const double p_0 = c_1 * contact.yield_stress;
    const HertzYield yield(contact, p_y);
    const double force_plastic = pi * p_0 * (2.0 * contact.radius * fit.overlap_plastic + fit.area);
    return {{.stiffness = contact.stiffness,
             .overlap_yield = yield.overlap,
             .overlap_plastic = fit.overlap_plastic,
             .force_yield = yield.force,
             .log_slope = (force_plastic / fit.overlap_plastic - yield.force / yield.overlap) /
                          std::log(fit.overlap_plastic / yield.overlap),
             .force_plastic = force_plastic,
             .plastic_slope = 2.0 * pi * contact.radius * p_0,
             .pressure_per_area = 1.0 / (2.0 * pi * p_y),
             .compliance = 3.0 / (4.0 * contact.modulus)}};
}

}  // namespace beadwave::laws
