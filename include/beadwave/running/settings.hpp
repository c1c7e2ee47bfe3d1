// How to run a chain: until when, and what to record.
#pragma once

#include "beadwave/recording/dissipation.hpp"
#include "beadwave/stepping/time_step.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace beadwave::running {

struct Settings {
    double end = 0.0;                           ///< [s]
    std::optional<double> step{};               ///< [s]; none: chosen automatically
    std::optional<double> resolution{};         ///< scenario::Time::resolution [-]
    double sleep_speed = 0.0;                   ///< scenario::Time::sleep_speed [m/s]
    bool starts_in_equilibrium = false;         ///< under gravity
    std::vector<std::int64_t> sensors{};        ///< beads
    std::optional<double> sensor_interval{};    ///< [s]; none: a thousandth of the run
    double arrival_threshold = 0.0;             ///< scenario::Sensors::arrival_threshold [N]
    std::optional<double> snapshot_interval{};  ///< [s]; none: no snapshots
    std::optional<double> energy_interval{};    ///< [s]; none: as often as costs little time
    std::optional<double> measure_interval{};   ///< of stress and structure [s]; none: not measured
    recording::DissipationRecords dissipation{};  ///< of contacts, in snapshots

    /// The settings that the choice of the time step needs.
    stepping::StepRequest step_request() const;
};

}  // namespace beadwave::running
