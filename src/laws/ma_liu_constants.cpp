#include "beadwave/laws/ma_liu_constants.hpp"

#include <cmath>
#include <numbers>

namespace beadwave::laws {

MaLiuConstants::MaLiuConstants(const Contact& contact, double psi, double xi) {
    using std::numbers::pi;
    const double R = contact.radius;
    const double E = contact.modulus;
    const double sigma_y = contact.yield_stress;
    const double p_y = 1.61 * sigma_y;
    const double span = std::log(xi * xi / 2.0);  // ln(delta_p / delta_y)

    overlap_yield = pi * pi * R * p_y * p_y / (4.0 * E * E);
    overlap_plastic = xi * xi * overlap_yield / 2.0;
    c1 = (p_y * (1.0 + span) - 2.0 * psi * sigma_y) / span * pi * R;
    c2 = (2.0 * psi * sigma_y - p_y) / span * pi * R;
    force_yield = pi * pi * pi * R * R * p_y * p_y * p_y / (6.0 * E * E);
    c3 = force_yield - c1 * overlap_yield;
    k1 = 2.0 * pi * R * psi * sigma_y;
    force_plastic = overlap_plastic * (c1 + c2 * span) + c3;
}

}  // namespace beadwave::laws
