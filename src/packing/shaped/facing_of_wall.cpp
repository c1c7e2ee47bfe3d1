// The deepest point of a curved wall. On each of the straight lines that make it one point is the
// deepest (shapes/deepest_point.hpp); among the lines it is searched where the body's normal there
// is in the plane of the line and the axis.

#include "packing/shaped/shaped_surface.hpp"
#include "packing/vector_length.hpp"
#include "shapes/deepest_point.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>
#include <stdexcept>
#include <type_traits>
#include <vector>

namespace beadwave::packing {
namespace {

struct OnCurvedWall {
    double angle = 0.0;
    shapes::DeepPoint deep{};
    double slope = 0.0;  ///< of the depth over the angle, per distance from the axis
    bool on_rim = false;
};

template <class Body>
class LinesOfWall {
  public:
    LinesOfWall(const Body& body, const Revolved& wall)
        : body_(body),
          wall_(wall),
          along_(dot(body.centre, wall.axis)),
          size_(reach(body, {1.0, 0.0, 0.0}) + reach(body, {0.0, 1.0, 0.0}) +
                reach(body, {0.0, 0.0, 1.0})) {
        Vec3 radial = body.centre - along_ * wall.axis;
        away_ = length_of(radial);
        if (!(away_ > 1e-9 * size_)) radial = shapes::tangents(wall.axis)[0];
        one_ = (1.0 / length_of(radial)) * radial;
        two_ = cross(wall.axis, one_);
    }

    double size() const { return size_; }

    /// Half of the angle that the lines near the body are in, about that through its centre.
    double half_angle(double radius) const {
        const double most = std::max(wall_.radius_1, wall_.radius_2);
        if (away_ <= radius || most <= radius) return std::numbers::pi;
        // Seen from the axis, the sphere around the body covers this.
        return std::min(std::numbers::pi, std::asin(radius / away_));
    }

    /// The angle of a point from the axis.
    double angle_of(const Vec3& place) const {
        return std::atan2(dot(place, two_), dot(place, one_));
    }

    OnCurvedWall line(double angle, const Vec3& guess) const {
        const double c = std::cos(angle), s = std::sin(angle);
        const Vec3 radial = c * one_ + s * two_, around = c * two_ - s * one_;
        double from = 0.0, to = wall_.length;
        if (wall_.is_endless()) {
            from = along_ - 2.0 * size_;
            to = along_ + 2.0 * size_;
        }
        const Vec3 a = from * wall_.axis + wall_.radius_1 * radial,
                   b = to * wall_.axis + wall_.radius_2 * radial;
        OnCurvedWall at{.angle = angle, .deep = deepest_of_segment(body_, a, b, guess)};
        at.slope = -dot(at.deep.normal, around);
        at.on_rim = !wall_.is_endless() && (at.deep.point == a || at.deep.point == b);
        return at;
    }

