// Vectors of the plane. (C++17, for what includes Simbody.)
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace beadwave::mechanism {

/// A point or a direction in the plane: x and y.
using Vector = std::array<double, 2>;

/// The index of the body that does not move.
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

/// a, rotated by an angle [rad].
inline Vector rotated(const Vector& a, double angle) {
    const double c = std::cos(angle), s = std::sin(angle);
    return {c * a[0] - s * a[1], s * a[0] + c * a[1]};
}

/// a, scaled to length 1.
inline Vector unit_vector(const Vector& a) {
    return (1.0 / length(a)) * a;
}

/// Position, velocity and acceleration of a body.
struct BodyState {
    Vector centre{};                    ///< [m]
    Vector velocity{};                  ///< [m/s]
    Vector acceleration{};              ///< [m/s^2]
    double angle = 0.0;                 ///< since the start [rad]
    double angular_velocity = 0.0;      ///< [rad/s]
    double angular_acceleration = 0.0;  ///< [rad/s^2]

    /// Position of the point that had this offset from the centre at the start [m].
    Vector at(const Vector& offset) const { return centre + rotated(offset, angle); }
    /// Velocity of the body's material at `position` [m/s].
    Vector velocity_at(const Vector& position) const {
        return velocity + angular_velocity * left_of(position - centre);
    }
    /// Acceleration of the body's material at `position` [m/s^2].
    Vector acceleration_at(const Vector& position) const {
        const Vector arm = position - centre;
        return acceleration + angular_acceleration * left_of(arm) -
               (angular_velocity * angular_velocity) * arm;
    }
};

/// The state of a body, or of the ground.
inline const BodyState& state_of(const std::vector<BodyState>& bodies, std::size_t body) {
    static const BodyState fixed{};
    return body == ground ? fixed : bodies[body];
}

/// A force at the centre of a body [N], and a torque [N m].
struct Load {
    Vector force{};
    double torque = 0.0;

    /// Adds a force that acts at `position` on a body whose centre is `centre`.
    void add(const Vector& added, const Vector& position, const Vector& centre) {
        force = force + added;
        torque += cross(position - centre, added);
    }
};

/// What the first body of a joint does to the second: a force [N] and a torque about the joint's
/// point (revolute) or the second body's centre (slider) [N m]. Motors are part of it.
using JointReaction = Load;

}  // namespace beadwave::mechanism
