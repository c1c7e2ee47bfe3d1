// A chain from its scenario.
#pragma once

#include "beadwave/chain/chain.hpp"
#include "chain/scenario.hpp"

#include <optional>

namespace beadwave::chain {

/// Builds beads and contacts, in static equilibrium if the scenario requests it. Throws InputError
/// for errors that are known only now: a wall without a bead, a disorder that makes a radius
/// negative, a gravity without a support, a missing yield stress. With a partition, builds only
/// that part; all ranks of the partition call this function together.
Chain build_chain(const Scenario& scenario,
                  const std::optional<Partition>& partition = std::nullopt);

/// Refuses a sleep speed under a law with adhesion. Throws InputError.
void check_sleep(const Scenario& scenario);

}  // namespace beadwave::chain
