// A simulated wave held against a measured one.
#pragma once

#include "beadwave/observers/sensors.hpp"

#include <span>
#include <vector>

namespace beadwave::observers {

struct MeasuredPeak {
    double force;  ///< [N]
    double time;   ///< on the laboratory's clock [s]
};

/// Largest force of a trace and its time, between samples by a parabola; times need not be equally
/// spaced.
MeasuredPeak measured_peak(std::span<const double> time, std::span<const double> force);

/// What one sensor's simulation misses of the measurement.
struct SensorError {
    double peak_force;  ///< |simulated - measured| / measured [-], as WangReview2022 Table 6
    double arrival;     ///< simulated - measured arrival, both counted from the first sensor's [s]
};

std::vector<SensorError> sensor_errors(std::span<const SensorResult> simulated,
                                       std::span<const MeasuredPeak> measured);

}  // namespace beadwave::observers
