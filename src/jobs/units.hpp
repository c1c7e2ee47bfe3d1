// Units as in histories.
#pragma once

#include <string>

namespace beadwave::jobs {

/// A quantity without a unit has the unit "1".
inline std::string unit_of(const char* unit) {
    return *unit == '\0' ? "1" : unit;
}

}  // namespace beadwave::jobs
