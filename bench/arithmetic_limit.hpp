// The speed of the arithmetic alone, for comparison with the engines.
#pragma once

#include <cstddef>

namespace beadwave::bench {

inline constexpr std::size_t limit_beads = 128;

/// `steps` steps of `limit_beads` Hertz beads; returns a velocity [m/s]. Stiffness K [N/m^1.5],
/// mass [kg], overlap of the compression [m], time step [s].
double hertz_on_registers(long steps, double stiffness, double mass, double overlap,
                          double time_step);

}  // namespace beadwave::bench
