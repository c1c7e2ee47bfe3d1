// Chains whose beads push each other without contact.
#pragma once

#include "scenarios.hpp"

#include <vector>

namespace beadwave::validation {

inline constexpr double magnet_mass = 2e-3, magnet_radius = 5e-3;

/// Beads whose centres are `spacing` [m] apart, without walls, at rest.
inline chain::Chain magnets(std::size_t count, double spacing,
                            const std::vector<chain::PairForce>& forces, bool fixed,
                            const char* law = "hertz") {
    chain::Scenario scenario =
        steel_chain(static_cast<std::int64_t>(count), 0.0, law_settings(law), 1.0);
    for (chain::Segment& segment : scenario.segments) {
        segment.radius = magnet_radius;
        segment.mass = magnet_mass;
        segment.gap = spacing - 2.0 * magnet_radius;
    }
    if (fixed) scenario.left.kind = scenario.right.kind = chain::EndKind::fixed;
    chain::Chain chain = chain::build_chain(scenario);
    chain.elements.pair_forces = forces;
    return chain;
}

/// A (r0/r)^p between the beads of a chain and their neighbours.
inline chain::PairForce power_law(std::size_t count, double force, double distance, double exponent,
                                  std::size_t neighbours = 1,
                                  double range = laws::PairLaw::no_range) {
    return {.first = 0,
            .last = count - 1,
            .law = laws::PairLaw(distance, exponent, range),
            .force = force,
            .neighbours = neighbours};
}

}  // namespace beadwave::validation
