#include "chain/bead_shape.hpp"

#include "beadwave/argument_error.hpp"
#include "beadwave/laws/elliptic_contact.hpp"
#include "shapes/ellipsoid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>

namespace beadwave::chain {
namespace {

using shapes::Vector;

constexpr double straight = std::numeric_limits<double>::infinity();
/// Largest tilt that is taken as none [rad]: quaternions with six digits.
constexpr double no_tilt = 1e-5;

/// A principal axis of an ellipsoid.
struct Axis {
    double length;     ///< semi-axis [m]
    Vector direction;  ///< in space
};

/// The angle between the line of a unit vector and the chain [rad].
double tilt(const Vector& direction) {
    return std::atan2(std::hypot(direction.y, direction.z), std::abs(direction.x));
}

/// How far a direction across the chain is turned about it [rad], from -pi/2 up to pi/2: a line has
/// no sense.
double turn(const Vector& direction) {
    const double angle = std::atan2(direction.z, direction.y);
    if (angle > 0.5 * std::numbers::pi) return angle - std::numbers::pi;
    return angle <= -0.5 * std::numbers::pi ? angle + std::numbers::pi : angle;
}

EllipsoidBead bead_of(double along, const Axis& across, double other) {
    const double p = across.length / along, q = other / along;
    return {.radius = along,
            .shape = {.first = p * p,
                      .second = q * q,
                      .direction = p == q ? 0.0 : turn(across.direction),
                      .volume = BeadShape().volume * p * q}};
}

laws::PrincipalRadii radii(const BeadSurface& bead) {
    return {bead.radius * bead.shape.first, bead.radius * bead.shape.second};
}

}  // namespace

BeadShape cylinder_shape() {
    return {.first = 1.0, .second = straight};
}

EllipsoidBead ellipsoid_bead(const std::array<double, 3>& semi_axes,
                             const std::array<double, 4>& orientation) {
    const auto& [w, x, y, z] = orientation;
    const shapes::Ellipsoid e = shapes::require(
        {.semi_axes = {semi_axes[0], semi_axes[1], semi_axes[2]}, .orientation = {w, x, y, z}});
    const std::array<Axis, 3> axes{{{semi_axes[0], to_space(e.orientation, {1.0, 0.0, 0.0})},
                                    {semi_axes[1], to_space(e.orientation, {0.0, 1.0, 0.0})},
                                    {semi_axes[2], to_space(e.orientation, {0.0, 0.0, 1.0})}}};
    if (axes[0].length == axes[1].length && axes[1].length == axes[2].length)
        return {.radius = axes[0].length, .shape = {}};
    double least = straight;
    for (std::size_t i = 0; i < 3; ++i) {
        const Axis &own = axes[i], &next = axes[(i + 1) % 3], &last = axes[(i + 2) % 3];
        const double own_tilt = tilt(own.direction);
        least = std::min(least, own_tilt);
        if (own_tilt <= no_tilt) return bead_of(own.length, next, last.length);
        // Round about an axis across the chain: any diameter there is a principal axis.
        if (next.length == last.length && 0.5 * std::numbers::pi - own_tilt <= no_tilt)
            return bead_of(next.length, own, next.length);
    }
    throw ArgumentError(fmt::format(
        "tilts the ellipsoid by {:.3g} rad from the chain: it would touch its neighbours off the "
        "axis and turn, which a chain does not compute; expected a principal axis along the chain "
        "(x), or a packing, which does: [[particles]] with shape = \"ellipsoid\"",
        least));
}

laws::Contact bead_contact(const BeadSurface& a, const BeadSurface& b, double angle) {
    if (a.shape.round() && b.shape.round()) {
        return laws::sphere_contact(radii(a).first, a.mass, a.material, radii(b).first, b.mass,
                                    b.material);
    }
    const auto ellipse =
        laws::contact_ellipse(radii(a), radii(b), b.shape.direction - a.shape.direction + angle);
    return laws::elliptic_contact(ellipse, a.mass, a.material, b.mass, b.material);
}

laws::Contact wall_contact(const BeadSurface& bead, const laws::Elasticity& wall) {
    return bead_contact(bead, {straight, {}, straight, wall}, 0.0);
}

}  // namespace beadwave::chain
