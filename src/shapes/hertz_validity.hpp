// Where Hertz's elliptic contact holds: it takes the gap between both surfaces as a paraboloid, on
// all of the ellipse on which they touch. Superellipsoids bend differently from place to place, and
// not at all where they cross their planes of symmetry.
#pragma once

#include "shapes/body.hpp"

namespace beadwave::shapes {

/// Throws ArgumentError, which says what was found and what is expected, where the gap has no
/// paraboloid: the radius of its smaller relative curvature is more than a million times the
/// largest reach of the bodies (flat on flat, or on a wall), or one touches with an end of its
/// third axis at which it has no curvatures (is_sharp_pole()).
void require_curved(const Pair&, const Gap&);

/// The gap between both surfaces over that of its paraboloid, less 1, at the four ends of an
/// ellipse with these semi-axes [m] around the point of contact: the one of the largest size.
/// Infinite if an end lies beyond one of the bodies. The greater semi-axis is along the smaller
/// curvature.
double departure_from_paraboloid(const Pair&, const Gap&, double semi_major, double semi_minor);

}  // namespace beadwave::shapes
