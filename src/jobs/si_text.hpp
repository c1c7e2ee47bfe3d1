// Numbers as readable text.
#pragma once

#include <string>

namespace beadwave::jobs {

/// A length, time or energy with an SI prefix: "13.3 us".
std::string si_text(double value, const char* unit);

}  // namespace beadwave::jobs
