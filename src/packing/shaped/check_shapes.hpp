// What the engine of ellipsoids and clumps takes of a packing.
#pragma once

#include "packing/packing.hpp"

#include <string>

namespace beadwave::packing {

/// Returns what is wrong with the shapes of a packing, or with what it wants beside them, or an
/// empty text. Its arrays without shapes are checked.
std::string validate_shapes(const Packing& packing);

}  // namespace beadwave::packing
