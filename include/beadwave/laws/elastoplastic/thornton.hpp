// Thornton: the contact pressure is cut off at p_y [WangReview2022 Table 3; CorralReview Eqs
// (5.67)-(5.71)].
//
// Loading: Hertz, then the line F_y + pi R p_y (delta - delta_y). Unloading is Hertzian with the
// radius
//
//     R_u = 4 E / (3 F_max) ((2 F_max + F_y) / (2 pi p_y))^(3/2)
//
// On this loading curve (2 F + F_y) / (2 pi p_y) = R delta exactly, so that R / R_u = F_max / F_H
// with F_H the Hertz force at delta_max, and the recovered span is
//
//     delta_e = delta_max F_max / F_H(delta_max)
//
// The papers call p_y the yield stress; their own Eq. (5.70) makes it the largest pressure at
// yield, p_y = k_y sigma_y with k_y = 1.61. D >= 0 everywhere.
#pragma once

#include "beadwave/laws/elastoplastic.hpp"
#include "beadwave/laws/elastoplastic/hertz_then_line.hpp"

namespace beadwave::laws {

template <class T>
struct ThorntonCurve : HertzThenLine<T> {
    using Unloading = HertzUnloading;

    T recovered_span(T largest, T force) const {
        const T hertz = this->stiffness * power_3_2(largest);
        return select(largest < this->overlap_yield, largest, largest * (force / hertz));
    }
};

template <class T>
using Thornton = Elastoplastic<ThorntonCurve, T>;

/// yield_factor: k_y = p_y / sigma_y [-].
inline Thornton<double> make_thornton(const Contact& contact, double yield_factor) {
    return {{hertz_then_line(contact, yield_factor * contact.yield_stress)}};
}

}  // namespace beadwave::laws
