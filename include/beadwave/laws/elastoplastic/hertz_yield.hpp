// Where a Hertz contact first yields.
//
//     delta_y = (pi p_y / (2 E))^2 R,   F_y = K delta_y^(3/2) = pi^3 R^2 p_y^3 / (6 E^2)
//
// p_y is the largest contact pressure at first yield. Its relation to the yield stress is the
// law's.
#pragma once

#include "beadwave/laws/contact.hpp"

#include <cmath>
#include <numbers>

namespace beadwave::laws {

struct HertzYield {
    double overlap;  ///< delta_y [m]
    double force;    ///< F_y [N]

    /// `pressure`: p_y [Pa].
    HertzYield(const Contact& contact, double pressure) {
        const double strain = std::numbers::pi * pressure / (2.0 * contact.modulus);
        overlap = strain * strain * contact.radius;
        force = contact.stiffness * overlap * std::sqrt(overlap);
    }
};

}  // namespace beadwave::laws
