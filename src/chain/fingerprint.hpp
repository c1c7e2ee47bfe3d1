// A number that is the same for two chains only if they are equal to the bit.
#pragma once

#include "beadwave/chain/chain.hpp"

#include <cstdint>

namespace beadwave::chain {

/// It covers beads, gaps, laws and loads, but not the motion of driven ends.
std::uint64_t fingerprint(const Chain& chain);

}  // namespace beadwave::chain
