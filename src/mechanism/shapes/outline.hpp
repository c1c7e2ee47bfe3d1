// Shapes as the search for contact points sees them. Three classes are enough: convex cores with a
// rounding (circles, convex arcs, segments, polygons), smooth closed curves, and sockets.
#pragma once

#include "mechanism/shapes/curve.hpp"
#include "mechanism/shapes/shape.hpp"

#include <memory>
#include <optional>
#include <variant>
#include <vector>

namespace beadwave::mechanism::shapes {

/// Directions from `from` on, anticlockwise by `width` [rad].
struct Sector {
    double from, width;

    bool whole() const;
    bool contains(const Vector& direction) const;
};

/// All points within `radius` of the convex polygon `core`, whose corners are anticlockwise: one
/// for a disc, two for a segment.
struct Rounded {
    std::vector<Vector> core;        ///< [m]
    double radius = 0.0;             ///< [m]
    std::optional<Sector> sector{};  ///< of a convex arc: directions in which it touches
};

/// A thin wall along an arc, touched mainly from inside.
struct Socket {
    Vector centre;  ///< [m]
    double radius;  ///< [m]
    Sector sector;

    std::vector<Vector> ends() const;
};

using Outline = std::variant<Rounded, std::shared_ptr<const Curve>, Socket>;

Outline outline_of(const Shape&);

}  // namespace beadwave::mechanism::shapes
