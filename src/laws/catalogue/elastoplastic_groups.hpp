// The elastoplastic family in groups, in the order in which they are shown.
#pragma once

#include "beadwave/laws/catalogue.hpp"

#include <vector>

namespace beadwave::laws {

std::vector<Entry> sphere_plasticity_entries();  ///< mechanics of a yielding sphere
std::vector<Entry> sphere_fit_entries();         ///< fits to finite elements
std::vector<Entry> phenomenological_entries();   ///< shapes with constants to be measured

/// The contact for which the catalogue computes its numbers on energy: two steel beads of 2.38 mm
/// with a yield stress of 900 MPa.
inline Contact reference_pair() {
    const Elasticity steel{.youngs_modulus = 193e9, .poisson_ratio = 0.3, .yield_stress = 900e6};
    return sphere_contact(2.38e-3, 0.45e-3, steel, 2.38e-3, 0.45e-3, steel);
}

/// p_y / sigma_y.
Parameter yield_factor_parameter(double standard);

}  // namespace beadwave::laws
