// Static equilibrium of a chain whose beads push each other without contact.
#pragma once

#include "beadwave/chain/chain.hpp"
#include "chain/scenario.hpp"

namespace beadwave::chain {

/// Whether a scenario with pair forces starts where all forces balance.
bool pair_equilibrium_wanted(const Scenario& scenario);

/// Moves the beads to where all forces balance, by Newton's method with all neighbours at once;
/// where contacts open and close on the way, along the forces' energy.
/// Under [precompression] bead 0 stays and the others move until the force holds them; otherwise
/// fixed ends and walls stay. Adds the loads of the precompression. Throws InputError if there is
/// no such place. Does nothing unless the scenario wants an equilibrium.
/// Only for a chain that one process holds.
void solve_pair_equilibrium(const Scenario& scenario, Chain& chain);

}  // namespace beadwave::chain
