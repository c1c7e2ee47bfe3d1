// A motor that follows a smooth curve of displacements.
#pragma once

#include "base/smooth_curve.hpp"
#include "mechanism/mechanism.hpp"

namespace beadwave::mechanism {

/// Displacements [rad or m] over time [s]. The parabolas of the motor's speed are the derivative of
/// the cubic spline, so its acceleration is continuous.
Motor motor_through(const SmoothCurve&);

}  // namespace beadwave::mechanism
