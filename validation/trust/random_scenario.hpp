// Scenarios as nobody would think of them, the same for the same number on every machine.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace beadwave::validation {

struct RandomScenario {
    std::string text;  ///< TOML; a template where END stands for the end time
    std::map<std::string, std::string> files;  ///< texts of the files that it names, by key
    double contacts;                           ///< its length, in shortest contacts [-]
};

/// Mixed materials and sizes, gaps, drives, presses, gravity, precompression, any law with any
/// parameters, damping from none to over-critical.
RandomScenario random_scenario(std::uint64_t number);

}  // namespace beadwave::validation
