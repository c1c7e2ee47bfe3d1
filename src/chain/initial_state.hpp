// Displacements and velocities with which a chain starts, from a scenario.
#pragma once

#include "beadwave/chain/chain.hpp"
#include "chain/scenario.hpp"

namespace beadwave::chain {

/// Moves a chain that is otherwise complete to the initial state of the scenario, if it has one.
/// Throws InputError: another number of beads, a held bead that would move, a contact compressed by
/// more than a radius, drives of another frequency. All ranks that share the chain call this
/// together.
void place_beads(const Scenario& scenario, Chain& chain);

/// Throws InputError that tells of `name` if beads start displaced, or masses inside them with a
/// displacement or velocity of their own: for what does not know these.
void refuse_displaced(const Chain& chain, const char* name);

}  // namespace beadwave::chain
