// The peak of a hump between noisy samples, and its derivative by each sample.
#pragma once

#include "observers/comparison.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace beadwave::fit {

/// The vertex of a parabola through the samples around the peak, and its derivatives by the samples
/// `first`, `first` + 1, ...
struct PeakFit {
    observers::SensorPeak peak;
    std::size_t first = 0;
    std::vector<double> height;  ///< d force / d sample [-]
    std::vector<double> time;    ///< d time / d sample [s/N]
};

/// The peak near the time `near` [s]. The parabola is fitted by least squares to the samples up to
/// `half_width` [s] from the peak, with larger weights near it; if these are fewer than five, it
/// goes through three samples. The difference between a hump and its parabola does not depend on
/// the position of the hump: two peaks of the same width can be compared. Needs at least three
/// samples.
PeakFit fit_peak(std::span<const double> times, std::span<const double> force, double near,
                 double half_width);

/// Half the time during which the hump at `near` [s] exceeds three quarters of its height.
double half_width_of(std::span<const double> times, std::span<const double> force, double near);

}  // namespace beadwave::fit
