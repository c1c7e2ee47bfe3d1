// The catalogue of laws for scripts.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace beadwave::tasks {

/// All laws, line laws, restitution formulas, and the laws of friction and of rigid contacts.
nlohmann::ordered_json laws_json();

/// All entries with this name: the object of the first, with the others inside it. Throws
/// InputError.
nlohmann::ordered_json laws_json(const std::string& name);

/// Throws InputError, with the nearest name, if nothing of laws_json() has this name.
void check_catalogued(const std::string& name);

}  // namespace beadwave::tasks
