// A solid ellipsoid in space, by its support function
//
//     h(n) = max over its points x of n.(x - c) = |A R^T n|,     A = diag(a, b, c)
//
// whose gradient is the point where the outward normal is n: s(n) = R A^2 R^T n / h. Along unit
// vectors t of the tangent plane the surface bends there by h t.R A^-2 R^T t, because its equation
// x.A^-2 x = 1 has a gradient of the length 2/h. [R. Schneider, Convex Bodies: The Brunn-Minkowski
// Theory, 2014, sections 1.7 and 2.5.] All are exact up to rounding.
#pragma once

#include "shapes/curvatures.hpp"
#include "shapes/quaternion.hpp"
#include "shapes/vectors.hpp"

namespace beadwave::shapes {

struct Ellipsoid {
    Vector semi_axes;          ///< along x, y and z of the body [m], above 0
    Vector centre{};           ///< [m]
    Quaternion orientation{};  ///< unit: require() makes it so
};

/// The ellipsoid with a unit quaternion. Throws ArgumentError, which says what was found and what
/// is allowed, for semi-axes that are not above 0 and finite, or a quaternion of zeros.
Ellipsoid require(Ellipsoid);

/// h(n) [m]: how far the ellipsoid reaches from its centre along the unit vector `n`.
double reach(const Ellipsoid&, const Vector& n);

/// The vector from the centre to the point where the outward normal is the unit vector `n` [m].
Vector reach_point(const Ellipsoid&, const Vector& n);

/// How the surface bends at reach_point(), in the tangents() of `n` [1/m]; those of -n give the
/// same curvatures, in their own tangents.
PlaneMatrix bending(const Ellipsoid&, const Vector& n);

/// The smallest radius of curvature anywhere [m]: the ball of this radius rolls inside everywhere.
double smallest_radius(const Ellipsoid&);

}  // namespace beadwave::shapes
