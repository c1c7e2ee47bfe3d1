// Scenarios as nobody would think of them, the same for the same number on every machine: any law
// with any parameters, mixed materials and sizes, damping from none to over-critical.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace beadwave::validation {

struct RandomScenario {
    std::string text;  ///< TOML; a template where END stands for the end time
    std::map<std::string, std::string> files{};  ///< texts of the files that it names, by key
    double contacts;                             ///< its length, in shortest contacts [-]
    double wait = 0.0;                           ///< before the first contact [s]
};

/// Gaps, drives, presses, gravity, precompression.
RandomScenario random_chain(std::uint64_t number);

/// Oblique and spinning collisions of two spheres and with walls, struck crystals, spheres pressed
/// by a driven wall, clouds that meet; friction, rolling and twisting of every kind, gravity.
RandomScenario random_packing(std::uint64_t number);

}  // namespace beadwave::validation
