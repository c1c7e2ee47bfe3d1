// The part that all scenarios have in common, in SI units: plain data that io reads from TOML.
#pragma once

#include "beadwave/laws/contact.hpp"
#include "beadwave/laws/settings.hpp"
#include "beadwave/recording/dissipation.hpp"
#include "scenario/origin.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace beadwave::scenario {

struct Material {
    laws::Elasticity elasticity;
    std::optional<double> density;                          ///< [kg/m^3]
    std::optional<double> specific_heat{}, conductivity{};  ///< [J/(kg K)], [W/(m K)]
};

struct Time {
    double end = 0.0;                    ///< [s]
    std::optional<double> step;          ///< [s]; none: chosen automatically
    std::optional<double> resolution{};  ///< of packings: error that chooses the step [-]
    double sleep_speed = 0.0;            ///< beads slower than this are put to sleep [m/s]; 0: none
};

struct Sensors {
    std::vector<std::int64_t> ids;   ///< of the beads or particles with a sensor
    std::optional<double> interval;  ///< between samples in the history [s]
    /// The threshold above the force at the start [N]; none: the arrival is a hump.
    std::optional<double> arrival_threshold{};
};

/// Intervals between checkpoints; the shorter one decides.
struct Checkpoints {
    std::optional<double> wall_interval;  ///< of wall-clock time [s]
    std::optional<double> interval;       ///< of simulated time [s]
};

struct Common {
    std::string title;
    std::map<std::string, Material, std::less<>> materials;
    laws::Settings law;
    Time time;
    std::optional<Sensors> sensors;
    std::optional<double> snapshot_interval;  ///< [s]
    std::optional<double> energy_interval;    ///< [s]
    std::optional<Checkpoints> checkpoints;
    recording::DissipationRecords dissipation;

    std::string text;  ///< the TOML text as run, overrides applied
    /// The texts of the files that it names, by dotted key ("law.file"): with these the scenario
    /// needs no file.
    std::map<std::string, std::string> file_texts;
    Origin origin;  ///< line of each key, for errors found later
};

}  // namespace beadwave::scenario
