#include "shapes/ellipsoid.hpp"

#include "beadwave/argument_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace beadwave::shapes {
namespace {

/// A R^T n in the axes of the body [m].
Vector stretched(const Ellipsoid& e, const Vector& n) {
    const Vector b = to_body(e.orientation, n);
    return {e.semi_axes.x * b.x, e.semi_axes.y * b.y, e.semi_axes.z * b.z};
}

/// A^-1 R^T n in the axes of the body [1/m].
Vector shrunk(const Ellipsoid& e, const Vector& n) {
    const Vector b = to_body(e.orientation, n);
    return {b.x / e.semi_axes.x, b.y / e.semi_axes.y, b.z / e.semi_axes.z};
}

}  // namespace

Ellipsoid require(Ellipsoid e) {
    for (const double axis : {e.semi_axes.x, e.semi_axes.y, e.semi_axes.z}) {
        if (!(axis > 0.0) || !std::isfinite(axis)) {
            throw ArgumentError(
                fmt::format("the semi-axes of an ellipsoid are {:g}, {:g} and {:g}; expected "
                            "numbers above 0, in m",
                            e.semi_axes.x, e.semi_axes.y, e.semi_axes.z));
        }
    }
    const double size = norm(e.orientation);
    if (!(size > 0.0) || !std::isfinite(size)) {
        throw ArgumentError(
            fmt::format("the orientation [{:g}, {:g}, {:g}, {:g}] is no rotation; expected a unit "
                        "quaternion, scalar first",
                        e.orientation.w, e.orientation.x, e.orientation.y, e.orientation.z));
    }
    e.orientation = normalised(e.orientation);
    return e;
}

double reach(const Ellipsoid& e, const Vector& n) {
    return length(stretched(e, n));
}

Vector reach_point(const Ellipsoid& e, const Vector& n) {
    const Vector m = stretched(e, n);
    const double s = 1.0 / length(m);
    return to_space(e.orientation,
                    {s * e.semi_axes.x * m.x, s * e.semi_axes.y * m.y, s * e.semi_axes.z * m.z});
}

PlaneMatrix bending(const Ellipsoid& e, const Vector& n) {
    const std::array<Vector, 2> t = tangents(n);
    const Vector u = shrunk(e, t[0]), w = shrunk(e, t[1]);
    const double h = reach(e, n);
    return {.uu = h * dot(u, u), .uw = h * dot(u, w), .ww = h * dot(w, w)};
}

double smallest_radius(const Ellipsoid& e) {
    const auto [least, most] = std::minmax({e.semi_axes.x, e.semi_axes.y, e.semi_axes.z});
    return least * least / most;
}

}  // namespace beadwave::shapes
