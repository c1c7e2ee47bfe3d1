// impact_speed = "initial": the speed of the first impact is used for all contacts, as in
// WangLiu2022.
#pragma once

#include "beadwave/laws/settings.hpp"

namespace beadwave::chain {

/// Replaces impact_speed = "initial" by `fastest`, the largest approach speed at the start [m/s].
/// Returns false if the law needs the speed and nothing approaches.
bool resolve_impact_speed(laws::Settings& law, double fastest);

/// The error message in this case.
inline constexpr const char* no_impact_speed =
    "missing, and nothing approaches at the start; expected a number above 0, in m/s, or "
    "\"per-contact\" with law.min_impact_speed";

}  // namespace beadwave::chain
