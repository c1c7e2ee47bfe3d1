// Comparison of a simulated wave with a measured one.
#pragma once

#include <span>
#include <vector>

namespace beadwave::observers {

struct SensorPeak {
    double force;  ///< the largest [N]
    double time;   ///< arrival of the wave, on the clock of the measurement or of the run [s]; NaN:
                   ///< none
};

/// Largest force of a trace, and the arrival as for a sensor of a run (arrival.hpp). Peaks between
/// samples follow from a parabola; times need not be equally spaced. A difference in height that is
/// within the uncertainty from the sampling interval or from noise does not count.
SensorPeak measured_peak(std::span<const double> time, std::span<const double> force);

/// The time at which a trace first exceeds its first value by `threshold` [N], between samples on a
/// straight line; NaN: it never does.
double threshold_time(std::span<const double> time, std::span<const double> force,
                      double threshold);

/// Standard deviation of white noise on a smooth signal, from its fourth differences. The signal
/// hardly contributes to these, and their median ignores the few exceptions.
double noise_of(std::span<const double> force);

/// Difference between simulation and measurement at one sensor.
struct SensorError {
    double peak_force;  ///< |simulated - measured| / measured [-], as in WangReview2022 Table 6
    double
        arrival;  ///< simulated - measured, both counted from the arrival at the first sensor [s]
};

std::vector<SensorError> sensor_errors(std::span<const SensorPeak> simulated,
                                       std::span<const SensorPeak> measured);

}  // namespace beadwave::observers
