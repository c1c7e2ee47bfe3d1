// Sensors: what a piezo disc inside a bead feels, its peaks at every step and its samples on
// schedule.
#pragma once

#include "beadwave/chain/chain.hpp"
#include "beadwave/dynamics/engine.hpp"
#include "beadwave/observers/arrival.hpp"
#include "beadwave/observers/peak.hpp"
#include "beadwave/observers/schedule.hpp"

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace beadwave::observers {

struct SensorResult {
    std::int64_t bead;
    double position;            ///< of the bead at the start [m]
    double peak_force;          ///< [N]
    double peak_force_time;     ///< the wave's arrival: of its first hump, see arrival.hpp [s]
    double peak_velocity;       ///< the largest in size, with its sign [m/s]
    double peak_velocity_time;  ///< [s]
};

/// One sample of all sensors, in the order in which they were asked for.
using SensorSink = std::function<void(std::int64_t step, double time, std::span<const double> force,
                                      std::span<const double> velocity)>;

class Sensors {
  public:
    Sensors(std::vector<std::int64_t> beads, double interval, double time_step, SensorSink sink);

    dynamics::SensorTrace& trace() { return trace_; }

    /// Sees the trace's rows: the states after steps first_step, first_step + 1, ...
    void see(std::int64_t first_step);

    std::vector<SensorResult> results(const chain::Chain& chain) const;

    void exchange(StateNumbers& state);

  private:
    template <std::size_t count>
    void see_peaks(std::size_t first, std::size_t rows);

    std::vector<std::int64_t> beads_;
    double time_step_;
    Schedule schedule_;
    SensorSink sink_;
    dynamics::SensorTrace trace_;
    std::vector<Peak> force_, forward_, backward_;
    std::vector<Arrival> arrival_;
};

/// Speed of the wave from one sensor's arrival to the next one's [m/s]; NaN if they coincide.
double wave_speed(const SensorResult& from, const SensorResult& to);

}  // namespace beadwave::observers
