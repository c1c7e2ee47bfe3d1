// Records the bodies with sensors: peaks from every step, and samples at an interval. The peaks are
// those of the force and velocity along a chain, and of their magnitudes in a packing.
#pragma once

#include "beadwave/observers/sensors.hpp"
#include "dynamics/lane_trace.hpp"
#include "observers/arrival.hpp"
#include "observers/peak.hpp"
#include "recording/archive.hpp"
#include "recording/schedule.hpp"
#include "recording/store.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace beadwave::observers {

class SensorRecorder {
  public:
    /// `components` of force and velocity: 1 or 3. `arrival_threshold` [N]; 0: humps count.
    SensorRecorder(std::vector<std::int64_t> bodies, double interval, double time_step,
                   std::size_t components, double arrival_threshold = 0.0);

    const std::vector<std::int64_t>& bodies() const { return bodies_; }

    /// Records rows of force [N] and velocity [m/s]: the states after steps first_step, first_step
    /// + 1, ... `store`, if not null, takes a sample for each row that is due; force() and
    /// velocity() are then that row, or all rows that it takes at once.
    void record(std::int64_t first_step, std::span<const double> force,
                std::span<const double> velocity, recording::Store* store);
    /// Records the rows of a chain in a lane, without samples. One component.
    void record(const dynamics::LaneTrace& trace);
    /// Sets the limits for the next rows of that chain.
    void set_limits(const dynamics::LaneLimits& limits) const;
    std::span<const double> force() const { return force_row_; }
    std::span<const double> velocity() const { return velocity_row_; }

    /// `position` along the chain of each body with a sensor [m]; empty: 0.
    std::vector<SensorResult> results(const std::vector<double>& position = {}) const;

    void serialize(Archive& archive);

  private:
    /// The numbers of one sensor in several steps, and their extremes.
    struct SensorRows {
        const double *force, *velocity;
        std::size_t rows, stride;
        double strongest, fastest, slowest;
        std::size_t strongest_row = 0, fastest_row = 0, slowest_row = 0;  ///< for Peak::add()
    };
    void update(std::size_t sensor, const SensorRows& in);
    void update_all(const double* force, const double* velocity, std::size_t rows);
    template <std::size_t count, std::size_t at_once = 1>
    void update_peaks(const double* force, const double* velocity, std::size_t first,
                      std::size_t rows);
    /// Takes the samples of `rows` rows that are due.
    void take_samples(std::int64_t first_step, std::size_t rows, std::span<const double> force,
                      std::span<const double> velocity, recording::Store& store);

    std::vector<std::int64_t> bodies_;
    double time_step_;
    std::size_t components_;
    recording::Schedule schedule_;
    std::vector<Peak> force_, forward_, backward_;
    std::vector<Arrival> arrival_;
    std::vector<double> force_sizes_, speeds_;
    std::span<const double> force_row_, velocity_row_;
    // The samples that are due. The numbers are copied only if other rows are between them.
    std::vector<std::int64_t> steps_;
    std::vector<double> times_, due_forces_, due_velocities_;
};

}  // namespace beadwave::observers
