// Chains in which nothing can ever touch.
#pragma once

#include "beadwave/chain/chain.hpp"

#include <optional>
#include <string>

namespace beadwave::jobs {

/// A warning where beads move, but no two neighbours, and no bead and wall, approach each other or
/// press on each other, and no force acts: each bead keeps its velocity. None in a chain that
/// several processes share.
std::optional<std::string> parting_beads(const chain::Chain& chain);

}  // namespace beadwave::jobs
