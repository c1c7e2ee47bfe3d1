// Numbers of a packing that are probably in another unit.
#pragma once

#include "packing/build/scenario.hpp"

#include <optional>
#include <string>

namespace beadwave::io {

/// A sentence that names the key and the unit (scenario/plausible.hpp).
std::optional<std::string> packing_units(const packing::Scenario& scenario);

}  // namespace beadwave::io
