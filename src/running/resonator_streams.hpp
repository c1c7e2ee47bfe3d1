// What is recorded of the masses inside the beads of a chain.
#pragma once

#include "beadwave/chain/chain.hpp"
#include "beadwave/dynamics/engine.hpp"
#include "recording/stream.hpp"

namespace beadwave::running {

/// Adds bead and mass of every resonator and, with snapshots, displacement and velocity, in the
/// order of chain::Elements. The engine must live as long as the description.
void add_resonators(recording::Description& all, const chain::Chain& chain,
                    dynamics::Engine& engine, bool snapshots);

}  // namespace beadwave::running
