// impact_speed = "initial": as WangLiu2022 does, the first impact's speed serves all contacts.
#pragma once

#include "beadwave/laws/settings.hpp"

namespace beadwave::chain {

/// Where the law says so, puts `fastest`, with which bodies approach at the start [m/s], in place
/// of the word. False where it is needed and nothing approaches.
bool resolve_impact_speed(laws::Settings& law, double fastest);

/// What is wrong then.
inline constexpr const char* no_impact_speed =
    "missing, and nothing approaches at the start; expected a number above 0, in m/s, or "
    "\"per-contact\" with law.impact_speed_floor";

}  // namespace beadwave::chain
