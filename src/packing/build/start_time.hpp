// When what waits for a time begins.
#pragma once

#include <cmath>

namespace beadwave::packing {

/// The number of the first step that begins at `start` [s] or later.
inline double first_step_from(double start, double time_step) {
    constexpr double rounding = 1e-9;  // of a step
    return std::ceil(start / time_step - rounding);
}

}  // namespace beadwave::packing
