// Reads the [law] table and checks it against the catalogues of laws.
#pragma once

#include "beadwave/laws/settings.hpp"
#include "io/scenario/named_files.hpp"
#include "io/toml/toml_table.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace beadwave::io {

/// The law with all its parameters, including default values. `impact_speed` [m/s], if given, is
/// the value of the impact speed "initial". Keys of other laws are no error but add a sentence to
/// `warnings`: so --set law.name alone runs a scenario with another law.
laws::Settings read_law(const TomlTable& root, std::optional<double> impact_speed,
                        NamedFiles& files, std::vector<std::string>& warnings);

/// The same for a line contact, whose laws are in line_catalogue.hpp. Damping other than "none"
/// needs a restitution.
laws::Settings read_line_law(const TomlTable& root, std::vector<std::string>& warnings);

/// The value of a parameter, or its default value. `law` is the name of the law.
laws::Value read_law_value(const TomlTable& table, std::string_view law,
                           const laws::Parameter& parameter);

}  // namespace beadwave::io
