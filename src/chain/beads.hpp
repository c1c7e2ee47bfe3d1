// The beads of the segments of a scenario, one segment after another.
#pragma once

#include "beadwave/chain/chain.hpp"
#include "chain/scenario.hpp"

namespace beadwave::chain {

/// Fills radius, mass, velocity and species of every bead in the partition of the chain.
void build_beads(const Scenario& scenario, Chain& chain);

}  // namespace beadwave::chain
