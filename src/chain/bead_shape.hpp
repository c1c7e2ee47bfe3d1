// What a chain sees of a bead that is no sphere: how far it reaches along the chain, and how it
// bends where the chain's axis leaves it.
//
// A chain is a line: all contacts lie on its axis, and no bead turns. For an ellipsoid this is
// exact if one of its principal axes is along the chain. With the semi-axis r along it and p, q
// across, it reaches as far as r and bends with the radii p^2/r and q^2/r along the directions of p
// and q. Two such beads touch on Hertz's ellipse (beadwave/laws/elliptic_contact.hpp), whose
// stiffness follows from the angle between their directions.
#pragma once

#include "beadwave/laws/contact.hpp"

#include <algorithm>
#include <array>
#include <numbers>

namespace beadwave::chain {

/// By numbers over the bead's radius, which is how far it reaches along the chain: so a bead scales
/// with its radius.
struct BeadShape {
    /// Principal radii of curvature where the chain's axis leaves the bead, over its radius [-];
    /// infinite: straight.
    double first = 1.0, second = 1.0;
    double direction = 0.0;  ///< of the first, turned about the chain from y to z [rad]
    /// Volume over the cube of the radius [-]; not used for cylinders.
    double volume = 4.0 / 3.0 * std::numbers::pi;

    bool round() const { return first == second; }
    /// The least radius of curvature over the bead's radius, at most 1 [-]: overlaps beyond it mean
    /// nothing.
    double sharpest() const { return std::min({1.0, first, second}); }
    bool operator==(const BeadShape&) const = default;
};

/// A cylinder whose axis lies along z, across the chain.
BeadShape cylinder_shape();

/// An ellipsoid with a principal axis along the chain, to 1e-5 rad.
struct EllipsoidBead {
    double radius;  ///< along the chain [m]
    BeadShape shape;
};
/// The chain is along x. Throws ArgumentError, which says what was found and what is expected, for
/// semi-axes that are not above 0, and for an ellipsoid that is tilted: it touches its neighbours
/// off the axis, and turns.
EllipsoidBead ellipsoid_bead(const std::array<double, 3>& semi_axes,
                             const std::array<double, 4>& orientation);

/// A bead as its contacts see it.
struct BeadSurface {
    double radius;  ///< along the chain [m]
    BeadShape shape;
    double mass;  ///< [kg]; infinite: held
    laws::Elasticity material;
};

/// The contact of two beads, of which b is turned about the chain by `angle` [rad] in addition to
/// its own direction. Where both are round it is that of two spheres, to the bit. Throws
/// ArgumentError if they touch along a line.
laws::Contact bead_contact(const BeadSurface& a, const BeadSurface& b, double angle);
/// The contact with a flat wall at rest.
laws::Contact wall_contact(const BeadSurface& bead, const laws::Elasticity& wall);

}  // namespace beadwave::chain
