// Static equilibrium at the start: gaps closed so far that every contact carries its load.
#pragma once

#include "beadwave/chain/chain.hpp"
#include "chain/scenario.hpp"

namespace beadwave::chain {

/// Sets the gaps and end loads for gravity and precompression.
void settle(const Scenario& scenario, Chain& chain);

}  // namespace beadwave::chain
