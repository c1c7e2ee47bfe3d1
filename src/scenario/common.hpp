// What every scenario says, whatever it describes, in SI units: plain data that io reads from TOML.
#pragma once

#include "beadwave/laws/contact.hpp"
#include "beadwave/laws/settings.hpp"
#include "scenario/origin.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace beadwave::scenario {

struct Material {
    laws::Elasticity elasticity;
    std::optional<double> density;  ///< [kg/m^3]
};

struct Time {
    double end = 0.0;            ///< [s]
    std::optional<double> step;  ///< [s]; else chosen
    double sleep_speed = 0.0;    ///< beads slower than this are put to rest [m/s]; 0: none ever is
};

struct Sensors {
    std::vector<std::int64_t> ids;   ///< of the beads or particles that have one
    std::optional<double> interval;  ///< between samples in the history [s]
};

/// When checkpoints are written; whichever comes first.
struct Checkpoints {
    std::optional<double> every;     ///< of the clock on the wall [s]
    std::optional<double> interval;  ///< of simulated time [s]
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

    std::string text;  ///< the TOML text as run, overrides applied
    /// The texts of the files that it names, by dotted key ("law.file"): with them it needs no
    /// file.
    std::map<std::string, std::string> file_texts;
    Origin origin;  ///< where each key stands, for errors found later
};

}  // namespace beadwave::scenario
