// The part of a measurement that a fit can use.
#pragma once

#include "io/tables/measured_traces.hpp"
#include "observers/comparison.hpp"

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace beadwave::fit {

struct MeasuredTrace {
    std::size_t sensor;         ///< index of the sensor in the scenario
    std::int64_t id;            ///< number of its bead or particle
    std::vector<double> force;  ///< [N]
    std::vector<bool> used;     ///< per row; false where the sensor is saturated, in a mask, or of
                                ///< weight 0
    bool saturated = false;     ///< in some row: the peak is then unknown
    bool has_peak = true;       ///< whether its largest force is the wave's
    observers::SensorPeak peak{};
    /// The factor of the squared residual, per row; empty: 1.
    std::vector<double> weight{};
    std::vector<bool> left_out{};  ///< per row: in a mask or of weight 0; empty: none

    double root_weight(std::size_t row) const {
        return weight.empty() ? 1.0 : std::sqrt(weight[row]);
    }
};

struct Measurement {
    std::string name;          ///< of the file
    std::vector<double> time;  ///< [s], on the clock of the measurement
    std::vector<MeasuredTrace> traces;
    /// What was left out, and why; after prepare() also the warnings of the scenario itself.
    std::vector<std::string> warnings;
    std::string unit = "N";  ///< of the readings: "V" or "mV" where gains are free
};

/// Rows that are left out: those from `from` to `to` [s], on the clock of the measurement.
struct Mask {
    double from, to;
    std::optional<std::int64_t> id{};  ///< of this bead or particle alone; empty: of all
};

/// What a sensor of a packing measures: the magnitude of the net contact force on its particle, or
/// one of its components. Chains have the magnitude only.
enum class Component { x, y, z, norm };

/// "x", "y", "z" or "norm".
std::string text_of(Component component);

struct MeasuredArrival {
    std::size_t sensor;  ///< index of the sensor in the scenario
    double time;         ///< [s], on the clock of the measurement
};
/// The arrivals of the waves in the whole file, without rows in masks and of weight 0.
std::vector<MeasuredArrival> measured_arrivals(const io::MeasuredTraces& all,
                                               std::span<const std::int64_t> sensors,
                                               std::span<const Mask> masks);

/// The part of the file `name` that a run from 0 to `end` [s] covers, for every clock shift (time
/// on the clock of the measurement when the run begins) from `least_shift` to `most_shift` [s].
/// `offset`: readings without a force need not be 0. Throws InputError, also for numbers that must
/// be in another unit.
Measurement measurement_of(const std::string& name, const io::MeasuredTraces& all,
                           std::span<const std::int64_t> sensors, double end, double least_shift,
                           double most_shift, std::span<const Mask> masks, Component component,
                           bool offset = false);

}  // namespace beadwave::fit
