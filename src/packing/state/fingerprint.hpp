// A hash that two packings share only if they are bitwise identical.
#pragma once

#include "packing/packing.hpp"

#include <cstdint>

namespace beadwave::packing {

/// Covers particles, walls, box, gravity and laws, but not the driven motion of walls.
std::uint64_t fingerprint(const Packing& packing);

}  // namespace beadwave::packing
