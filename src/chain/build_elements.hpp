// What the beads of a chain carry, from a scenario.
#pragma once

#include "beadwave/chain/chain.hpp"
#include "chain/scenario.hpp"

namespace beadwave::chain {

/// Adds the elements of the scenario to a chain whose beads are complete. Throws InputError for a
/// bead that the chain does not have, and for what elements do not go with.
void add_elements(const Scenario& scenario, Chain& chain);

/// Adds the drag of absorbing ends to a chain that is otherwise complete. Throws InputError.
void add_absorbing_ends(const Scenario& scenario, Chain& chain);

}  // namespace beadwave::chain
