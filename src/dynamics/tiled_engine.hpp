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
    /// Where all beads of a piece of the chain are slower than this and could not become faster,
    /// they are put to rest [m/s]; 0: never. A bead could not if, with its neighbours standing
    /// where they are, its own energy forbids it: because all forces on it balance, to their
    /// rounding, or because nothing but its contacts acts on it and what these store, with its
    /// kinetic energy, is at most its kinetic energy at this speed. So whatever the time step, a
    /// bead at rest that a force pulls is let go. The kinetic energy lost stands in
    /// Totals::discarded; displacements, and what contacts store, stay. Unlike the rest of the
    /// shape, this changes results.
    double sleep_speed = 0.0;
};

/// Which part of a chain of so many beads this rank takes: a run of whole tiles. Throws
/// ArgumentError if there are too few for all ranks.
chain::Share share_of(std::size_t beads, const TileShape& shape, ranks::Ranks& ranks);

/// How many threads the tiled engine gives a chain at most: with fewer beads each, waiting for the
/// others costs more than they help.
int worthwhile_threads(std::size_t beads);

/// The tiled engine: several steps a visit to a piece of the chain that fits the cache, on the
/// widest vectors that this processor has. Differs from the plain engine by the rounding of roots
/// and logarithms.
std::unique_ptr<Engine> make_tiled_engine(const chain::Chain& chain, double time_step, int threads,
                                          TileShape shape = {});

}  // namespace beadwave::dynamics
