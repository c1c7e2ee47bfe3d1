// The top of a hump between noisy samples, and how it moves with each of them.
#pragma once

#include "observers/comparison.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace beadwave::fit {

/// The vertex of a parabola through samples about the top, and its derivatives by the samples
/// `first`, `first` + 1, ...
struct Top {
    observers::SensorPeak peak;
    std::size_t first = 0;
    std::vector<double> height;  ///< d force / d sample [-]
    std::vector<double> time;    ///< d time / d sample [s/N]
};

/// Near the time `near` [s]; by least squares over samples up to `half_width` [s] from the top,
/// those near it counting more, or through three samples where that holds fewer than five. What the
/// parabola misses of the hump's shape is the same wherever the hump is: two tops of one width can
/// be compared. At least three samples.
Top top_near(std::span<const double> times, std::span<const double> force, double near,
             double half_width);

/// Half the time for which the hump at `near` [s] exceeds three quarters of its height.
double half_width_of(std::span<const double> times, std::span<const double> force, double near);

}  // namespace beadwave::fit
