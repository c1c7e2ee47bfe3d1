// Numbers of a chain that are probably in another unit.
#pragma once

#include "chain/scenario.hpp"

#include <optional>
#include <string>

namespace beadwave::io {

/// A sentence that names the key and the unit (scenario/plausible.hpp).
std::optional<std::string> chain_units(const chain::Scenario& scenario);

}  // namespace beadwave::io
