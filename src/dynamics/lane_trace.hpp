// Force and velocity of the sensors of one of several chains that step together.
#pragma once

#include <cstddef>

namespace beadwave::dynamics {

/// The numbers of sensor s after step k + 1 are at [place[s] * rows * row + k * row], and its
/// extremes over all steps at [place[s] * row].
struct LaneTrace {
    std::size_t rows, row;
    const std::size_t* place;
    /// The numbers at [place[s]]: of the rows before this one, only the last is present. They do
    /// not exceed the limits. The last of all rows is always present.
    const std::size_t* first;
    const double *force, *velocity;               ///< [N], [m/s]
    const double *strongest, *fastest, *slowest;  ///< largest force, largest and least velocity
    /// If one of these exceeds its limit: a row shortly before the first that has it.
    const double *strongest_row, *fastest_row, *slowest_row;
};

/// Extremes of the steps so far, at [place[s] * row]. Rows of a sensor are recorded from the first
/// on that may exceed one of them.
struct LaneLimits {
    std::size_t row;
    const std::size_t* place;
    double *strongest, *fastest, *slowest;
};

}  // namespace beadwave::dynamics
