// The first half of a step of velocity Verlet, for many numbers at once.
#pragma once

#include <cstddef>

namespace beadwave::stepping {

/// Adds the half-step velocity change, (dt/2) acceleration, to n velocities, which become those
/// half a step later, and then these times the time step to the displacements. The bits are the
/// same on all instruction sets.
void drift(std::size_t n, double time_step, const double* change, double* velocity,
           double* displacement);

}  // namespace beadwave::stepping
