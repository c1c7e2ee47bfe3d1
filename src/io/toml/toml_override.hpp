// Applies a setting: --set key=value, or one value of --vary key=values.
#pragma once

#include "io/toml/toml_fwd.hpp"

#include <string>
#include <string_view>

namespace beadwave::io {

struct Overridden {
    std::string key;          ///< dotted, with numbers for list elements
    const toml::node& value;  ///< in the table
};

/// Sets one value in the table. The key is dotted; list elements are given by number
/// ("segment.0.velocity", "sensors.beads[2]"). Missing tables of the key are created. The value is
/// TOML; what is not TOML is a string, so law.name=hertz needs no quotes. Values set here have no
/// source line. Throws InputError, which names the `option`, if the setting is malformed or the key
/// does not lead to a value.
Overridden apply_override(toml::table& table, const std::string& setting,
                          std::string_view option = "--set");

}  // namespace beadwave::io
