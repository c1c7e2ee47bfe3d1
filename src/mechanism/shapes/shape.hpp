// The outlines that bodies of a mechanism touch with: what a scenario gives. Points and angles are
// those of the frame of the ground at the start, or of a body's frame: outlines do not care.
#pragma once

#include "mechanism/plane.hpp"

#include <array>
#include <string>
#include <variant>
#include <vector>

namespace beadwave::mechanism::shapes {

/// A solid disc.
struct Circle {
    Vector centre{};      ///< [m]
    double radius = 0.0;  ///< [m]
};

/// Part of a circle, anticlockwise between two directions seen from its centre. Touched from
/// outside, it is the round face of a solid body; beyond its ends there is nothing. Touched from
/// inside, it is a socket: a thin wall, whose ends touch, too, and which can also be touched from
/// behind.
struct Arc {
    enum class Side { outside, inside };

    Vector centre{};         ///< [m]
    double radius = 0.0;     ///< [m]
    double from_angle = 0.;  ///< [rad]
    double to_angle = 0.0;   ///< [rad], above from_angle by 2 pi at most
    Side side = Side::outside;
};

/// A straight thin wall of finite length, touched from both sides and at its ends.
struct Segment {
    Vector from{}, to{};  ///< [m]
    double radius = 0.0;  ///< half its thickness, and that of its round ends [m]
};

/// A convex polygon whose corners are rounded: the sides touch the arcs, inside the corners.
struct Polygon {
    std::vector<Vector> corners;  ///< in order, either way round [m]
    double corner_radius = 0.0;   ///< [m]
};

struct Ellipse {
    Vector centre{};                    ///< [m]
    std::array<double, 2> semi_axes{};  ///< [m]
    double angle = 0.0;                 ///< direction of the first semi-axis [rad]
};

/// A closed curve through points: a periodic cubic spline over the length of the chords.
struct ClosedCurve {
    std::vector<Vector> points;  ///< in order, either way round; the first is not repeated [m]
    Vector centre{};             ///< where the origin of the points is [m]
    double angle = 0.0;          ///< direction of their x-axis [rad]
};

using Shape = std::variant<Circle, Arc, Segment, Polygon, Ellipse, ClosedCurve>;

/// Throws ArgumentError, which says in one sentence what is wrong.
void check(const Shape&);
/// Whether the two can touch in the way that the contact points describe; throws ArgumentError.
void check(const Shape& first, const Shape& second);

/// The shape, moved by `offset` [m].
Shape moved(const Shape&, const Vector& offset);

}  // namespace beadwave::mechanism::shapes
