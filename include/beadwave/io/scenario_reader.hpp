// Scenarios from TOML, checked completely: types, ranges, names, unknown keys.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "beadwave/chain/scenario.hpp"

namespace beadwave::io {

struct ReadScenario {
    chain::Scenario scenario;
    /// Keys that are right but have no effect here, a sentence each (psi beside law "hertz").
    std::vector<std::string> notes;
};

/// Reads and checks a scenario; `overrides` are "dotted.key=value" as given to --set.
/// Throws InputError: one sentence that says file, line, key, what was found, what is allowed.
ReadScenario read_scenario(const std::filesystem::path& file, std::span<const std::string> overrides = {});

}  // namespace beadwave::io
