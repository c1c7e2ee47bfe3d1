// The names of laws in --laws.
#pragma once

#include <string>
#include <vector>

namespace beadwave::tasks {

/// The parts of "a,b,c".
std::vector<std::string> separated(const std::string& names);

/// Throws InputError, with the nearest name, if no law of a chain, packing or mechanism has this
/// name.
void check_law_name(const std::string& law);

}  // namespace beadwave::tasks
