// Vectors in space, and the tangent plane of a direction.
#pragma once

#include "laws/triple.hpp"

#include <array>
#include <cmath>

namespace beadwave::shapes {

using Vector = laws::Triple<double>;

inline double length(const Vector& v) {
    return std::sqrt(dot(v, v));
}

/// Two unit vectors that make a right-handed frame with the unit vector `n`: {u, w}, u x w = n.
inline std::array<Vector, 2> tangents(const Vector& n) {
    const double x = std::abs(n.x), y = std::abs(n.y), z = std::abs(n.z);
    // The axis that is most across n.
    const Vector axis = x <= y && x <= z ? Vector{1.0, 0.0, 0.0}
                        : y <= z         ? Vector{0.0, 1.0, 0.0}
                                         : Vector{0.0, 0.0, 1.0};
    Vector u = cross(axis, n);
    u = u * (1.0 / length(u));
    return {u, cross(n, u)};
}

}  // namespace beadwave::shapes
