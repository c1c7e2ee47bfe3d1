// What a laboratory measured, as far as a fit may use it.
#pragma once

#include "io/tables/measured_traces.hpp"
#include "observers/comparison.hpp"

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace beadwave::fit {

struct MeasuredTrace {
    std::size_t sensor;         ///< which of the scenario's
    std::int64_t id;            ///< its bead or particle
    std::vector<double> force;  ///< [N]
    std::vector<bool> used;     ///< row by row; not where the sensor is saturated
    bool saturated = false;     ///< somewhere: then its peak is not known
    observers::SensorPeak peak{};
};

struct Measurement {
    std::string name;          ///< of the file
    std::vector<double> time;  ///< [s], on the laboratory's clock
    std::vector<MeasuredTrace> traces;
    std::vector<std::string> notes;  ///< what was left out, and why
};

/// The part of the file that a run from 0 to `end` [s] covers, wherever between `least_shift` and
/// `most_shift` [s] the laboratory's clock is ahead of the run's. Throws InputError, also for what
/// can only be another unit.
Measurement read_measurement(const std::filesystem::path& file,
                             std::span<const std::int64_t> sensors, double end, double least_shift,
                             double most_shift);

}  // namespace beadwave::fit
