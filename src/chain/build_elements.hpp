// What the beads of a chain carry, from a scenario.
#pragma once

#include "beadwave/chain/chain.hpp"
#include "chain/scenario.hpp"

#include <string_view>

namespace beadwave::chain {

/// Adds the elements of the scenario to a chain whose beads are complete. Throws InputError for a
/// bead that the chain does not have, and for what elements do not go with.
void add_elements(const Scenario& scenario, Chain& chain);

/// Adds the bonds of the scenario to a chain whose gaps are complete (empty: all beads just touch).
/// Throws InputError as add_elements() does.
void add_bonds(const Scenario& scenario, Chain& chain);

/// Refuses sleep of a chain that has `what`. Throws InputError.
void refuse_sleep(const Scenario& scenario, std::string_view what);

/// Adds the drag of absorbing ends to a chain that is otherwise complete. Throws InputError. All
/// ranks that share the chain call this together.
void add_absorbing_ends(const Scenario& scenario, Chain& chain);

}  // namespace beadwave::chain
