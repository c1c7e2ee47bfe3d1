// Random scenarios that nobody would think of: any law with any parameters, mixed materials and
// sizes, damping from none to over-critical. A number gives the same scenario on every machine.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace beadwave::validation {

struct RandomScenario {
    std::string text;                            ///< TOML, with END in place of the end time
    std::map<std::string, std::string> files{};  ///< texts of the files that it names, by key
    double contacts;                             ///< length of the run, in shortest contacts [-]
    double wait = 0.0;                           ///< time before the first contact [s]
};

/// Gaps, drives, presses, gravity, precompression.
RandomScenario random_chain(std::uint64_t number);

/// Oblique collisions of two spheres and with walls, with and without rotation, struck crystals,
/// spheres pressed by a driven wall, clouds that meet; friction, rolling and twisting of every
/// kind, gravity.
RandomScenario random_packing(std::uint64_t number);

/// Spheres that overlap each other and walls at the start, by up to two radii, that are at one
/// place or nearly so, and soft ones so fast that they sink in that deep.
RandomScenario random_overlap(std::uint64_t number);

}  // namespace beadwave::validation
