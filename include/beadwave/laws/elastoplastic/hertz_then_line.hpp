// The loading curve of thornton, du-wang and yigit: Hertz up to first yield, then its tangent.
//
//     F = K delta^(3/2)                              delta <  delta_y
//     F = F_y + pi R p_y (delta - delta_y)           delta >= delta_y
//
// Force and slope are continuous at delta_y, where the Hertz slope is (3/2) K sqrt(delta_y) = pi R
// p_y. The laws differ in p_y and in how they unload.
#pragma once

#include "beadwave/laws/elastoplastic/hertz_yield.hpp"
#include "beadwave/laws/number.hpp"
#include "beadwave/laws/response.hpp"

#include <numbers>

namespace beadwave::laws {

template <class T>
struct HertzThenLine {
    T stiffness;      ///< K [N/m^1.5]
    T overlap_yield;  ///< delta_y [m]
    T force_yield;    ///< F_y [N]
    T plastic_slope;  ///< pi R p_y [N/m]

    static constexpr auto fields() {
        return std::make_tuple(&HertzThenLine::stiffness, &HertzThenLine::overlap_yield,
                               &HertzThenLine::force_yield, &HertzThenLine::plastic_slope);
    }

    T loading_force(T x) const {
        return select(x < overlap_yield, stiffness * power_3_2(x),
                      force_yield + plastic_slope * (x - overlap_yield));
    }
};

/// `pressure`: p_y [Pa].
inline HertzThenLine<double> hertz_then_line(const Contact& contact, double pressure) {
    const HertzYield yield(contact, pressure);
    return {.stiffness = contact.stiffness,
            .overlap_yield = yield.overlap,
            .force_yield = yield.force,
            .plastic_slope = std::numbers::pi * contact.radius * pressure};
}

}  // namespace beadwave::laws
