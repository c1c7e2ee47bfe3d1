// Displacements and velocities with which a chain starts, from a scenario.
#pragma once

#include "beadwave/chain/chain.hpp"
#include "chain/scenario.hpp"

namespace beadwave::chain {

/// Gives beads the velocities of the initial state of the scenario, if it has one: before contacts
/// get laws, which may depend on the speed of the first impact, and after elements, drives and
/// fixed ends are known. Throws InputError: another number of beads, a held bead that would move,
/// drives of another frequency. All ranks that share the chain call this together.
void give_velocities(const Scenario& scenario, Chain& chain);

/// Moves a chain that is otherwise complete, with these velocities, to the initial state of the
/// scenario, if it has one. Throws InputError: a held bead that would move, a contact compressed by
/// more than a radius. All ranks that share the chain call this together.
void place_beads(const Scenario& scenario, Chain& chain);

/// Throws InputError that tells of `name` if beads start displaced, or masses inside them with a
/// displacement or velocity of their own: for what does not know these.
void refuse_displaced(const Chain& chain, const char* name);

}  // namespace beadwave::chain
