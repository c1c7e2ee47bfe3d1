// The speed of the arithmetic alone, to compare engines with.
#pragma once

#include <cstddef>

namespace beadwave::bench {

inline constexpr std::size_t limit_beads = 128;

/// `steps` steps of `limit_beads` Hertz beads; returns some velocity [m/s]. Stiffness K [N/m^1.5],
/// mass [kg], compressing overlap [m], time step [s].
double hertz_on_registers(long steps, double stiffness, double mass, double overlap,
                          double time_step);

}  // namespace beadwave::bench
