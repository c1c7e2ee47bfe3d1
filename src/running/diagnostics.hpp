// Warnings about a run of any system: those known before it starts, for single contacts, and those
// of its sensors.
#pragma once

#include "beadwave/laws/any_law.hpp"
#include "beadwave/observers/sensors.hpp"
#include "beadwave/running/settings.hpp"
#include "beadwave/stepping/time_step.hpp"

#include <span>
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

/// Warns of the sensor whose peak force the steps know least, if a peak may be more than 1 %
/// higher.
void warn_of_missed_peaks(std::vector<std::string>& warnings,
                          std::span<const observers::SensorResult> sensors,
                          const stepping::TimeStep& time_step);

/// Warns of the sensor whose peak force or velocity is known least, to no better than 0.5 %,
/// because forces jump where contacts close and open, at instants that steps know to half a step.
/// That shifts a peak that still rises when the run ends, and the momentum of a body that a short
/// contact pushed. `mass` [kg]: of each sensor's body where its force is the net one; otherwise
/// empty.
void warn_of_jumps(std::vector<std::string>& warnings,
                   std::span<const observers::SensorResult> sensors, std::span<const double> mass,
                   const stepping::TimeStep& time_step);

}  // namespace beadwave::running
