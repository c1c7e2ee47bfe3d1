// Jackson-Green: a finite-element fit with hardness [WangReview2022 Table 3].
//
// With w = delta / delta_c, C = 1.295 exp(0.736 nu) and F_c the Hertz force at delta_c:
//
//     F = F_c w^(3/2)                                                            w <  1.9
//     F = (F_c / g) (exp(-w^(5/12)/4) w^(3/2)
//                    + (4 H / (C sigma_y)) (1 - exp(-w^(5/9)/25)) w)             w >= 1.9
//
// Printed: g = 1; the force steps up by about 0.5 % at w = 1.9. Continuous: g removes the step. The
// hardness H is 2.84 sigma_y, or falls with the contact radius a:
//
//     H = 2.84 sigma_y (1 - exp(-0.82 (a/R)^(-0.7))),  a = sqrt(R delta (w/1.9)^B),
//     B = 0.14 exp(23 sigma_y/E)
//
// Unloading is Hertzian. "text": with radius R cos(a/R), as printed. "fit2005": with the residual
// overlap delta_r = 1.02 delta_max (1 - ((w_max + 5.9)/6.9)^(-0.54)), which is what finite elements
// leave; the two differ much (restitution 0.73 and 0.43 at 100 delta_c).
//
// delta_c = (pi C sigma_y / (2 E))^2 R, F_c, H, a and fit2005 are not in the text but in the
// authors' own papers. Valid for a/R below about 0.4. Far outside, a/R is held at 1.2 in the text's
// unloading radius and delta_r of fit2005 at 0.99 delta_max, so that they keep a meaning.
//
// Continuous: D >= 0 everywhere. Printed: the step would create energy just above w = 1.9, up to
// where the catalogue says; there delta_e is bounded (elastoplastic.hpp, D* = 0, W_L from below by
// its parabola at w = 1.9).
#pragma once

#include "beadwave/laws/elastoplastic.hpp"
#include "beadwave/laws/elastoplastic/hertz_yield.hpp"

#include <cmath>

namespace beadwave::laws {

template <class T>
struct JacksonGreenCurve {
    using Unloading = HertzUnloading;
    static constexpr double elastic_limit = 1.9;  ///< w

    T stiffness;        ///< K [N/m^1.5]
    T overlap_yield;    ///< delta_c [m]
    T force_scale;      ///< F_c / g [N]
    T hardness_factor;  ///< 4 H / (C sigma_y), at small contact radii [-]
    T hardness_falls;   ///< 1 if it falls with the contact radius, otherwise 0
    T relative_radius;  ///< sqrt(delta_c / R) [-]
    T radius_exponent;  ///< B [-]
    T residual_by_fit;  ///< 1 for fit2005, 0 for the text
    T force_step;       ///< F at w = 1.9, from above [N]
    T slope_step;       ///< dF/d(delta) there [N/m]

    static constexpr auto fields() {
        using C = JacksonGreenCurve;
        return std::make_tuple(&C::stiffness, &C::overlap_yield, &C::force_scale,
                               &C::hardness_factor, &C::hardness_falls, &C::relative_radius,
                               &C::radius_exponent, &C::residual_by_fit, &C::force_step,
                               &C::slope_step);
    }

    T loading_force(T x) const {
        return select(x < T(elastic_limit) * overlap_yield, stiffness * power_3_2(x),
                      plastic_force(x));
    }

    /// The second branch, at or above w = 1.9.
    T plastic_force(T x) const {
        const T w = max(x / overlap_yield, T(elastic_limit));
        const T hardness =
            hardness_factor *
            (T(1.0) - hardness_falls * exp(T(-0.82) * pow(contact_radius(w), T(-0.7))));
        return force_scale * (exp(T(-0.25) * pow(w, T(5.0 / 12.0))) * power_3_2(w) +
                              hardness * (T(1.0) - exp(T(-0.04) * pow(w, T(5.0 / 9.0)))) * w);
    }

    T recovered_span(T largest, T force) const {
        const T w = max(largest / overlap_yield, T(elastic_limit));
        const T start = T(elastic_limit) * overlap_yield;
        const T over = largest - start;
        const T work = T(0.4) * stiffness * start * power_3_2(start) +
                       over * (force_step + T(0.5) * slope_step * over);
        const T bound = select(w < T(2.5), T(2.5) * work / force, largest);
        return select(largest < start, largest,
                      min(printed_span(largest, force), min(bound, largest)));
    }

    /// The recovered span as printed, without the bound; at or above w = 1.9.
    T printed_span(T largest, T force) const {
        const T w = max(largest / overlap_yield, T(elastic_limit));
        const T flat = cos(min(contact_radius(w), T(1.2)));
        const T root = cbrt(force / (stiffness * sqrt(flat)));
        const T lost = T(1.02) * (T(1.0) - pow((w + T(5.9)) / T(6.9), T(-0.54)));
        return select(residual_by_fit > T(0.5), largest * (T(1.0) - min(lost, T(0.99))),
                      root * root);
    }

  private:
    /// a / R [-].
    T contact_radius(T w) const {
        return relative_radius * sqrt(w * pow(w / T(elastic_limit), radius_exponent));
    }
};

template <class T>
using JacksonGreen = Elastoplastic<JacksonGreenCurve, T>;

struct JacksonGreenOptions {
    double hardness = 2.84;        ///< H / sigma_y [-]
    bool hardness_falls = false;   ///< with the contact radius
    double poisson_ratio = 0.3;    ///< of the yielding body [-]
    bool printed = false;          ///< with its step at w = 1.9
    bool residual_by_fit = false;  ///< fit2005
};

inline JacksonGreen<double> make_jackson_green(const Contact& contact,
                                               const JacksonGreenOptions& options) {
    const double C = 1.295 * std::exp(0.736 * options.poisson_ratio);
    const HertzYield yield(contact, C * contact.yield_stress);
    JacksonGreen<double> law{
        {.stiffness = contact.stiffness,
         .overlap_yield = yield.overlap,
         .force_scale = yield.force,
         .hardness_factor = 4.0 * options.hardness / C,
         .hardness_falls = options.hardness_falls ? 1.0 : 0.0,
         .relative_radius = std::sqrt(yield.overlap / contact.radius),
         .radius_exponent = 0.14 * std::exp(23.0 * contact.yield_stress / contact.modulus),
         .residual_by_fit = options.residual_by_fit ? 1.0 : 0.0,
         .force_step = 0.0,
         .slope_step = 0.0}};
    const double start = law.elastic_limit * yield.overlap;
    const double hertz = contact.stiffness * power_3_2(start);
    if (!options.printed) law.force_scale *= hertz / law.plastic_force(start);
    law.force_step = law.plastic_force(start);
    law.slope_step = (law.plastic_force(start * (1.0 + 1e-6)) - law.force_step) / (start * 1e-6);
    return law;
}

}  // namespace beadwave::laws
