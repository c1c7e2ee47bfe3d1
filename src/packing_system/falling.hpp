// Particles that gravity pulls to where nothing is.
#pragma once

#include "packing/packing.hpp"

#include <optional>
#include <string>

namespace beadwave::running {

/// A warning if two or more particles have no floor: no wall and no held particle is where gravity
/// pulls them, and until `end` [s] they fall by more than a diameter. Only planes count as what is
/// certainly not a floor; with other walls, exits or elements, and in a box that repeats along
/// gravity, there is no warning.
std::optional<std::string> nothing_below(const packing::Packing& packing, double end);

}  // namespace beadwave::running
