// The samples of a run: their intervals and number, and the stream of the ledger.
#pragma once

#include "beadwave/recording/ledger.hpp"
#include "beadwave/running/settings.hpp"
#include "beadwave/stepping/time_step.hpp"
#include "recording/stream.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace beadwave::running {

/// If the settings give no interval.
inline constexpr double standard_energy_samples = 200.0, standard_sensor_samples = 1000.0;

inline double sensor_interval(const Settings& settings) {
    return settings.sensor_interval.value_or(settings.end / standard_sensor_samples);
}

/// Whole numbers. The ledger may have fewer.
inline recording::Counts sample_counts(const Settings& settings,
                                       const stepping::TimeStep& time_step) {
    const auto of_interval = [&](double interval) {
        const auto steps = static_cast<double>(time_step.count);
        return 1.0 + std::floor(std::min(steps, settings.end / interval));
    };
    return {.sensors = of_interval(sensor_interval(settings)),
            .snapshots = settings.snapshot_interval ? of_interval(*settings.snapshot_interval) : 0,
            .energy = of_interval(
                settings.energy_interval.value_or(settings.end / standard_energy_samples)),
            .measures = settings.measure_interval ? of_interval(*settings.measure_interval) : 0};
}

}  // namespace beadwave::running
