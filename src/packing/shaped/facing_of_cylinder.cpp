// Where a superellipsoid touches an endless cylinder, from inside or from outside. Seen along the
// axis the body has a shadow, whose reach from the axis in the direction n(a) of an angle a is
//
//     g(a) = h(n) + n.c        h: support function of the body, c: its centre from the axis
//
// with g' = p.t and g'' = R - g: p is the point of the body with the normal n, t is across n, and R
// is the radius of curvature of the shadow there. Where g' is 0 the point is on the line from the
// axis along n. A body outside touches where g is the least. A body inside touches where g is the
// largest and above the radius; beside a place that is flatter than the wall there are two largest
// reaches with a least one between them. The energy of the contact is then
//
//     E = sum over the largest U(g - radius)  -  sum over the least between them, above it
//
// with the law's U. Where a largest and a least meet, both end, and their energies and forces
// cancel: so E and its forces are continuous, and a body that rocks or rolls over its flat places
// keeps its energy. On a wall that is nearly flat E is that of one contact.

#include "laws/root_between.hpp"
#include "packing/shaped/shaped_surface.hpp"
#include "packing/vector_length.hpp"
#include "shapes/superellipsoid.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>
#include <vector>

namespace beadwave::packing {
namespace {

class Shadow {
  public:
    Shadow(const shapes::Superellipsoid& body, const Vec3& axis)
        : body_(body), axis_(axis), centre_(body.centre - dot(body.centre, axis) * axis) {
        away_ = length_of(centre_);
        one_ = away_ > 0.0 ? centre_ * (1.0 / away_) : shapes::tangents(axis)[0];
        two_ = cross(axis, one_);
    }

    double away() const { return away_; }
    /// The angle is that about the axis from the body's centre.
    Vec3 normal(double angle) const { return std::cos(angle) * one_ + std::sin(angle) * two_; }
    double reach(double angle) const {
        const Vec3 n = normal(angle);
        return shapes::reach(body_, n) + dot(n, centre_);
    }
    double slope(double angle) const {
        const Vec3 n = normal(angle);
        return dot(reach_point(body_, n) + centre_, cross(axis_, n));
    }
    /// R - g: above 0 where the shadow is flatter than a circle about the axis.
    double flatness(double angle) const {
        const Vec3 n = normal(angle);
        const shapes::PlaneMatrix bends = bending(body_, n);
        const std::array<Vec3, 2> t = shapes::tangents(n);
        const Vec3 across = cross(axis_, n);
        const double u = dot(across, t[0]), v = dot(across, t[1]);
        // In the directions across the axis and along it; on flat places they vanish.
        const double own = u * u * bends.uu + 2.0 * u * v * bends.uw + v * v * bends.ww,
                     along = v * v * bends.uu - 2.0 * u * v * bends.uw + u * u * bends.ww,
                     both = u * v * (bends.ww - bends.uu) + (u * u - v * v) * bends.uw;
        const double bend = along > 0.0 ? own - both * both / along : own;
        constexpr double endless = std::numeric_limits<double>::max();
        return bend > 0.0 ? 1.0 / bend - reach(angle) : endless;
    }

  private:
    const shapes::Superellipsoid& body_;
    Vec3 axis_, centre_, one_{}, two_{};
    double away_ = 0.0;
};

[[noreturn]] void refuse_lost_points() {
    throw std::runtime_error(
        "the points at which a superellipsoid touches a cylinder cannot be found");
}

/// Angles, ascending, between which the slope of the reach has one zero at most, near where the
/// reach may pass `radius`.
class Pieces {
  public:
    Pieces(const Shadow& shadow, double radius, double half, double size) : shadow_(shadow) {
        for (int k = 0; k <= count; ++k) {
            angle_[k] = half * (2.0 * k / count - 1.0);
            reach_[k] = shadow.reach(angle_[k]);
        }
        // The slope is at most the distance of a point of the body from its centre, and its part of
        // that of the centre.
        const double pitch = 2.0 * half / count;
        const auto is_near = [&](int k) {
            const double slope = size + shadow.away() * std::max(std::abs(std::sin(angle_[k])),
                                                                 std::abs(std::sin(angle_[k + 1])));
            return std::max(reach_[k], reach_[k + 1]) + slope * pitch > radius;
        };
        int first = count, last = -1;
        for (int k = 0; k < count; ++k) {
            if (!is_near(k)) continue;
            first = std::min(first, k);
            last = std::max(last, k + 1);
        }
        if (last < 0) return;
        for (int k = first; k <= last; ++k) {
            flatness_[k] = shadow.flatness(angle_[k]);
            cuts_.push_back(angle_[k]);
        }
        for (int k = first; k < last; ++k) {
            if ((flatness_[k] > 0.0) != (flatness_[k + 1] > 0.0)) cut(angle_[k], angle_[k + 1]);
            if (k > first && flatness_[k] <= 0.0 && flatness_[k] >= flatness_[k - 1] &&
                flatness_[k] >= flatness_[k + 1])
                cut_around_peak(angle_[k - 1], angle_[k + 1]);
        }
        std::ranges::sort(cuts_);
    }

