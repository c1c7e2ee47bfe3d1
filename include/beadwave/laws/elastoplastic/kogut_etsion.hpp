// Kogut-Etsion: a finite-element fit for one elastic, perfectly plastic sphere [WangReview2022
// Table 3].
//
// With w = delta / delta_y and F_c the Hertz force at delta_y:
//
//     F = F_c w^(3/2)          w < 1
//     F = F_c a w^1.425        1 <= w < 6
//     F = F_c b w^1.263        6 <= w <= 110
//     F = its tangent          110 < w: outside the law, this program's continuation
//
// Printed: a = 1.03, b = 1.40; the force steps up by 3.0 % at w = 1 and 1.7 % at w = 6. Continuous:
// a = 1, b = 6^0.162, up to 4.5 % below the printed force. The slope steps down at both either way.
//
// Unloading: exponent n = (3/2) w_max^(-0.0331). The text omits delta_y, the hardness H and the
// residual overlap. Here they are from the authors' own papers:
//
//     delta_y = (pi K_k H / (2 E))^2 R,   K_k = 0.454 + 0.41 nu,   H = 2.8 sigma_y
//     delta_r = delta_max (1 - w_max^(-0.28)) (1 - w_max^(-0.69))
//
// Continuous: D >= 0 everywhere. Printed: D is below 0 after the first step and falls at the
// second; there delta_e is bounded (elastoplastic.hpp), up to where the catalogue says.
#pragma once

#include "beadwave/laws/elastoplastic.hpp"
#include "beadwave/laws/elastoplastic/hertz_yield.hpp"

#include <cmath>

namespace beadwave::laws {

template <class T>
struct KogutEtsionCurve {
    using Unloading = TurnPowerUnloading;
    static constexpr double second = 6.0, last = 110.0;         ///< w where the fits change and end
    static constexpr double power_second = 9.6118067215481651;  ///< 6^1.263

    T stiffness;          ///< K [N/m^1.5]
    T overlap_yield;      ///< delta_y [m]
    T force_first;        ///< a F_c [N]
    T force_second;       ///< b F_c [N]
    T work_second;        ///< W_L at w = 6 [J]
    T dissipated_second;  ///< D just below w = 6 [J]

    static constexpr auto fields() {
        return std::make_tuple(&KogutEtsionCurve::stiffness, &KogutEtsionCurve::overlap_yield,
                               &KogutEtsionCurve::force_first, &KogutEtsionCurve::force_second,
                               &KogutEtsionCurve::work_second,
                               &KogutEtsionCurve::dissipated_second);
    }

    T loading_force(T x) const {
        const T w = x / overlap_yield;
        const auto is_first = w < T(second);
        const T fit = select(is_first, force_first, force_second) *
                      pow(min(max(w, T(1.0)), T(last)), select(is_first, T(1.425), T(1.263)));
        const T tangent = fit * (T(1.0) + T(1.263 / last) * (w - T(last)));
        return select(w < T(1.0), stiffness * power_3_2(x), select(w > T(last), tangent, fit));
    }

    T unloading_exponent(T largest) const {
        return T(1.5) * pow(max(largest / overlap_yield, T(1.0)), T(-0.0331));
    }

    T recovered_span(T largest, T force) const {
        return recovered_span(largest, force, unloading_exponent(largest));
    }

    /// The recovered span for this exponent of the unloading.
    T recovered_span(T largest, T force, T exponent) const {
        const T w = max(largest / overlap_yield, T(1.0));
        const T fit = printed_span(largest, force);
        const T recoverable =
            loading_work(largest, force) - select(w < T(second), T(0.0), dissipated_second);
        const T bound = (exponent + T(1.0)) * recoverable / force;
        return select(w > T(1.0), select(w < T(10.0), min(fit, min(bound, largest)), fit), largest);
    }

    /// The recovered span without the bound.
    T printed_span(T largest, T /*force*/) const {
        const T w = max(largest / overlap_yield, T(1.0));
        const auto [a, b] = parameter_powers(w, T(-0.28), T(-0.69));
        return largest * (T(1.0) - (T(1.0) - a) * (T(1.0) - b));
    }

    /// W_L [J] for 1 <= w <= 110, where the loading force is `force`.
    T loading_work(T x, T force) const {
        const T one = overlap_yield;
        const T six = T(second) * overlap_yield;
        const T work_one = T(0.4) * stiffness * one * power_3_2(one);
        const T first = work_one + (force * x - force_first * one) * T(1.0 / 2.425);
        const T force_six = force_second * T(power_second);
        return select(x < six, first, work_second + (force * x - force_six * six) * T(1.0 / 2.263));
    }
};

template <class T>
using KogutEtsion = Elastoplastic<KogutEtsionCurve, T>;

/// hardness: H / sigma_y [-]; poisson_ratio [-] of the yielding body; printed: with its two steps.
inline KogutEtsion<double> make_kogut_etsion(const Contact& contact, double hardness,
                                             double poisson_ratio, bool printed) {
    const HertzYield yield(contact,
                           (0.454 + 0.41 * poisson_ratio) * hardness * contact.yield_stress);
    KogutEtsion<double> law{{.stiffness = contact.stiffness,
                             .overlap_yield = yield.overlap,
                             .force_first = yield.force * (printed ? 1.03 : 1.0),
                             .force_second = yield.force * (printed ? 1.40 : std::pow(6.0, 0.162)),
                             .work_second = 0.0,
                             .dissipated_second = 0.0}};
    // The work at the first fit's end, by its own formula: just below 6 delta_y, w may round to 6.
    const double y = yield.overlap, six = law.second * y;
    const double force = law.force_first * std::pow(law.second, 1.425);
    law.work_second = 0.4 * yield.force * y + (force * six - law.force_first * y) * (1.0 / 2.425);
    law.dissipated_second = law.work_second - force * law.printed_span(six, force) /
                                                  (law.unloading_exponent(six) + 1.0);
    return law;
}

}  // namespace beadwave::laws
