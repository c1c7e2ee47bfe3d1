// Static equilibrium at the start: the gaps are closed until every contact carries its load.
#pragma once

#include "beadwave/chain/chain.hpp"
#include "chain/scenario.hpp"

namespace beadwave::chain {

/// Sets the gaps and end loads for gravity and precompression.
void solve_static_equilibrium(const Scenario& scenario, Chain& chain);

}  // namespace beadwave::chain
