// The longest chain that is one tile.
#pragma once

#include <cstddef>

namespace beadwave::dynamics {

/// Up to this number of beads, one tile without a halo and with long time blocks is fastest. Only
/// such chains step together in lanes: their states stay in the caches.
inline constexpr std::size_t most_beads_of_one_tile = 512;

}  // namespace beadwave::dynamics