    const std::vector<double>& cuts() const { return cuts_; }

  private:
    static constexpr int count = 32;

    void cut(double low, double high) {
        bool above = shadow_.flatness(low) > 0.0;
        for (int halving = 0; halving < 40; ++halving) {
            const double middle = 0.5 * (low + high);
            ((shadow_.flatness(middle) > 0.0) == above ? low : high) = middle;
        }
        cuts_.push_back(0.5 * (low + high));
    }
    /// A flat place between samples, by golden sections.
    void cut_around_peak(double low, double high) {
        constexpr double golden = 0.6180339887498949;
        const double from = low, to = high;
        double a = high - golden * (high - low), b = low + golden * (high - low);
        double at_a = shadow_.flatness(a), at_b = shadow_.flatness(b);
        for (int step = 0; step < 40; ++step) {
            if (at_a > 0.0 || at_b > 0.0) {
                const double peak = at_a > 0.0 ? a : b;
                cut(from, peak);
                cut(peak, to);
                return;
            }
            if (at_a < at_b) {
                low = a, a = b, at_a = at_b;
                b = low + golden * (high - low), at_b = shadow_.flatness(b);
            } else {
                high = b, b = a, at_b = at_a;
                a = high - golden * (high - low), at_a = shadow_.flatness(a);
            }
        }
    }

    const Shadow& shadow_;
    std::array<double, count + 1> angle_{}, reach_{}, flatness_{};
    std::vector<double> cuts_{};
};

PointOnWall point_at(const shapes::Superellipsoid& body, const Shadow& shadow, double angle,
                     double sign, double overlap) {
    const Vec3 n = shadow.normal(angle);
    return {
        .sign = sign, .normal = n, .arm = reach_point(body, n) - overlap * n, .overlap = overlap};
}

SurfaceFacing facing_at(const PointOnWall& at) {
    return {.found = true, .normal = -at.normal, .arm = at.arm, .overlap = at.overlap};
}

SurfaceFacing from_outside(const shapes::Superellipsoid& body, const Shadow& shadow,
                           double radius) {
    constexpr int count = 32;
    constexpr double pitch = 2.0 * std::numbers::pi / count;
    int least = 0;
    for (int k = 1; k < count; ++k)
        if (shadow.reach(pitch * k) < shadow.reach(pitch * least)) least = k;
    const auto slope = [&](double angle) { return shadow.slope(angle); };
    const double low = pitch * (least - 1), high = pitch * (least + 1);
    if ((slope(low) > 0.0) == (slope(high) > 0.0)) refuse_lost_points();
    const double angle = laws::root_between(slope, low, high);
    return facing_at(point_at(body, shadow, angle, 1.0, radius + shadow.reach(angle)));
}

}  // namespace

SurfaceFacing facing_of_cylinder(const shapes::Superellipsoid& body, const Revolved& wall) {
    const Shadow shadow(body, wall.axis);
    const double radius = wall.radius_1, size = farthest(body);
    if (shadow.away() > radius) return from_outside(body, shadow, radius);
    if (shadow.away() + size <= radius) return {};
    const double cosine = shadow.away() > 0.0 ? (radius - size) / shadow.away() : -1.0;
    const Pieces pieces(shadow, radius, std::acos(std::clamp(cosine, -1.0, 1.0)), size);
    const auto slope = [&](double angle) { return shadow.slope(angle); };
    std::vector<PointOnWall> points;
    for (std::size_t k = 0; k + 1 < pieces.cuts().size(); ++k) {
        const double low = pieces.cuts()[k], high = pieces.cuts()[k + 1];
        const bool rises = slope(low) > 0.0;
        if (rises == (slope(high) > 0.0)) continue;
        const double angle = laws::root_between(slope, low, high);
        points.push_back(
            point_at(body, shadow, angle, rises ? 1.0 : -1.0, shadow.reach(angle) - radius));
    }
    const auto deepest =
        std::ranges::max_element(points, {}, [](const PointOnWall& at) { return at.overlap; });
    if (deepest == points.end()) return {};
    if (deepest->sign < 0.0) refuse_lost_points();
    SurfaceFacing facing = facing_at(*deepest);
    for (const PointOnWall& each : points)
        if (&each != &*deepest && each.overlap > 0.0) facing.beside.push_back(each);
    return facing;
}

}  // namespace beadwave::packing
