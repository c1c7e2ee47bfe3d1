// How a chain is cut into tiles.
#pragma once

#include "beadwave/chain/chain.hpp"
#include "dynamics/tiled_engine.hpp"
#include "tiled_kernel.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace beadwave::dynamics {

constexpr std::size_t whole_blocks(std::size_t count) {
    return (count + block_beads - 1) / block_beads * block_beads;
}

/// Beads that something may pass in so many steps, and one more: in whole blocks.
constexpr std::size_t reach(std::int64_t steps) {
    return whole_blocks(static_cast<std::size_t>(steps) + 1);
}

/// Tiles of whole blocks. The last one of the whole chain ends with the right wall, behind the last
/// bead. Beads are counted by their places here; those before the first tile and behind the last
/// are other ranks'.
struct TileLayout {
    std::vector<std::size_t> borders;  ///< tile t owns beads [borders[t], borders[t + 1])
    std::int64_t steps;                ///< most steps a visit
    std::size_t halo;  ///< beads that a tile borrows on a side, more than `steps`; 0: one tile
    std::size_t end;   ///< of all that is here
    std::size_t first_tile, all_tiles;  ///< number of the first one here, and of the whole chain
    bool cut_left, cut_right;           ///< whether the chain goes on beyond what is here

    std::size_t tiles() const { return borders.size() - 1; }
    // Whether the neighbouring tile is another rank's.
    bool left_is_others() const { return first_tile > 0; }
    bool right_is_others() const { return first_tile + tiles() < all_tiles; }
};

TileLayout lay_tiles(const chain::Chain& chain, const TileShape& shape);

}  // namespace beadwave::dynamics
