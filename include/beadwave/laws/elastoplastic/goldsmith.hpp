// Goldsmith: power-law loading and unloading with a permanent overlap [CorralReview Eq. (5.7)].
//
//     loading      F = K delta^n
//     unloading    F = F_max ((delta - delta_r) / (delta_max - delta_r))^n
//
// For delta_r the text refers to another source. Here the restitution e is the parameter, the same
// at every speed: the two works are K delta_max^(n+1)/(n+1) and F_max (delta_max - delta_r)/(n+1),
// so that
//
//     delta_r = (1 - e^2) delta_max
#pragma once

#include "beadwave/laws/elastoplastic.hpp"

namespace beadwave::laws {

template <class T>
struct GoldsmithCurve {
    using Unloading = PowerUnloading;

    T stiffness;  ///< K [N/m^n]
    T exponent;   ///< n [-]
    T recovered;  ///< e^2 [-]

    static constexpr auto fields() {
        return std::make_tuple(&GoldsmithCurve::stiffness, &GoldsmithCurve::exponent,
                               &GoldsmithCurve::recovered);
    }

    T loading_force(T x) const { return stiffness * parameter_power(x, exponent); }
    T recovered_span(T largest, T /*force*/) const { return recovered * largest; }
};

template <class T>
using Goldsmith = Elastoplastic<GoldsmithCurve, T>;

}  // namespace beadwave::laws
