// Where particles can come into a packing, and leave it.
#pragma once

#include "packing/packing.hpp"

#include <string>

namespace beadwave::packing {

/// An error message that begins with "pour N: " or "exit N: ", or an empty text: regions that hold
/// the particles, times that suffice for the rate, planes that do not cross a periodic axis, no
/// pour that an exit would empty again, no drives and no cement of poured particles.
std::string validate_flow(const Packing& packing);

}  // namespace beadwave::packing
