// The constants of the Ma-Liu loading curve [WangLiu2022 Eqs (1), (2)]; wang-liu is built on them
// too.
#pragma once

#include "beadwave/laws/contact.hpp"

namespace beadwave::laws {

/// Three phases: Hertz below delta_y, then delta (c1 + c2 ln(delta/delta_y)) + c3, then a straight
/// line of slope k1 from delta_p. Force and slope are continuous at both ends of the middle phase.
struct MaLiuConstants {
    double overlap_yield;    ///< delta_y = pi^2 R p_y^2 / (4 E^2), p_y = 1.61 sigma_y [m]
    double overlap_plastic;  ///< delta_p = xi^2 delta_y / 2 [m]
    double c1, c2;           ///< [N/m]
    double c3;               ///< [N]
    double k1;               ///< 2 pi R psi sigma_y [N/m]
    double force_yield;      ///< F_y = pi^3 R^2 p_y^3 / (6 E^2) [N]
    double force_plastic;    ///< F_p [N]

    /// psi: Brinell hardness over yield stress [-]; xi: onset of full plasticity, above sqrt(2)
    /// [-].
    MaLiuConstants(const Contact& contact, double psi, double xi);
};

}  // namespace beadwave::laws
