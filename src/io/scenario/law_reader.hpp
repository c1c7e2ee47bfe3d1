// The [law] table, checked against the catalogues of laws.
#pragma once

#include "beadwave/laws/settings.hpp"
#include "io/scenario/named_files.hpp"
#include "io/toml/toml_table.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace beadwave::io {

/// The law with all its parameters, standard ones filled in. `impact_speed` [m/s], if there is
/// one, is what the impact speed "initial" stands for. Keys that other laws take are no error: they
/// add a sentence to `notes`, so that --set law.name alone runs a scenario with another law.
laws::Settings read_law(const TomlTable& root, std::optional<double> impact_speed,
                        NamedFiles& files, std::vector<std::string>& notes);

/// The like for a line contact, whose laws are another list (line_catalogue.hpp). Damping by
/// another factor than the standard one needs a restitution.
laws::Settings read_line_law(const TomlTable& root, std::vector<std::string>& notes);

/// One parameter's value, or its standard one; `law` is the law's name.
laws::Value read_law_value(const TomlTable& table, std::string_view law,
                           const laws::Parameter& parameter);

}  // namespace beadwave::io
