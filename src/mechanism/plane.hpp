// Vectors of the plane. (C++17, for what includes Simbody.)
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace beadwave::mechanism {

/// A point or a direction in the plane, x and y.
using Vector = std::array<double, 2>;

/// The number of the body that does not move.
inline constexpr std::size_t ground = std::numeric_limits<std::size_t>::max();

inline Vector operator+(const Vector& a, const Vector& b) {
    return {a[0] + b[0], a[1] + b[1]};
}
inline Vector operator-(const Vector& a, const Vector& b) {
    return {a[0] - b[0], a[1] - b[1]};
}
inline Vector operator*(double factor, const Vector& a) {
    return {factor * a[0], factor * a[1]};
}
inline Vector operator-(const Vector& a) {
    return {-a[0], -a[1]};
}
inline double dot(const Vector& a, const Vector& b) {
    return a[0] * b[0] + a[1] * b[1];
}
inline double cross(const Vector& a, const Vector& b) {
    return a[0] * b[1] - a[1] * b[0];
}
inline double length(const Vector& a) {
    return std::hypot(a[0], a[1]);
}

/// A quarter turn to the left.
inline Vector left_of(const Vector& a) {
    return {-a[1], a[0]};
}

/// a turned by an angle [rad].
inline Vector turned(const Vector& a, double angle) {
    const double c = std::cos(angle), s = std::sin(angle);
    return {c * a[0] - s * a[1], s * a[0] + c * a[1]};
}

inline Vector direction(const Vector& a) {
    return (1.0 / length(a)) * a;
}

/// Where a body is and how it moves.
struct BodyMotion {
    Vector centre{};                 ///< [m]
    Vector velocity{};               ///< [m/s]
    Vector acceleration{};           ///< [m/s^2]
    double angle = 0.0;              ///< since the start [rad]
    double spin = 0.0;               ///< [rad/s]
    double spin_acceleration = 0.0;  ///< [rad/s^2]

    /// Where the point is that lay at `offset` from the centre at the start [m].
    Vector at(const Vector& offset) const { return centre + turned(offset, angle); }
    /// Velocity of the body's material at `place` [m/s].
    Vector velocity_at(const Vector& place) const {
        return velocity + spin * left_of(place - centre);
    }
    /// Acceleration of the body's material at `place` [m/s^2].
    Vector acceleration_at(const Vector& place) const {
        const Vector arm = place - centre;
        return acceleration + spin_acceleration * left_of(arm) - (spin * spin) * arm;
    }
};

/// The motion of a body, that of the ground too.
inline const BodyMotion& motion_of(const std::vector<BodyMotion>& bodies, std::size_t body) {
    static const BodyMotion still{};
    return body == ground ? still : bodies[body];
}

/// A force at a body's centre [N], and a torque [N m].
struct Load {
    Vector force{};
    double torque = 0.0;

    /// Adds a force that acts at `place` on a body whose centre is `centre`.
    void add(const Vector& pull, const Vector& place, const Vector& centre) {
        force = force + pull;
        torque += cross(place - centre, pull);
    }
};

}  // namespace beadwave::mechanism
