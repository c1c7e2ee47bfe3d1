// Du-Wang: yield at the mean pressure of a flat punch [WangReview2022 Table 3].
//
// Loading: Hertz, then its tangent, as Thornton's with p_y = (1 + pi/2) sigma_y. The table prints
// the plastic branch as pi R p_y delta - pi^3 p_y^3 R^2 / (12 E^2): the same line. It prints "<="
// for both branches and no elastic limit; continuity of force and slope puts it at
// delta_y = (pi p_y / (2 E))^2 R.
//
// Unloading: Hertzian with the unchanged radius R, as printed: delta_e = (F_max / K)^(2/3). D >= 0
// everywhere. The original's intermediate phase is not in the text.
#pragma once

#include "beadwave/laws/elastoplastic.hpp"
#include "beadwave/laws/elastoplastic/hertz_then_line.hpp"

namespace beadwave::laws {

template <class T>
struct DuWangCurve : HertzThenLine<T> {
    using Unloading = HertzUnloading;

    T recovered_span(T largest, T force) const {
        const T root = cbrt(force / this->stiffness);
        return select(largest < this->overlap_yield, largest, root * root);
    }
};

template <class T>
using DuWang = Elastoplastic<DuWangCurve, T>;

inline DuWang<double> make_du_wang(const Contact& contact) {
    return {{hertz_then_line(contact, (1.0 + std::numbers::pi / 2.0) * contact.yield_stress)}};
}

}  // namespace beadwave::laws
