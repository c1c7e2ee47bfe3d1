// How fast beads get by the forces on them, for the choice of the time step.
#pragma once

#include "beadwave/chain/chain.hpp"

namespace beadwave::dynamics {

/// The speed that a load over time gives its bead until `end` [s], if nothing else acts [m/s].
double speed_by_timed_loads(const chain::Chain& chain, double end);

/// The speed [m/s] that constant loads, as far as nothing balances them at the start, give a pair
/// until `end` [s]: that of a collision which compresses the contact as the load does, and of the
/// way through open gaps. 0 for loads that belong to a static equilibrium.
double speed_by_constant_loads(const chain::Chain& chain, double end);

}  // namespace beadwave::dynamics
