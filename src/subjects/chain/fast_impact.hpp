// Whether beads of a chain meet faster than its law holds for.
#pragma once

#include "beadwave/chain/chain.hpp"
#include "chain/scenario.hpp"

#include <optional>
#include <string>

namespace beadwave::jobs {

/// The warning about the contact that is farthest beyond its limit (laws/impact_limit.hpp), if one
/// is: neighbours approach at the start, fall through the gap between them, or are driven. All
/// processes that share the chain get the same.
std::optional<std::string> fast_impact(const chain::Scenario&, const chain::Chain&);

}  // namespace beadwave::jobs
