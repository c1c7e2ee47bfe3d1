// The number of samples of a run.
#pragma once

#include "beadwave/dynamics/time_step.hpp"
#include "beadwave/running/settings.hpp"

#include <cmath>

namespace beadwave::running {

/// If the settings give no interval.
inline constexpr double standard_energy_samples = 200.0, standard_sensor_samples = 1000.0;

struct SampleCounts {
    double sensors, snapshots, energy;
};

/// Whole numbers, as doubles because they may exceed every integer type. The ledger may have fewer.
inline SampleCounts sample_counts(const Settings& settings, const dynamics::TimeStep& time_step) {
    const auto of_interval = [&](double interval) {
        const auto steps = static_cast<double>(time_step.count);
        return 1.0 + std::floor(std::min(steps, settings.end / interval));
    };
    return {
        .sensors =
            of_interval(settings.sensor_interval.value_or(settings.end / standard_sensor_samples)),
        .snapshots = settings.snapshot_interval ? of_interval(*settings.snapshot_interval) : 0,
        .energy =
            of_interval(settings.energy_interval.value_or(settings.end / standard_energy_samples))};
}

}  // namespace beadwave::running
