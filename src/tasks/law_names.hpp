// Names of laws as --laws takes them.
#pragma once

#include <string>
#include <vector>

namespace beadwave::tasks {

/// Of "a,b,c" each.
std::vector<std::string> separated(const std::string& names);

/// Throws InputError, with the nearest name, for what is no law of a chain, packing or mechanism.
void check_law_name(const std::string& law);

}  // namespace beadwave::tasks
