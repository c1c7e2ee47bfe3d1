// Sensors of a packing: the net contact force on a particle and its velocity. Peaks of their
// magnitudes are found at every step; samples are taken on a schedule.
#pragma once

#include "observers/arrival.hpp"
#include "observers/peak.hpp"
#include "observers/schedule.hpp"
#include "packing/packing_engine.hpp"

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace beadwave::observers {

struct PackingSensorResult {
    std::int64_t particle;
    packing::Vec3 position;  ///< at the start [m]
    double peak_force;       ///< magnitude of the net contact force [N]
    double arrival_time;     ///< of the first force peak that no later one clearly exceeds [s]
    double peak_speed;       ///< [m/s]
    double peak_speed_time;  ///< [s]
};

/// One sample of all sensors, in the order given.
using PackingSensorSink =
    std::function<void(std::int64_t step, double time, std::span<const packing::Vec3> force,
                       std::span<const packing::Vec3> velocity)>;

class PackingSensors {
  public:
    PackingSensors(const std::vector<std::int64_t>& particles, double interval, double time_step,
                   PackingSensorSink sink);

    packing::ParticleTrace& trace() { return trace_; }

    /// Processes the trace's rows: the states after steps first_step, first_step + 1, ...
    void record(std::int64_t first_step);

    std::vector<PackingSensorResult> results(const packing::Packing& packing) const;

    void serialize(Archive& archive);

  private:
    double time_step_;
    Schedule schedule_;
    PackingSensorSink sink_;
    packing::ParticleTrace trace_;
    std::vector<Peak> force_, speed_;
    std::vector<Arrival> arrival_;
};

}  // namespace beadwave::observers
