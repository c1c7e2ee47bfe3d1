// A chain from its scenario.
#pragma once

#include "beadwave/chain/chain.hpp"
#include "chain/scenario.hpp"

#include <optional>

namespace beadwave::chain {

/// Builds beads and contacts, in static equilibrium where the scenario asks for it. Throws
/// InputError for what only shows when everything is together: a wall without a bead to hold, a
/// disorder that makes a radius negative, a gravity nothing withstands, a missing yield stress.
/// With a share, what that holds; all its ranks build theirs together.
Chain build_chain(const Scenario& scenario, const std::optional<Share>& share = std::nullopt);

}  // namespace beadwave::chain
