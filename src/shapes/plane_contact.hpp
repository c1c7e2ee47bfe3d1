// An ellipsoid against a plane wall, in closed form: its deepest point is the one whose outward
// normal points straight into the wall.
#pragma once

#include "shapes/ellipsoid.hpp"

namespace beadwave::shapes {

/// The half space n.x < offset is solid; n is a unit vector and points out of it.
struct HalfSpace {
    Vector normal;  ///< [-]
    double offset;  ///< [m]
};

struct PlaneContact {
    Vector point;           ///< the deepest point of the ellipsoid [m]
    double overlap;         ///< offset - n.point [m]; below 0: apart
    Curvatures curvatures;  ///< of the ellipsoid there
};

PlaneContact contact(const Ellipsoid&, const HalfSpace&);

}  // namespace beadwave::shapes
