// A superellipsoid around the origin whose axes are vectors in space: made once for all that is
// asked of it in one orientation.
#pragma once

#include "shapes/superellipsoid.hpp"

#include <array>

namespace beadwave::shapes {

struct TurnedShape {
    TurnedShape() = default;
    explicit TurnedShape(const Superellipsoid&);

    void turn(const Quaternion& orientation);

    Vector in_axes(const Vector& v) const {
        return {dot(axis[0], v), dot(axis[1], v), dot(axis[2], v)};
    }
    Vector in_space(const Vector& v) const { return v.x * axis[0] + v.y * axis[1] + v.z * axis[2]; }

    std::array<Vector, 3> axis{};  ///< unit vectors
    Vector semi_axes{};            ///< [m]
    Exponents exponents{};
    bool is_ellipsoid = true;
    double farthest = 0.0;         ///< largest distance of a point from the centre [m]
    double smallest_radius = 0.0;  ///< a ball of this radius rolls inside everywhere [m]
};

}  // namespace beadwave::shapes
