// Bands of the endless chain that repeats a cell of this one.
#pragma once

#include "linear/chain_operator.hpp"
#include "modes/modes.hpp"

#include <optional>

namespace beadwave::modes {

/// The cell is the shortest that the chain repeats at least three times, up to four beads at its
/// ends; it includes springs to the ground and masses inside beads, which count as bodies of the
/// cell. None: the chain does not repeat. Without damping. Band edges are exact: in a chain of
/// nearest neighbours they are at the wave numbers 0 and pi per cell.
///
/// Forces that reach n beads change the places of beads near the ends, so that up to 4 + 8 n beads
/// there may differ; the cell is in the middle. Its bands may end between both wave numbers. None
/// also for such a cell of more than 200 bodies.
std::optional<Dispersion> dispersion(const linear::ChainOperator& chain);

}  // namespace beadwave::modes
