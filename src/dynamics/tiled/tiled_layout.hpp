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

/// Beads over which information can travel in `steps` steps of `neighbours` beads each, and one
/// step more, rounded up to whole blocks.
constexpr std::size_t reach(std::int64_t steps, std::size_t neighbours) {
    return whole_blocks((static_cast<std::size_t>(steps) + 1) * neighbours);
}

/// Tiles of whole blocks. The last tile of the chain ends with the right wall, behind the last
/// bead. Beads are given by their indices on this process; those before the first tile and behind
/// the last tile belong to other ranks.
struct TileLayout {
    std::vector<std::size_t> borders;  ///< tile t owns beads [borders[t], borders[t + 1])
    std::int64_t steps;                ///< largest number of steps per time block
    std::size_t halo;  ///< beads copied on each side of a tile, more than `steps`; 0: one tile
    std::size_t neighbours;  ///< on each side that forces of a bead reach
    std::size_t end;         ///< of all entries on this process
    std::size_t first_tile,
        all_tiles;  ///< number of the first tile here; number of tiles of the whole chain
    bool cut_left, cut_right;  ///< whether the chain continues on another process

    std::size_t tiles() const { return borders.size() - 1; }
    // Whether the neighbouring tile belongs to another rank.
    bool left_is_others() const { return first_tile > 0; }
    bool right_is_others() const { return first_tile + tiles() < all_tiles; }
};

TileLayout build_layout(const chain::Chain& chain, const TileShape& shape);

}  // namespace beadwave::dynamics
