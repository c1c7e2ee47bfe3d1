// The impact of a mechanism that is farthest beyond the speed up to which its law holds.
#pragma once

#include "mechanism/mechanism.hpp"
#include "mechanism/result.hpp"

#include <optional>
#include <string>

namespace beadwave::mechanism {

/// The warning about it (laws/impact_limit.hpp); none where all impacts are slower, and for
/// contacts that have a stiffness in place of materials, or the law "impulse". Bodies of a
/// mechanism have no volume: the density is that of steel.
std::optional<std::string> fast_impact(const Mechanism&, const Result&);

}  // namespace beadwave::mechanism
