// The beads of a scenario's segments, one after another.
#pragma once

#include "beadwave/chain/chain.hpp"
#include "chain/scenario.hpp"

namespace beadwave::chain {

/// Fills radius, mass, velocity and species of every bead that the chain's share holds.
void lay_beads(const Scenario& scenario, Chain& chain);

}  // namespace beadwave::chain
