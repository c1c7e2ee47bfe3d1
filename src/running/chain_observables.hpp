// The observables of a chain. To add one, add a row to chain_observables.cpp.
#pragma once

#include "beadwave/dynamics/engine.hpp"
#include "observers/observables.hpp"

#include <vector>

namespace beadwave::observers {

/// Ranks that share a chain all compute its observables: the engine's spans are those of a rank's
/// own beads and contacts, chain.ranks() adds them up.
struct ChainState {
    const dynamics::Engine& engine;
    const dynamics::Totals& totals;  ///< of the whole chain
    const chain::Chain& chain;
};

const std::vector<Observable<ChainState>>& chain_observables();

}  // namespace beadwave::observers
