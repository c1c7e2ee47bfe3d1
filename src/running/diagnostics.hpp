// Warnings about a run that are known before it starts, for single contacts of any system.
#pragma once

#include "beadwave/laws/any_law.hpp"
#include "beadwave/running/settings.hpp"
#include "beadwave/stepping/time_step.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace beadwave::running {

/// Warns that the force of a contact with this effective mass [kg] jumps where its motion reverses.
/// Empty: no warning.
std::string steep_damping(const laws::AnyLaw& law, double mass,
                          const stepping::TimeStep& time_step);

/// Warns of a driven "end" or "wall" that touches and starts gently. It closes its contact at the
/// speed that it has after one step, so the impact speed has no physical meaning unless the minimum
/// impact speed is higher. Its approach speed [m/s]: at the start, and after a step. Empty: no
/// warning.
std::string gentle_start(std::string_view driven, const laws::AnyLaw& law, double at_once,
                         double after_a_step);

/// Warns of intervals of samples that are shorter than the time step.
void warn_of_intervals(std::vector<std::string>& warnings, const Settings& settings,
                       const stepping::TimeStep& time_step);

}  // namespace beadwave::running
