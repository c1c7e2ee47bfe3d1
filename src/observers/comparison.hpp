// A simulated wave held against a measured one.
#pragma once

#include <span>
#include <vector>

namespace beadwave::observers {

struct SensorPeak {
    double force;  ///< the largest [N]
    double time;   ///< the wave's arrival, on the laboratory's clock or the run's [s]
};

/// Largest force of a trace, and the arrival as a sensor of a run has it (arrival.hpp); tops
/// between samples by a parabola, times need not be equally spaced. What the samples leave open, by
/// their distance or by noise, does not make a later hump the higher one.
SensorPeak measured_peak(std::span<const double> time, std::span<const double> force);

/// Standard deviation of white noise on a smooth signal, of its fourth differences: these hardly
/// see the signal, and their median not the few that do.
double noise_of(std::span<const double> force);

/// What one sensor's simulation misses of the measurement.
struct SensorError {
    double peak_force;  ///< |simulated - measured| / measured [-], as WangReview2022 Table 6
    double arrival;     ///< simulated - measured arrival, both counted from the first sensor's [s]
};

std::vector<SensorError> sensor_errors(std::span<const SensorPeak> simulated,
                                       std::span<const SensorPeak> measured);

}  // namespace beadwave::observers
