// Hertz's contact of curved surfaces from their curvatures: the ellipse and the stiffness of
// beadwave/laws/elliptic_contact.hpp.
//
// The stiffness belongs to the moment at which the contact closes and stays while it lasts.
// Curvatures that follow the deepest point make K change as the bodies turn, and no torque answers
// for it: the force is then no derivative of an energy, and impacts gain up to 9e-3 of theirs.
// Frozen curvatures keep it to 1e-13.
#pragma once

#include "beadwave/laws/elliptic_contact.hpp"
#include "shapes/common_normal.hpp"
#include "shapes/plane_contact.hpp"

namespace beadwave::shapes {

/// Throws ArgumentError where the curvatures are not finite.
laws::ContactEllipse ellipse(const CommonNormal&);
/// With it Mindlin's stiffness 8 G* sqrt(radius overlap) takes the geometric mean of the ellipse's
/// semi-axes, the circle of the same area [m]. That of an ellipse differs with the direction of the
/// slip; here it does not.
double slip_radius(const laws::ContactEllipse&);
/// The contact ellipse on a flat.
laws::ContactEllipse ellipse(const PlaneContact&);

}  // namespace beadwave::shapes