  private:
    const Body& body_;
    const Revolved& wall_;
    double along_, size_, away_ = 0.0;
    Vec3 one_{}, two_{};
};

/// Between two lines of which the depth rises from the first and falls to the second.
template <class Body>
OnCurvedWall between(const LinesOfWall<Body>& lines, OnCurvedWall low, OnCurvedWall high) {
    constexpr double exact = 4e-15, verified = 1e-10;
    double low_weight = low.slope, high_weight = high.slope;
    int last = 0;
    OnCurvedWall best = std::abs(low.slope) < std::abs(high.slope) ? low : high;
    for (int step = 0; step < 100; ++step) {
        if (std::abs(best.slope) <= exact) return best;
        const double part = low_weight / (low_weight - high_weight);
        // Regula falsi in the form of Illinois, with a bisection now and then.
        const double angle = low.angle + (step % 8 == 7 ? 0.5 : part) * (high.angle - low.angle);
        if (!(angle > low.angle && angle < high.angle)) break;
        const OnCurvedWall at = lines.line(angle, best.deep.normal);
        if (std::abs(at.slope) < std::abs(best.slope)) best = at;
        if (at.slope > 0.0) {
            low = at;
            low_weight = at.slope;
            if (last == 1) high_weight *= 0.5;
            last = 1;
        } else {
            high = at;
            high_weight = at.slope;
            if (last == -1) low_weight *= 0.5;
            last = -1;
        }
    }
    if (std::abs(best.slope) <= verified) return best;
    throw std::runtime_error(
        "the point of a curved wall that is deepest in a body was not found: no search ends where "
        "its normal is in the plane of the axis");
}

/// Two lines around a deepest one, found from a line near it; none: they are not near.
template <class Body>
std::optional<OnCurvedWall> near(const LinesOfWall<Body>& lines, double angle, const Vec3& guess) {
    OnCurvedWall at = lines.line(angle, guess);
    double step = 1e-3;
    for (int k = 0; k < 6; ++k, step *= 4.0) {
        const OnCurvedWall next =
            lines.line(angle + (at.slope > 0.0 ? step : -step), at.deep.normal);
        if (!((next.slope > 0.0) == (at.slope > 0.0)))
            return at.angle < next.angle ? between(lines, at, next) : between(lines, next, at);
        at = next;
        angle = next.angle;
    }
    return std::nullopt;
}

/// The deepest of all lines within an angle from the one at the angle 0.
template <class Body>
OnCurvedWall searched(const LinesOfWall<Body>& lines, double middle, double half_angle) {
    constexpr int count = 25;
    std::vector<OnCurvedWall> all;
    for (int k = 0; k < count; ++k) {
        const double angle = middle + half_angle * (2.0 * k / (count - 1) - 1.0);
        all.push_back(lines.line(angle, all.empty() ? Vec3{} : all.back().deep.normal));
    }
    std::optional<OnCurvedWall> best;
    for (std::size_t k = 0; k + 1 < all.size(); ++k) {
        if (!(all[k].slope > 0.0 && all[k + 1].slope <= 0.0)) continue;
        const OnCurvedWall found = between(lines, all[k], all[k + 1]);
        if (!best || found.deep.depth > best->deep.depth) best = found;
    }
    const OnCurvedWall& deepest =
        *std::ranges::max_element(all, {}, [](const OnCurvedWall& at) { return at.deep.depth; });
    return best && best->deep.depth >= deepest.deep.depth ? *best : deepest;
}

}  // namespace

template <class Body>
SurfaceFacing facing_of_wall(const Body& body, const Revolved& wall, const Vec3& guess) {
    if constexpr (std::is_same_v<Body, shapes::Superellipsoid>) {
        if (!is_ellipsoid(body)) return facing_of_cylinder(body, wall);
    }
    const auto made = [&](const shapes::DeepPoint& deep, bool on_rim) {
        return SurfaceFacing{.found = true,
                             .normal = -deep.normal,
                             .arm = deep.point - body.centre,
                             .overlap = deep.depth,
                             .on_rim = on_rim,
                             .certain = deep.certain};
    };
    const LinesOfWall<Body> lines(body, wall);
    double middle = 0.0;
    if (wall.length == 0.0) {
        const shapes::DeepPoint plane = deepest_of_plane(body, Vec3{}, wall.axis);
        if (!(plane.depth > 0.0)) return {};
        const double away = length_of(plane.point - dot(plane.point, wall.axis) * wall.axis);
        if (away >= std::min(wall.radius_1, wall.radius_2) &&
            away <= std::max(wall.radius_1, wall.radius_2))
            return made(plane, false);
        middle = lines.angle_of(plane.point);
    }
    if (guess != Vec3{}) {
        const Vec3 n = -guess;  // out of the body
        const auto found = near(lines, lines.angle_of(body.centre + reach_point(body, n)), n);
        if (found) return made(found->deep, found->on_rim);
    }
    double radius = 0.0;
    for (const Vec3& n : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}})
        radius += std::pow(reach(body, n), 2);
    const double half = middle == 0.0 ? lines.half_angle(std::sqrt(radius)) : std::numbers::pi;
    const OnCurvedWall found = searched(lines, middle, half);
    return made(found.deep, found.on_rim);
}

template SurfaceFacing facing_of_wall(const shapes::Ellipsoid&, const Revolved&, const Vec3&);
template SurfaceFacing facing_of_wall(const shapes::Superellipsoid&, const Revolved&, const Vec3&);

SurfaceFacing facing_of_ball(double radius, const Vec3& normal, double height, bool on_rim) {
    return {.found = true,
            .normal = normal,
            .arm = -height * normal,
            .overlap = radius - height,
            .on_rim = on_rim};
}

bool goes_through(const Revolved& wall, const Vec3& from, const Vec3& to) {
    const Vec3 way = to - from;
    const double a0 = dot(from, wall.axis), a1 = dot(way, wall.axis);
    const Vec3 r0 = from - a0 * wall.axis, r1 = way - a1 * wall.axis;
    const auto is_on = [&](double part) {
        if (!(part >= 0.0 && part <= 1.0)) return false;
        const double along = a0 + part * a1, away = length_of(r0 + part * r1);
        if (wall.is_endless()) return true;
        if (wall.length == 0.0)
            return away >= std::min(wall.radius_1, wall.radius_2) &&
                   away <= std::max(wall.radius_1, wall.radius_2);
        const double there = wall.radius_1 + along / wall.length * (wall.radius_2 - wall.radius_1);
        return along >= 0.0 && along <= wall.length && there >= 0.0;
    };
    if (wall.length == 0.0) return a1 != 0.0 && is_on(-a0 / a1);
    // |r0 + x r1|^2 = (p + x q)^2, the radius of the wall or of the cone that it is part of.
    const double widening = wall.is_endless() ? 0.0 : (wall.radius_2 - wall.radius_1) / wall.length;
    const double p = wall.radius_1 + widening * a0, q = widening * a1;
    const double a = dot(r1, r1) - q * q, b = dot(r0, r1) - p * q, c = dot(r0, r0) - p * p;
    if (a == 0.0) return b != 0.0 && is_on(-0.5 * c / b);
    const double root = b * b - a * c;
    if (!(root >= 0.0)) return false;
    return is_on((-b + std::sqrt(root)) / a) || is_on((-b - std::sqrt(root)) / a);
}

}  // namespace beadwave::packing
