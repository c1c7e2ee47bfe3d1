// How to run a chain: how long, what to record.
#pragma once

#include "beadwave/dynamics/time_step.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace beadwave::running {

struct Settings {
    double end = 0.0;                           ///< [s]
    std::optional<double> step{};               ///< [s]; else chosen
    double sleep_speed = 0.0;                   ///< scenario::Time::sleep_speed [m/s]
    bool settled = false;                       ///< starts in equilibrium under gravity
    std::vector<std::int64_t> sensors{};        ///< beads
    std::optional<double> sensor_interval{};    ///< [s]; else a thousandth of the run
    std::optional<double> snapshot_interval{};  ///< [s]; else there are none
    std::optional<double> energy_interval{};    ///< [s]; else as often as costs little

    /// What the choice of the time step asks.
    dynamics::StepRequest step_request() const;
};

}  // namespace beadwave::running
