// The common normal of common_normal.hpp of two bodies that have moved a little since the last one
// was known: Newton's method from there, on unit vectors between ellipsoids and on pairs of points
// otherwise. Two or three steps are enough, and no curvatures are described.
#pragma once

#include "shapes/turned_shape.hpp"

#include <optional>

namespace beadwave::shapes {

struct NearNormal {
    Vector normal;   ///< unit, from the first to the second
    double overlap;  ///< [m]; below 0: apart
    Vector arm_1;    ///< from the centre of the first to its deepest point [m]
    Vector arm_2;    ///< from the centre of the second to its deepest point [m]
};

/// `between`: from the first centre to the second [m]; `last`: of a moment before; ellipsoids take
/// its normal alone. None where the full search is needed: on unit vectors, p1 - p2 does not come
/// within 1e-12 of the sizes of the normal; on points, it and the normals do not come within 2e-15;
/// or the overlap is so large that another direction may overlap less. A result is the least
/// overlap for certain.
std::optional<NearNormal> near_normal(const TurnedShape& first, const TurnedShape& second,
                                      const Vector& between, const NearNormal& last);

}  // namespace beadwave::shapes
