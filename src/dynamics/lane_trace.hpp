// Force and velocity of the sensors of one of several chains that step together.
#pragma once

#include <cstddef>

namespace beadwave::dynamics {

/// The numbers of sensor s after step k + 1 are at [place[s] * rows * row + k * row], and its
/// extremes over all steps at [place[s] * row].
struct LaneTrace {
    std::size_t rows, row;
    const std::size_t* place;
    const double *force, *velocity;               ///< [N], [m/s]
    const double *strongest, *fastest, *slowest;  ///< largest force, largest and least velocity
};

}  // namespace beadwave::dynamics
