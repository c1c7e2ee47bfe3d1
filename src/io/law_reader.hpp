// The [law] table, checked against the catalogue of laws.
#pragma once

#include "beadwave/laws/settings.hpp"
#include "toml_table.hpp"

#include <optional>
#include <string>
#include <vector>

namespace beadwave::io {

/// The law with all its parameters, standard ones filled in; a missing impact speed is
/// `impact_speed` [m/s] if there is one. Keys that other laws take are no error: they add a
/// sentence to `notes`, so that a scenario can be run with another law by --set law.name alone.
laws::Settings read_law(const TomlTable& root, std::optional<double> impact_speed,
                        std::vector<std::string>& notes);

}  // namespace beadwave::io
