// Compressed chains whose beads carry something.
#pragma once

#include "scenarios.hpp"

#include <cmath>
#include <numbers>

namespace beadwave::validation {

inline constexpr double squeeze = 20.0, bead_mass = 0.45e-3;
inline constexpr std::size_t compressed_beads = 33;

/// Between two fixed beads under `squeeze` [N]; the mode of this number moves slowly.
inline chain::Chain compressed(const chain::Elements& elements, int mode, double speed,
                               const char* law = "hertz") {
    chain::Scenario scenario = steel_chain(compressed_beads, 0.0, law_settings(law), 1e-3);
    scenario.left.kind = scenario.right.kind = chain::EndKind::fixed;
    scenario.precompression = squeeze;
    chain::Chain chain = chain::build_chain(scenario);
    for (std::size_t i = 1; i + 1 < compressed_beads; ++i)
        chain.velocity[i] = speed * std::sin(std::numbers::pi * mode * static_cast<double>(i) /
                                             (compressed_beads - 1));
    chain.elements = elements;
    return chain;
}

}  // namespace beadwave::validation
