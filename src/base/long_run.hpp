// Runs that would take longer than anyone waits, recognised by their number of steps before they
// start. The costs of a step are constants and less than on any machine, so that a run is refused
// only if it is hopeless, and on every machine the same one.
#pragma once

#include <string>

namespace beadwave {

/// A run that takes longer than this at the least starts only if the user agrees: 30 days [s].
inline constexpr double longest_unasked_run = 30.0 * 86400.0;

/// Least wall time of a step of a chain or packing, and what it adds per body [s]. A chain of 70
/// beads takes 2.6e-8 s for a step; long chains take 2.6e-10 s per bead on one core.
inline constexpr double least_step_cost = 1e-8, least_body_cost = 2e-12;
/// Least wall time of a step or a sample of a mechanism [s]; two pendulums take 1e-5 s.
inline constexpr double least_mechanism_step_cost = 1e-6;

/// Nothing moves faster [m/s]: numbers that say so are wrong, and would need ever shorter steps.
inline constexpr double speed_of_light = 299792458.0;

/// Lower bound of the wall time of a run of a chain or packing [s].
inline double least_wall_time(double steps, double bodies) {
    return steps * (least_step_cost + bodies * least_body_cost);
}

/// "40 days" or "1.3e+05 years" for a wall time [s].
std::string wall_time_text(double seconds);

/// How to continue a sentence about a run that takes at least so long [s]: what it takes, what is
/// allowed, and how to start it all the same.
std::string too_long_text(double seconds);

}  // namespace beadwave
