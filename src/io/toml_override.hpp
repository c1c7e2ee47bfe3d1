// --set key=value
#pragma once

#include <toml++/toml.h>

#include <string>

namespace beadwave::io {

/// Sets one value in the table. The key is dotted, with numbers into lists ("segment.0.velocity",
/// "sensors.beads[2]"); tables on its way are made if missing. The value is TOML, or else taken as
/// a string, so that law.name=hertz needs no quotes. Values set here have no source line. Throws
/// InputError if the setting is malformed or its key leads nowhere.
void apply_override(toml::table& table, const std::string& setting);

}  // namespace beadwave::io
