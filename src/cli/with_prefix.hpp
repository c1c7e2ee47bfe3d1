// Numbers for people.
#pragma once

#include <string>

namespace beadwave::cli {

/// A length, time or energy with an SI prefix: "13.3 us".
std::string with_prefix(double value, const char* unit);

}  // namespace beadwave::cli
