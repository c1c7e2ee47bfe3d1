// --set key=value, and one value of --vary key=values
#pragma once

#include <toml++/toml.h>

#include <string>
#include <string_view>

namespace beadwave::io {

struct Overridden {
    std::string key;          ///< dotted throughout
    const toml::node& value;  ///< in its new place
};

/// Sets one value in the table. The key is dotted, with numbers into lists ("segment.0.velocity",
/// "sensors.beads[2]"); tables on its way are made if missing. The value is TOML, or else taken as
/// a string, so that law.name=hertz needs no quotes. Values set here have no source line. Throws
/// InputError, which names the `option`, if the setting is malformed or its key leads nowhere.
Overridden apply_override(toml::table& table, const std::string& setting,
                          std::string_view option = "--set");

}  // namespace beadwave::io
