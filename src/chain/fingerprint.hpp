// A number that two chains share only if they are the same to the bit.
#pragma once

#include "beadwave/chain/chain.hpp"

#include <cstdint>

namespace beadwave::chain {

/// Of beads, gaps, laws and loads; not of how the ends are driven.
std::uint64_t fingerprint(const Chain& chain);

}  // namespace beadwave::chain
