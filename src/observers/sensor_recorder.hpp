// Records the beads with sensors: peaks from every step, and samples at an interval.
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

    /// Records the rows of the trace: the states after steps first_step, first_step + 1, ...
    void record(std::int64_t first_step);

    std::vector<SensorResult> results(const chain::Chain& chain) const;

    void serialize(Archive& archive);

  private:
    template <std::size_t count>
    void update_peaks(std::size_t first, std::size_t rows);

    std::vector<std::int64_t> beads_;
    double time_step_;
    Schedule schedule_;
    SensorSink sink_;
    dynamics::SensorTrace trace_;
    std::vector<Peak> force_, forward_, backward_;
    std::vector<Arrival> arrival_;
};

}  // namespace beadwave::observers
