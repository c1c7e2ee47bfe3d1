// The tiled engine: several steps a visit to a piece of the chain that fits the cache, on vectors.
//
// Rounds of T steps. A tile of B beads borrows a halo of more than T beads on either side and
// advances T steps alone; each step one bead a side of the halo turns to rubbish. Tiles run on
// threads without locks, and no cut changes a bit.
#pragma once

#include "beadwave/dynamics/engine.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>

namespace beadwave::dynamics {

/// How the tiled engine cuts a chain; no cut changes a result.
struct TileShape {
    std::size_t beads = 0;   ///< a tile's own; 0: chosen, and a short chain is one tile
    std::int64_t steps = 0;  ///< a visit; 0: chosen. Fewer than a tile has beads
    bool sleep = true;       ///< skip beads that are exactly at rest
    /// Beads slower than this that also hardly accelerate are put to rest [m/s]; 0: never. What
    /// they lose stands in Totals::discarded. Unlike the rest of the shape, this changes results.
    double sleep_speed = 0.0;
};

/// Whether the chain's law runs on vectors; a law that looks up a table does not.
bool runs_on_tiles(const chain::Chain& chain);

/// The tiled engine: several steps a visit to a piece of the chain that fits the cache, on the
/// widest vectors that this processor has. Differs from the plain engine by the rounding of roots
/// and logarithms. A chain that does not run on tiles gets the plain engine.
std::unique_ptr<Engine> make_tiled_engine(const chain::Chain& chain, double time_step, int threads,
                                          TileShape shape = {});

}  // namespace beadwave::dynamics
