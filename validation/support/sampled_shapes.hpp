// Shapes as dense points, and what lies inside them, written from their definitions alone. The
// overlap of two shapes by search over samples, refined: the reference for shapes/pair.hpp.
#pragma once

#include "mechanism/shapes/curve.hpp"
#include "mechanism/shapes/shape.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <utility>
#include <vector>

namespace beadwave::validation {

using mechanism::Vector;
using mechanism::operator+;
using mechanism::operator-;
using mechanism::operator*;
using mechanism::cross;
using mechanism::dot;
using mechanism::length;
using mechanism::rotated;
using mechanism::unit_vector;

/// An outline as a function of 0 to 1 once around (or along, if it is open).
using OutlineFunction = std::function<Vector(double)>;

/// A polygon with its corners cut by arcs: centres of the arcs from the bisectors.
struct RoundedCorners {
    std::vector<Vector> corners, centres;  // anticlockwise
    double radius;

    explicit RoundedCorners(const mechanism::shapes::Polygon& p)
        : corners(p.corners), radius(p.corner_radius) {
        double area = 0.0;
        for (std::size_t k = 0; k < corners.size(); ++k)
            area += cross(corners[k], next(k));
        if (area < 0.0) std::ranges::reverse(corners);
        for (std::size_t k = 0; k < corners.size(); ++k) {
            const Vector to_last = unit_vector(last(k) - corners[k]);
            const Vector to_next = unit_vector(next(k) - corners[k]);
            const double half = 0.5 * std::acos(dot(to_last, to_next));
            centres.push_back(corners[k] +
                              (radius / std::sin(half)) * unit_vector(to_last + to_next));
        }
    }
    const Vector& next(std::size_t k) const { return corners[(k + 1) % corners.size()]; }
    const Vector& last(std::size_t k) const {
        return corners[(k + corners.size() - 1) % corners.size()];
    }
    /// Where the arc at corner k begins and ends.
    std::pair<Vector, Vector> tangents(std::size_t k) const {
        const Vector in = unit_vector(corners[k] - last(k)),
                     out = unit_vector(next(k) - corners[k]);
        return {corners[k] + dot(centres[k] - corners[k], in) * in,
                corners[k] + dot(centres[k] - corners[k], out) * out};
    }
    bool contains(const Vector& p) const {
        for (std::size_t k = 0; k < corners.size(); ++k) {
            if (cross(next(k) - corners[k], p - corners[k]) < 0.0) return false;
            const auto [begin, end] = tangents(k);
            const bool cut = dot(p - begin, corners[k] - last(k)) > 0.0 &&
                             dot(p - end, next(k) - corners[k]) < 0.0;
            if (cut && length(p - centres[k]) > radius) return false;
        }
        return true;
    }
};

/// Pieces joined to one function of 0 to 1.
inline OutlineFunction joined(std::vector<OutlineFunction> pieces) {
    return [pieces](double s) {
        const double n = static_cast<double>(pieces.size());
        const double place = std::min((s - std::floor(s)) * n, n * (1.0 - 1e-16));
        const auto k = std::min(static_cast<std::size_t>(place), pieces.size() - 1);
        return pieces[k](place - static_cast<double>(k));
    };
}

inline OutlineFunction arc_piece(Vector centre, double radius, double from, double width) {
    return [=](double s) { return centre + radius * rotated({1.0, 0.0}, from + width * s); };
}

inline OutlineFunction line_piece(Vector from, Vector to) {
    return [=](double s) { return (1.0 - s) * from + s * to; };
}

inline OutlineFunction outline_function(const mechanism::shapes::Shape& shape) {
    constexpr double pi = std::numbers::pi;
    if (const auto* c = std::get_if<mechanism::shapes::Circle>(&shape))
        return arc_piece(c->centre, c->radius, 0.0, 2.0 * pi);
    if (const auto* a = std::get_if<mechanism::shapes::Arc>(&shape)) {
        const auto piece =
            arc_piece(a->centre, a->radius, a->from_angle, a->to_angle - a->from_angle);
        return [piece](double s) { return piece(std::clamp(s, 0.0, 1.0)); };
    }
    if (const auto* s = std::get_if<mechanism::shapes::Segment>(&shape)) {
        const double angle = std::atan2(s->to[1] - s->from[1], s->to[0] - s->from[0]);
        const Vector side = s->radius * rotated({0.0, -1.0}, angle);
        return joined({line_piece(s->from + side, s->to + side),
                       arc_piece(s->to, s->radius, angle - 0.5 * pi, pi),
                       line_piece(s->to - side, s->from - side),
                       arc_piece(s->from, s->radius, angle + 0.5 * pi, pi)});
    }
    if (const auto* p = std::get_if<mechanism::shapes::Polygon>(&shape)) {
        const RoundedCorners rounded(*p);
        std::vector<OutlineFunction> pieces;
        for (std::size_t k = 0; k < rounded.corners.size(); ++k) {
            const auto [begin, end] = rounded.tangents(k);
            const Vector arm = begin - rounded.centres[k], other = end - rounded.centres[k];
            pieces.push_back(arc_piece(rounded.centres[k], rounded.radius,
                                       std::atan2(arm[1], arm[0]),
                                       std::atan2(cross(arm, other), dot(arm, other))));
            pieces.push_back(
                line_piece(end, rounded.tangents((k + 1) % rounded.corners.size()).first));
        }
        return joined(pieces);
    }
    if (const auto* e = std::get_if<mechanism::shapes::Ellipse>(&shape)) {
        return [e = *e](double s) {
            const double t = 2.0 * std::numbers::pi * s;
            return e.centre +
                   rotated({e.semi_axes[0] * std::cos(t), e.semi_axes[1] * std::sin(t)}, e.angle);
        };
    }
    const auto& c = std::get<mechanism::shapes::ClosedCurve>(shape);
    std::vector<Vector> points;
    for (const Vector& point : c.points)
        points.push_back(c.centre + rotated(point, c.angle));
    double around = 0.0;
    for (std::size_t k = 0; k < points.size(); ++k)
        around += length(points[(k + 1) % points.size()] - points[k]);
    return [curve = mechanism::shapes::make_spline(points), around](double s) {
        return curve->at(around * s).position;
    };
}

inline std::vector<Vector> sampled(const OutlineFunction& outline, int count) {
    std::vector<Vector> points;
    for (int k = 0; k < count; ++k)
        points.push_back(outline((k + 0.5) / count));
    return points;
}

/// Whether the point is inside a closed line through these points.
inline bool winds_around(const std::vector<Vector>& line, const Vector& p) {
    bool inside = false;
    for (std::size_t k = 0; k < line.size(); ++k) {
        const Vector& a = line[k];
        const Vector& b = line[(k + 1) % line.size()];
        if ((a[1] > p[1]) != (b[1] > p[1]) &&
            p[0] < a[0] + (p[1] - a[1]) / (b[1] - a[1]) * (b[0] - a[0]))
            inside = !inside;
    }
    return inside;
}

/// How far the outline reaches along n, by samples that close in.
inline double reach_along(const OutlineFunction& outline, const Vector& n) {
    constexpr int coarse = 400;
    double best = 0.0, most = -std::numeric_limits<double>::infinity();
    for (int k = 0; k < coarse; ++k) {
        const double reach = dot(outline(static_cast<double>(k) / coarse), n);
        if (reach > most) most = reach, best = static_cast<double>(k) / coarse;
    }
    double width = 1.0 / coarse;
    for (int pass = 0; pass < 13; ++pass, width *= 0.25) {
        const double middle = best;
        for (int k = -8; k <= 8; ++k) {
            const double s = middle + width * k / 8.0, reach = dot(outline(s), n);
            if (reach > most) most = reach, best = s;
        }
    }
    return most;
}

/// The overlap of two convex outlines: the smallest over all directions, by samples that close in.
inline double sampled_overlap(const OutlineFunction& first, const OutlineFunction& second) {
    const auto along = [&](double angle) {
        const Vector n = rotated({1.0, 0.0}, angle);
        return reach_along(second, n) + reach_along(first, -n);
    };
    // Coarse: from the same samples for all directions.
    const std::vector<Vector> a = sampled(first, 1000), b = sampled(second, 1000);
    double best = 0.0, least = std::numeric_limits<double>::infinity();
    constexpr int coarse = 720;
    for (int k = 0; k < coarse; ++k) {
        const double angle = 2.0 * std::numbers::pi * k / coarse;
        const Vector n = rotated({1.0, 0.0}, angle);
        double reach_a = -1e300, reach_b = -1e300;
        for (const Vector& p : a)
            reach_a = std::max(reach_a, -dot(p, n));
        for (const Vector& p : b)
            reach_b = std::max(reach_b, dot(p, n));
        if (reach_a + reach_b < least) least = reach_a + reach_b, best = angle;
    }
    double width = 2.0 * std::numbers::pi / coarse;
    least = along(best);
    for (int pass = 0; pass < 24; ++pass, width *= 0.4) {
        const double middle = best;
        for (int k = -3; k <= 3; ++k) {
            if (k == 0) continue;
            const double angle = middle + width * k / 3.0, overlap = along(angle);
            if (overlap < least) least = overlap, best = angle;
        }
    }
    return least;
}

/// Whether a solid shape contains the point. An arc is thin: it contains nothing.
inline std::function<bool(const Vector&)> contains_function(const mechanism::shapes::Shape& shape) {
    if (const auto* c = std::get_if<mechanism::shapes::Circle>(&shape))
        return [c = *c](const Vector& p) { return length(p - c.centre) < c.radius; };
    if (std::holds_alternative<mechanism::shapes::Arc>(shape))
        return [](const Vector&) { return false; };
    if (const auto* s = std::get_if<mechanism::shapes::Segment>(&shape)) {
        return [s = *s](const Vector& p) {
            const Vector along = s.to - s.from;
            const double t = std::clamp(dot(p - s.from, along) / dot(along, along), 0.0, 1.0);
            return length(p - (s.from + t * along)) < s.radius;
        };
    }
    if (const auto* p = std::get_if<mechanism::shapes::Polygon>(&shape))
        return [r = RoundedCorners(*p)](const Vector& q) { return r.contains(q); };
    if (const auto* e = std::get_if<mechanism::shapes::Ellipse>(&shape)) {
        return [e = *e](const Vector& p) {
            const Vector q = rotated(p - e.centre, -e.angle);
            return std::hypot(q[0] / e.semi_axes[0], q[1] / e.semi_axes[1]) < 1.0;
        };
    }
    return [line = sampled(outline_function(shape), 1000)](const Vector& p) {
        return winds_around(line, p);
    };
}

/// Open lines that two rounded shapes may not cross: outlines without their rounding. Empty for
/// shapes that are round all over.
inline std::vector<Vector> core_line(const mechanism::shapes::Shape& shape) {
    if (const auto* s = std::get_if<mechanism::shapes::Segment>(&shape)) return {s->from, s->to};
    if (std::holds_alternative<mechanism::shapes::Arc>(shape))
        return sampled(outline_function(shape), 300);
    if (const auto* p = std::get_if<mechanism::shapes::Polygon>(&shape)) {
        std::vector<Vector> line = RoundedCorners(*p).centres;
        line.push_back(line.front());
        return line;
    }
    return {};
}

inline bool lines_cross(const std::vector<Vector>& a, const std::vector<Vector>& b) {
    const auto side = [](const Vector& p, const Vector& q, const Vector& r) {
        return cross(q - p, r - p) > 0.0;
    };
    for (std::size_t i = 1; i < a.size(); ++i) {
        for (std::size_t k = 1; k < b.size(); ++k) {
            if (side(a[i - 1], a[i], b[k - 1]) != side(a[i - 1], a[i], b[k]) &&
                side(b[k - 1], b[k], a[i - 1]) != side(b[k - 1], b[k], a[i]))
                return true;
        }
    }
    return false;
}

}  // namespace beadwave::validation
