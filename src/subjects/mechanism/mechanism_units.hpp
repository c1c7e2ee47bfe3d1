// Numbers of a mechanism that are probably in another unit.
#pragma once

#include "mechanism/mechanism.hpp"
#include "scenario/common.hpp"

#include <map>
#include <optional>
#include <string>

namespace beadwave::io {

/// A sentence that names the key and the unit (scenario/plausible.hpp). `materials` have names.
std::optional<std::string> mechanism_units(
    const mechanism::Mechanism& mechanism,
    const std::map<std::string, scenario::Material, std::less<>>& materials);

}  // namespace beadwave::io
