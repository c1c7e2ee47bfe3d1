// How a chain is cut into tiles.
#pragma once

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

/// Tiles of whole blocks. The last one ends with the right wall, behind the last bead.
struct TileLayout {
    std::vector<std::size_t> borders;  ///< tile t owns beads [borders[t], borders[t + 1])
    std::int64_t steps;                ///< most steps a visit
    std::size_t halo;  ///< beads that a tile borrows on a side, more than `steps`; 0: one tile

    std::size_t tiles() const { return borders.size() - 1; }
    std::size_t end() const { return borders.back(); }
};

TileLayout lay_tiles(std::size_t beads, const TileShape& shape);

}  // namespace beadwave::dynamics
