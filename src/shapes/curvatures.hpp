// How a surface bends where it has a normal: its curvatures in the tangent plane.
#pragma once

#include "shapes/vectors.hpp"

namespace beadwave::shapes {

/// A symmetric matrix in the tangent plane of a normal, in the two vectors of tangents().
struct PlaneMatrix {
    double uu, uw, ww;
};

inline PlaneMatrix operator+(const PlaneMatrix& a, const PlaneMatrix& b) {
    return {a.uu + b.uu, a.uw + b.uw, a.ww + b.ww};
}

struct Curvatures {
    double larger, smaller;  ///< [1/m], positive where convex
    Vector direction;        ///< unit vector along which the surface bends more; any if they agree
};

/// Eigenvalues and the direction of the larger one, in the tangent plane of the unit vector `n`.
Curvatures principal(const PlaneMatrix& curvature, const Vector& n);

}  // namespace beadwave::shapes
