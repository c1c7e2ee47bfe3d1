// Sensors: what a piezo disc inside a bead feels, its peaks at every step and its samples on
// schedule.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

namespace beadwave::observers {

struct SensorResult {
    std::int64_t bead;
    double position;         ///< of the bead at the start [m]
    double peak_force;       ///< [N]
    double peak_force_time;  ///< the wave's arrival: of its first hump, docs/GUIDE.md says how [s]
    double peak_velocity;    ///< the largest in size, with its sign [m/s]
    double peak_velocity_time;  ///< [s]
};

/// One sample of all sensors, in the order in which they were asked for.
using SensorSink = std::function<void(std::int64_t step, double time, std::span<const double> force,
                                      std::span<const double> velocity)>;

/// Speed of the wave from one sensor's arrival to the next one's [m/s]; NaN if they coincide.
double wave_speed(const SensorResult& from, const SensorResult& to);

}  // namespace beadwave::observers
