#include "mechanism/shapes/outline.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace beadwave::mechanism::shapes {
namespace {

constexpr double turn = 2.0 * std::numbers::pi;

/// The corners of the polygon that remains where a disc with the radius of the corners can move.
std::vector<Vector> core_of(const Polygon& polygon) {
    std::vector<Vector> corners = polygon.corners;
    const std::size_t n = corners.size();
    double area = 0.0;
    for (std::size_t k = 0; k < n; ++k)
        area += cross(corners[k], corners[(k + 1) % n]);
    if (area < 0.0) std::ranges::reverse(corners);
    std::vector<Vector> core;
    for (std::size_t k = 0; k < n; ++k) {
        const Vector in = unit_vector(corners[k] - corners[(k + n - 1) % n]);
        const Vector out = unit_vector(corners[(k + 1) % n] - corners[k]);
        const Vector inward = left_of(in) + left_of(out);
        core.push_back(corners[k] + (polygon.corner_radius / (1.0 + dot(in, out))) * inward);
    }
    return core;
}

struct Maker {
    Outline operator()(const Circle& c) const {
        return Rounded{.core = {c.centre}, .radius = c.radius};
    }
    Outline operator()(const Arc& a) const {
        const Sector sector{.from = a.from_angle, .width = a.to_angle - a.from_angle};
        if (a.side == Arc::Side::inside) return Socket{a.centre, a.radius, sector};
        return Rounded{.core = {a.centre}, .radius = a.radius, .sector = sector};
    }
    Outline operator()(const Segment& s) const {
        return Rounded{.core = {s.from, s.to}, .radius = s.radius};
    }
    Outline operator()(const Polygon& p) const {
        return Rounded{.core = core_of(p), .radius = p.corner_radius};
    }
    Outline operator()(const Ellipse& e) const {
        return make_ellipse(e.centre, e.semi_axes, e.angle);
    }
    Outline operator()(const ClosedCurve& c) const {
        std::vector<Vector> points;
        for (const Vector& point : c.points)
            points.push_back(c.centre + rotated(point, c.angle));
        return make_spline(std::move(points));
    }
};

}  // namespace

bool Sector::whole() const {
    return width >= turn * (1.0 - 1e-12);
}

bool Sector::contains(const Vector& direction) const {
    if (whole()) return true;
    const double beyond = std::fmod(std::atan2(direction[1], direction[0]) - from, turn);
    return (beyond < 0.0 ? beyond + turn : beyond) <= width;
}

std::vector<Vector> Socket::ends() const {
    if (sector.whole()) return {};
    return {centre + radius * rotated({1.0, 0.0}, sector.from),
            centre + radius * rotated({1.0, 0.0}, sector.from + sector.width)};
}

Outline outline_of(const Shape& shape) {
    return std::visit(Maker{}, shape);
}

}  // namespace beadwave::mechanism::shapes
