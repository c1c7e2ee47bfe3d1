// Names of laws as --laws takes them.
#pragma once

#include <string>

namespace beadwave::cli {

/// Throws InputError, with the nearest name, for what is no law of a chain, packing or mechanism.
void check_law_name(const std::string& law);

}  // namespace beadwave::cli
