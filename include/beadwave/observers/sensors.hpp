// Sensors: the force on a piezo disc inside a bead and the bead's velocity; peaks from every step,
// samples at an interval.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

namespace beadwave::observers {

struct SensorResult {
    std::int64_t bead;
    double position;            ///< of the bead at the start [m]
    double peak_force;          ///< [N]
    double arrival_time;        ///< of the first hump of the wave, as docs/GUIDE.md defines it [s]
    double peak_velocity;       ///< the largest absolute velocity, with its sign [m/s]
    double peak_velocity_time;  ///< [s]
};

/// One sample of all sensors, in the order of the settings.
using SensorSink = std::function<void(std::int64_t step, double time, std::span<const double> force,
                                      std::span<const double> velocity)>;

/// Speed of the wave between two sensors, from their arrival times [m/s]; NaN if these are equal.
double wave_speed(const SensorResult& from, const SensorResult& to);

}  // namespace beadwave::observers
