// When two bodies in free flight touch first.
#pragma once

#include "shapes/body.hpp"

namespace beadwave::shapes {

/// Moves the pair to where it first touches and closes, and returns the time until then [s]. It
/// advances by the gap over the largest speed at which any point of one could approach the other,
/// so it passes no touch, and stops at a gap of 1e-13 of the sizes.
///
/// Throws ArgumentError if the bodies overlap at the start by more than 1e-12 of their sizes, or
/// never meet.
double fly_to_touch(Pair&);

}  // namespace beadwave::shapes
