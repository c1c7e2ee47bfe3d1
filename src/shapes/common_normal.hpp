// Where two ellipsoids touch: along their common normal. Of all unit vectors n that point from the
// first to the second, it is the one along which they overlap least,
//
//     overlap = min over n of f(n),     f(n) = h1(n) + h2(-n) - n.(c2 - c1)
//
// with the support functions h (ellipsoid.hpp). Below 0 they are apart, by as much. Where f is
// stationary on the sphere, the point p1 of the first with the normal n and the point p2 of the
// second with the normal -n lie on one line along n: p1 - p2 = overlap n. So a force along n acts
// on both in the same line, and -F n is the derivative of any energy U(overlap) by the place of the
// first: angular momentum and energy are kept. (The point midway in the fields x.Q x of both, which
// other programs take, is on no common normal: overlaps differ by up to 4e-3 of themselves.)
//
// Newton's method on the sphere, with the exact second derivative W1 + W2 - f (W: radii of
// curvature). Where it is not positive its eigenvalues are replaced by their sizes, and a step is
// halved until f falls: f never grows.
//
// A stationary point is the least one for certain if the overlap is smaller than the sum of the
// smallest radii of curvature of both, r1 + r2: the balls of these radii roll inside everywhere
// [W. Blaschke, Kreis und Kugel, 1916, section 24], so that f(m) >= f(n) n.m + (r1 + r2)(1 - n.m).
// Ellipsoids that overlap deeper than this are searched from many starts, and `certain` is false.
#pragma once

#include "shapes/ellipsoid.hpp"

namespace beadwave::shapes {

struct CommonNormal {
    Vector normal;        ///< unit vector from the first to the second
    double overlap;       ///< [m]; below 0: the distance between them
    Vector point_1;       ///< deepest point of the first in the second [m]
    Vector point_2;       ///< deepest point of the second in the first [m]
    Curvatures first;     ///< at point_1
    Curvatures second;    ///< at point_2
    Curvatures relative;  ///< of the gap: both matrices added
    double angle;         ///< between the directions of the larger curvatures, 0 to pi/2 [rad]
    double misalignment;  ///< part of p1 - p2 across n [m]: what Newton's method has left
    int starts;           ///< directions that the search began from
    int steps;            ///< of Newton's method, over all starts
    bool certain;         ///< no other direction overlaps less (see above)
};

/// Throws std::runtime_error if no start ends where p1 - p2 is along n within 1e-12 of the sizes
/// and the distance: never a normal that is not one. `guess`, if it is not zero, is where the
/// search starts, such as the normal of a moment before [any length].
CommonNormal common_normal(const Ellipsoid& first, const Ellipsoid& second,
                           const Vector& guess = {0.0, 0.0, 0.0});

}  // namespace beadwave::shapes
