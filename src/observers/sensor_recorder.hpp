// Sees the sensors' beads at every step: their peaks, and samples on schedule.
#pragma once

#include "beadwave/chain/chain.hpp"
#include "beadwave/dynamics/engine.hpp"
#include "beadwave/observers/sensors.hpp"
#include "observers/arrival.hpp"
#include "observers/peak.hpp"
#include "observers/schedule.hpp"

#include <cstdint>
#include <vector>

namespace beadwave::observers {

class SensorRecorder {
  public:
    SensorRecorder(std::vector<std::int64_t> beads, double interval, double time_step,
                   SensorSink sink);

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

}  // namespace beadwave::observers
