// The elastoplastic family in groups, in the order in which they are shown.
#pragma once

#include "beadwave/laws/catalogue.hpp"

#include <vector>

namespace beadwave::laws {

std::vector<Entry> sphere_plasticity_entries();  ///< mechanics of a yielding sphere
std::vector<Entry> sphere_fit_entries();         ///< fits to finite elements
std::vector<Entry> phenomenological_entries();   ///< shapes with constants to be measured

/// p_y / sigma_y.
Parameter yield_factor_parameter(double standard);

}  // namespace beadwave::laws
