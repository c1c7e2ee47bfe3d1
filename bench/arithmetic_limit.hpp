// The speed of the arithmetic alone, for comparison with the engines.
#pragma once

#include <cstddef>

namespace beadwave::bench {

/// `steps` steps of chains of Hertz beads between fixed ends, one chain per lane of a register, all
/// contacts closed; `velocity` gets that of a bead [m/s]. Returns the number of beads. Stiffness K
/// [N/m^1.5], mass [kg], overlap of the compression [m], time step [s].
std::size_t hertz_in_lanes(long steps, double stiffness, double mass, double overlap,
                           double time_step, double& velocity);

}  // namespace beadwave::bench
