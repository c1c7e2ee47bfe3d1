// Reads the [law] table and checks it against the catalogues of laws, which have its keys.
#pragma once

#include "beadwave/laws/settings.hpp"
#include "io/scenario/reading.hpp"
#include "io/toml/toml_table.hpp"

#include <optional>

namespace beadwave::io {

/// The table, with the parameters of all laws as keys.
const Key& law_key();
/// `definition` of the law "impulse".
Key impulse_definition_key();

/// The law with all its parameters, including default values. `impact_speed` [m/s], if given, is
/// the value of the impact speed "initial". Keys of other laws are no error but add a warning: so
/// --set law.name alone runs a scenario with another law.
laws::Settings read_law(const TomlTable& root, std::optional<double> impact_speed,
                        Reading& reading);

/// Whether [law] asks for rigid contacts (laws/rigid_law.hpp), which read_rigid_law() then reads.
bool names_rigid(const TomlTable& root);
laws::Settings read_rigid_law(const TomlTable& root, Reading& reading);

/// The law of a line contact, one of those in line_catalogue.hpp, as read_law() reads a law.
/// Damping other than "none" needs a restitution.
laws::Settings read_line_law(const TomlTable& root, Reading& reading);

/// The law with the numbers of `table` in place of its own. `along_lines`: it is a line law.
/// Refuses what is no number of this law.
laws::Settings changed_law(const TomlTable& table, laws::Settings law, bool along_lines);

}  // namespace beadwave::io
