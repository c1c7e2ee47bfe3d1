// Where two superellipsoids touch, and one and a plane: the common normal of common_normal.hpp.
//
// The direction n alone does not hold the answer: where a surface is nearly straight, rounding of n
// moves the point with this normal far along it. So the unknowns of Newton's method are the two
// points on their surfaces, with the equations
//
//     n1(x1) = -n2(x2),     p1 - p2 along n1
//
// and the curvatures as derivatives, which are finite everywhere. It converges where the relative
// curvature is not zero: where Hertz's contact exists. Around it is a descent of the overlap f(n)
// over directions, which never grows. A result is verified: both surfaces, both normals, the line.
#pragma once

#include "shapes/common_normal.hpp"
#include "shapes/plane_contact.hpp"
#include "shapes/superellipsoid.hpp"

namespace beadwave::shapes {

struct CommonPoints {
    CommonNormal at;  ///< `misalignment`: p1 - p2 across n, and the angle between normals times the
                      ///< sizes, whichever is larger
    Vector arm_1;     ///< from the centre of the first to its deepest point [m]
    Vector arm_2;     ///< from the centre of the second to its deepest point [m]
};

/// Throws std::runtime_error if no start ends where both normals agree within 1e-12 and p1 - p2 is
/// along them within 1e-12 of the sizes and the distance: never a normal that is not one. `guess`:
/// as in common_normal(). Ellipsoids go through common_normal(), to the bit.
CommonPoints common_points(const Superellipsoid& first, const Superellipsoid& second,
                           const Vector& guess = {0.0, 0.0, 0.0});

/// The result of common_points() without arms and steps.
CommonNormal common_normal(const Superellipsoid& first, const Superellipsoid& second,
                           const Vector& guess = {0.0, 0.0, 0.0});

/// The contact with a half-space in closed form, as of ellipsoids.
PlaneContact contact(const Superellipsoid&, const HalfSpace&);

}  // namespace beadwave::shapes
