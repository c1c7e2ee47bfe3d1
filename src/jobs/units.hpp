// Units as histories have them.
#pragma once

#include <string>

namespace beadwave::jobs {

/// What has none is a pure number.
inline std::string unit_of(const char* unit) {
    return *unit == '\0' ? "1" : unit;
}

}  // namespace beadwave::jobs
