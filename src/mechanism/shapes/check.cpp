// What shapes must be, and which pairs can touch. Every condition that a pair has makes its contact
// points unique and smooth: where one shape is hollow, the other must be more strongly curved.
#include "beadwave/argument_error.hpp"
#include "mechanism/shapes/outline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

namespace beadwave::mechanism::shapes {
namespace {

constexpr double rounding = 1e-9;

template <class... Values>
[[noreturn]] void fail(fmt::format_string<Values...> text, Values&&... values) {
    throw ArgumentError(fmt::format(text, std::forward<Values>(values)...));
}

void need_above_zero(double value, const char* name) {
    if (!(value > 0.0 && std::isfinite(value)))
        fail("{} is {:g}; give a number above 0, in m", name, value);
}

struct ShapeCheck {
    void operator()(const Circle& c) const { need_above_zero(c.radius, "radius"); }
    void operator()(const Arc& a) const {
        need_above_zero(a.radius, "radius");
        const double width = a.to_angle - a.from_angle;
        if (!(width > 0.0 && width <= 2.0 * std::numbers::pi * (1.0 + rounding)))
            fail("to_angle must be above from_angle, by 2 pi at most; it is {:g} rad above it",
                 width);
    }
    void operator()(const Segment& s) const {
        if (!(length(s.to - s.from) > 0.0)) fail("from and to are the same point");
        if (!(s.radius >= 0.0)) fail("end_radius is {:g}; give a number from 0, in m", s.radius);
    }
    void operator()(const Polygon& p) const {
        need_above_zero(p.corner_radius, "corner_radius");
        const std::size_t n = p.corners.size();
        if (n < 3) fail("a polygon needs three corners or more, not {}", n);
        double turned = 0.0;
        std::vector<double> turns;
        for (std::size_t k = 0; k < n; ++k) {
            const Vector in = p.corners[k] - p.corners[(k + n - 1) % n];
            const Vector out = p.corners[(k + 1) % n] - p.corners[k];
            if (length(out) == 0.0) fail("corner {} repeats the one before it", (k + 1) % n);
            turns.push_back(std::atan2(cross(in, out), dot(in, out)));
            turned += turns.back();
        }
        for (std::size_t k = 0; k < n; ++k) {
            if (!(turns[k] * turned > 0.0))
                fail("the polygon is not convex at corner {}; use several convex ones", k);
        }
        if (std::abs(turned) > 3.0 * std::numbers::pi) fail("the polygon winds around itself");
        for (std::size_t k = 0; k < n; ++k) {
            const std::size_t after = (k + 1) % n;
            const double side = length(p.corners[after] - p.corners[k]);
            const double arcs = p.corner_radius * (std::tan(0.5 * std::abs(turns[k])) +
                                                   std::tan(0.5 * std::abs(turns[after])));
            if (!(arcs < side)) {
                fail(
                    "corner_radius is {:g} m; the arcs of corners {} and {} leave nothing of the "
                    "side between them",
                    p.corner_radius, k, after);
            }
        }
    }
    void operator()(const Ellipse& e) const {
        for (const double axis : e.semi_axes)
            need_above_zero(axis, "semi_axes");
    }
    void operator()(const ClosedCurve& c) const {
        constexpr std::size_t least = 4;
        const std::size_t n = c.points.size();
        if (n < least) fail("a closed curve needs {} points or more, not {}", least, n);
        for (std::size_t k = 0; k < n; ++k) {
            if (length(c.points[(k + 1) % n] - c.points[k]) > 0.0) continue;
            if (k + 1 == n) fail("the last point repeats the first; leave it out");
            fail("point {} repeats the one before it", k + 1);
        }
        const auto curve = make_spline(c.points);
        double turned = 0.0;
        const auto& samples = curve->samples();
        for (std::size_t k = 0; k < samples.size(); ++k) {
            const Vector& a = samples[k].first;
            const Vector& b = samples[(k + 1) % samples.size()].first;
            turned += std::atan2(cross(a, b), dot(a, b));
        }
        if (!(std::abs(turned - 2.0 * std::numbers::pi) <= rounding))
            fail("the curve crosses itself, or its points are not in order");
    }
};

struct PairCheck {
    using CurvePointer = std::shared_ptr<const Curve>;

    void operator()(const Rounded& a, const Rounded& b) const {
        if (!(a.radius + b.radius > 0.0))
            fail("two segments without end_radius cannot touch; give one of them an end_radius");
    }
    void operator()(const Rounded& a, const CurvePointer& b) const {
        if (b->convex()) return;
        if (a.core.size() > 1) {
            fail(
                "the closed curve has a hollow of radius {:.3g} m, which a straight side does not "
                "fit into; use a circle",
                b->hollow_radius());
        }
        need_fit(a.radius, b->hollow_radius(), "a hollow of the closed curve");
    }
    void operator()(const Rounded& a, const Socket& b) const {
        if (!(a.radius > 0.0))
            fail(
                "a segment without end_radius cannot touch an arc from inside; give it an "
                "end_radius");
        need_fit(a.radius, b.radius, "the arc");
    }
    void operator()(const CurvePointer& a, const CurvePointer& b) const {
        for (const CurvePointer& curve : {a, b}) {
            if (!curve->convex()) {
                fail(
                    "the closed curve has a hollow of radius {:.3g} m; in a pair with another "
                    "curve both must be convex",
                    curve->hollow_radius());
            }
        }
    }
    void operator()(const CurvePointer& a, const Socket& b) const {
        need_fit(a->largest_radius(), b.radius, "the arc");
    }
    void operator()(const Socket&, const Socket&) const {
        fail("two arcs that are touched from inside cannot touch each other");
    }
    template <class A, class B>
    void operator()(const A& a, const B& b) const {
        (*this)(b, a);
    }

    static void need_fit(double radius, double hollow, const char* what) {
        if (radius < hollow) return;
        fail(
            "the other shape does not fit into {}: its largest radius of curvature, {:.6g} m, must "
            "be smaller than {:.6g} m",
            what, radius, hollow);
    }
};

}  // namespace

void check(const Shape& shape) {
    std::visit(ShapeCheck{}, shape);
}

void check(const Shape& first, const Shape& second) {
    std::visit(PairCheck{}, outline_of(first), outline_of(second));
}

}  // namespace beadwave::mechanism::shapes
