// Sensors: peaks from every step, samples at an interval. In a chain the force on a piezo disc
// inside the bead and the bead's velocity; in a packing the magnitudes of the net contact force on
// the particle and of its velocity.
#pragma once

#include <cstdint>

namespace beadwave::observers {

struct SensorResult {
    std::int64_t body;          ///< number of the bead or particle
    double position;            ///< along the chain at the start [m]; 0 in a packing
    double peak_force;          ///< [N]
    double arrival_time;        ///< of the wave, as docs/GUIDE.md defines it [s]; NaN: none arrived
    double earlier_hump_time;   ///< of the first hump before, if the arrival is a later, higher one
                                ///< [s]; NaN: it is the first
    double peak_velocity;       ///< the largest absolute velocity [m/s]; in a chain with its sign
    double peak_velocity_time;  ///< [s]; NaN: the body did not move
    double peak_force_missed;   ///< by how much the peak may be higher, where the force jumps [N]
    double force_rise_at_end;   ///< in the last step, if the peak is the last value [N]; or 0
    double speed_rise_at_end;   ///< in the last step, if the peak velocity is the last one [m/s]
};

/// Speed of the wave between two sensors, from their arrival times [m/s]; NaN if these are equal
/// or one has none.
double wave_speed(const SensorResult& from, const SensorResult& to);

}  // namespace beadwave::observers
