// The time step of rigid contacts: they do not vibrate, so what it resolves is the motion.
#pragma once

#include "beadwave/stepping/time_step.hpp"
#include "packing/packing.hpp"

namespace beadwave::packing {

/// Part of a radius that a particle moves in an automatic time step, at the largest speed; a
/// particle at rest that falls by its radius has as many steps as that [-].
inline constexpr double radii_per_step = 0.01;

/// The shortest of: a hundredth of the smallest radius over the largest possible speed, a hundredth
/// of sqrt(radius / gravity), and the usual part of the period of a driven wall. Throws
/// stepping::StepError if nothing moves, or a given step does not resolve a driven wall.
stepping::TimeStep choose_rigid_step(const Packing& packing, const stepping::StepRequest& request);

}  // namespace beadwave::packing
