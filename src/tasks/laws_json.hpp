// The catalogue of laws for scripts.
#pragma once

#include <nlohmann/json.hpp>

#include <string>

namespace beadwave::tasks {

/// All laws, line laws and restitution formulas.
nlohmann::ordered_json laws_json();

/// All that goes by this name: the first one's object, the others inside it. Throws InputError.
nlohmann::ordered_json laws_json(const std::string& name);

/// Throws InputError with the nearest name where no law, line law or formula has this one.
void check_catalogued(const std::string& name);

}  // namespace beadwave::tasks
