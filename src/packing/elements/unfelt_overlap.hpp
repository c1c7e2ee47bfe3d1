// Bodies whose whole motion is given (fixed and driven particles, walls) exert no forces on each
// other. A scenario that pushes two of them into each other gets a warning.
#pragma once

#include "packing/packing.hpp"

#include <optional>
#include <string>

namespace beadwave::packing {

/// A warning if, between the start and `end` [s], a held particle gets deeper into another one or
/// into a wall without a load than at the start; the deepest such pair, at some hundreds of times.
/// None in a box that strains.
std::optional<std::string> unfelt_overlap(const Packing& packing, double end);

}  // namespace beadwave::packing
