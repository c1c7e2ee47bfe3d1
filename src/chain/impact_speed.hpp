// impact_speed = "initial": the speed of the first impact is used for all contacts, as in
// WangLiu2022.
#pragma once

#include "beadwave/chain/chain.hpp"
#include "beadwave/laws/settings.hpp"
#include "chain/scenario.hpp"

#include <cstddef>

namespace beadwave::chain {

struct Approach {
    double speed = 0.0;       ///< [m/s]
    std::size_t contact = 0;  ///< of the beads here; contact c is before bead c
};
/// The fastest approach at the start among the beads here, with walls at the ends that this process
/// holds; 0 where nothing approaches.
Approach fastest_approach(const Scenario& scenario, const Chain& chain, bool holds_left_end = true,
                          bool holds_right_end = true);

/// Replaces impact_speed = "initial" by `fastest`, the largest approach speed at the start [m/s].
/// Returns false if the law needs the speed and nothing approaches.
bool resolve_impact_speed(laws::Settings& law, double fastest);

/// The error message in this case.
inline constexpr const char* no_impact_speed =
    "missing, and nothing approaches at the start; expected a number above 0, in m/s, or "
    "\"per-contact\" with law.min_impact_speed";

}  // namespace beadwave::chain
