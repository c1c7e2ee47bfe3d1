// The tiled engine: it advances a piece of the chain that fits the cache by several steps at once,
// on vectors.
//
// A run is a sequence of time blocks of T steps. In a time block, a tile of B beads copies a halo
// of more than T beads on either side and advances T steps alone; in each step one more bead of the
// halo on each side becomes invalid. Tiles run on threads without locks, and no choice of tiles
// changes a bit.
#pragma once

#include "beadwave/dynamics/engine.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>

namespace beadwave::dynamics {

/// How the tiled engine cuts a chain into tiles; this does not change the results.
struct TileShape {
    std::size_t beads = 0;   ///< own beads of a tile; 0: automatic, and a short chain is one tile
    std::int64_t steps = 0;  ///< per time block; 0: automatic. Fewer than a tile has beads
    bool sleep = true;       ///< skip beads that are exactly at rest
    /// Sleep speed [m/s]; 0: no bead is put to sleep. If all beads of a piece of the chain are
    /// slower than this and cannot become faster, they are put to sleep. A bead cannot become
    /// faster if, with its neighbours fixed, its own energy forbids it: all forces on it balance up
    /// to rounding, or only its contacts act on it and their stored energy plus its kinetic energy
    /// is at most its kinetic energy at this speed. So a bead at rest that a force pulls is
    /// released, whatever the time step. The lost kinetic energy is counted in
    /// Totals::sleep_loss_energy; displacements and stored energy do not change. Unlike the other
    /// members, this changes the results.
    double sleep_speed = 0.0;
};

/// What the tiles of a chain depend on besides their beads.
struct Burden {
    bool any = false;            ///< whether beads carry something (chain::Elements)
    std::size_t neighbours = 1;  ///< on each side, that forces of a bead reach
};

/// The part of a chain of `beads` beads that this rank holds: a range of whole tiles. Throws
/// ArgumentError if there are too few beads for all ranks.
chain::Partition partition_of(std::size_t beads, const TileShape& shape, ranks::Communicator& ranks,
                              const Burden& burden = {});

/// The largest number of threads that is worthwhile for a chain: with fewer beads per thread,
/// waiting for the other threads costs more time than they save.
int worthwhile_threads(std::size_t beads);

/// The tiled engine, on the widest vectors of this processor. Its results differ from those of the
/// plain engine by the rounding of roots and logarithms.
std::unique_ptr<Engine> make_tiled_engine(const chain::Chain& chain, double time_step, int threads,
                                          TileShape shape = {});

}  // namespace beadwave::dynamics
