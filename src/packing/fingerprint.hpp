// A number that two packings share only if they are the same to the bit.
#pragma once

#include "packing/packing.hpp"

#include <cstdint>

namespace beadwave::packing {

/// Of particles, walls, box, gravity and laws; not of how walls are driven.
std::uint64_t fingerprint(const Packing& packing);

}  // namespace beadwave::packing
