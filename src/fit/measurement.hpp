// The part of a measurement that a fit can use.
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
    std::size_t sensor;         ///< index of the sensor in the scenario
    std::int64_t id;            ///< number of its bead or particle
    std::vector<double> force;  ///< [N]
    std::vector<bool> used;     ///< per row; false where the sensor is saturated
    bool saturated = false;     ///< in some row: the peak is then unknown
    observers::SensorPeak peak{};
};

struct Measurement {
    std::string name;          ///< of the file
    std::vector<double> time;  ///< [s], on the clock of the measurement
    std::vector<MeasuredTrace> traces;
    std::vector<std::string> warnings;  ///< what was left out, and why
};

/// Reads the part of the file that a run from 0 to `end` [s] covers, for every clock shift (time on
/// the clock of the measurement when the run begins) from `least_shift` to `most_shift` [s]. Throws
/// InputError, also for numbers that must be in another unit.
Measurement read_measurement(const std::filesystem::path& file,
                             std::span<const std::int64_t> sensors, double end, double least_shift,
                             double most_shift);

}  // namespace beadwave::fit
