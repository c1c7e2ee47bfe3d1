// Orientations: unit quaternions, scalar first, that turn vectors of the body into space.
#pragma once

#include "shapes/vectors.hpp"

#include <cmath>

namespace beadwave::shapes {

struct Quaternion {
    double w = 1.0, x = 0.0, y = 0.0, z = 0.0;  ///< [-]

    bool operator==(const Quaternion&) const = default;
};

inline double norm(const Quaternion& q) {
    return std::sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
}

inline Quaternion normalised(const Quaternion& q) {
    const double size = norm(q);
    return {q.w / size, q.x / size, q.y / size, q.z / size};
}

/// First `b`, then `a`.
inline Quaternion operator*(const Quaternion& a, const Quaternion& b) {
    return {a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
            a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
            a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
            a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}

/// The orientation after a turn in space, about the axis of the vector by its length [rad].
inline Quaternion turned(const Quaternion& orientation, const Vector& turn) {
    const double angle = std::sqrt(dot(turn, turn));
    if (!(angle > 0.0)) return orientation;
    const Vector v = turn * (std::sin(0.5 * angle) / angle);
    return normalised(Quaternion{std::cos(0.5 * angle), v.x, v.y, v.z} * orientation);
}

/// A vector of the body in space.
inline Vector to_space(const Quaternion& q, const Vector& v) {
    const Vector u{q.x, q.y, q.z};
    const Vector t = 2.0 * cross(u, v);
    return v + q.w * t + cross(u, t);
}

/// A vector of space in the axes of the body.
inline Vector to_body(const Quaternion& q, const Vector& v) {
    return to_space({q.w, -q.x, -q.y, -q.z}, v);
}

}  // namespace beadwave::shapes
