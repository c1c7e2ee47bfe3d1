#include "shapes/deepest_point.hpp"

#include "shapes/common_normal.hpp"
#include "shapes/least_overlap.hpp"
#include "shapes/superellipsoid_contact.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <vector>

namespace beadwave::shapes {
namespace {

double largest_reach(const Ellipsoid& e) {
    return std::max({e.semi_axes.x, e.semi_axes.y, e.semi_axes.z});
}
double largest_reach(const Superellipsoid& s) {
    return farthest(s);
}

/// Radius of curvature at the normal n along the unit vector w across it [m].
template <class Body>
double radius_along(const Body& body, const Vector& n, const Vector& w) {
    const PlaneMatrix bends = bending(body, n);
    const std::array<Vector, 2> t = tangents(n);
    const double u = dot(w, t[0]), v = dot(w, t[1]);
    return (u * u * bends.ww - 2.0 * u * v * bends.uw + v * v * bends.uu) /
           (bends.uu * bends.ww - bends.uw * bends.uw);
}

/// A direction across a line.
struct AcrossLine {
    Vector normal;
    double depth;
    Vector arm;  ///< from the centre to the point of the body with this normal [m]
};

/// The depth of a line as a function of the directions across it: that of a point in the shadow
/// that the body throws along the line.
template <class Body>
class DepthAcross {
  public:
    /// `place`: of the line, from the centre of the body [m].
    DepthAcross(const Body& body, const Vector& place, const Vector& along)
        : body_(body),
          along_(along),
          place_(place - dot(place, along) * along),
          size_(largest_reach(body) + length(place_)) {}

    const Vector& place() const { return place_; }

    /// Newton's method, each step halved until the depth falls.
    std::optional<AcrossLine> descend(Vector n) const {
        const double rounding = 4e-16 * size_;
        constexpr double verified = 1e-12, longest_turn = 0.5;
        n = n - dot(n, along_) * along_;
        n = n * (1.0 / length(n));
        double value = depth(n), slope = slope_at(n);
        for (int step = 0; step < 100 && std::abs(slope) > rounding; ++step) {
            const Vector w = cross(along_, n);
            const double curvature = radius_along(body_, n, w) - value;
            double turn = -slope / std::max(1e-12 * size_, std::abs(curvature));
            turn = std::clamp(turn, -longest_turn, longest_turn);
            bool moved = false;
            for (int halving = 0; halving < 60 && !moved; ++halving, turn *= 0.5) {
                const Vector next = std::cos(turn) * n + std::sin(turn) * w;
                const double next_value = depth(next), next_slope = slope_at(next);
                const bool falls = next_value <= value + 1e-4 * turn * slope;
                // In the rounding of the depth, its slope says whether the step is one forward.
                const bool nears =
                    next_value <= value + rounding && std::abs(next_slope) < 0.5 * std::abs(slope);
                if (!falls && !nears) continue;
                n = next * (1.0 / length(next));
                value = next_value;
                slope = next_slope;
                moved = true;
            }
            if (!moved) break;
        }
        if (!(std::abs(slope) <= verified * size_)) return std::nullopt;
        return AcrossLine{n, value, reach_point(body_, n)};
    }

    /// Bisection around the least depth of many directions, which always ends. Where the body is
    /// flat a direction is known better than its point: this one is then between those of the two
    /// directions that are left, so that it lies over the line.
    AcrossLine bisected() const {
        constexpr int directions = 64;
        const Vector one = tangents(along_)[0], two = cross(along_, one);
        const auto direction = [&](double angle) {
            return std::cos(angle) * one + std::sin(angle) * two;
        };
        constexpr double pitch = 2.0 * std::numbers::pi / directions;
        int least = 0;
        for (int k = 1; k < directions; ++k)
            if (depth(direction(pitch * k)) < depth(direction(pitch * least))) least = k;
        const bool behind = slope_at(direction(pitch * least)) > 0.0;
        double low = pitch * (behind ? least - 1 : least), high = low + pitch;
        for (int halving = 0; halving < 60; ++halving) {
            const double middle = 0.5 * (low + high);
            (slope_at(direction(middle)) > 0.0 ? high : low) = middle;
        }
        const Vector n = direction(low), m = direction(high);
        const double rises = slope_at(m), falls = slope_at(n);
        const double part = rises > falls ? std::clamp(-falls / (rises - falls), 0.0, 1.0) : 0.5;
        const Vector normal = n + part * (m - n);
        return {normal * (1.0 / length(normal)), depth(n),
                reach_point(body_, n) + part * (reach_point(body_, m) - reach_point(body_, n))};
    }

    std::vector<Vector> all_around() const {
        const Vector one = tangents(along_)[0], two = cross(along_, one);
        constexpr int directions = 12;
        std::vector<Vector> all;
        for (int k = 0; k < directions; ++k) {
            const double angle = 2.0 * std::numbers::pi * k / directions;
            all.push_back(std::cos(angle) * one + std::sin(angle) * two);
        }
        std::ranges::stable_sort(all, {}, [&](const Vector& n) { return depth(n); });
        return all;
    }

  private:
    double depth(const Vector& n) const { return reach(body_, n) - dot(n, place_); }
    /// The slope of the depth by the angle about the line.
    double slope_at(const Vector& n) const {
        return dot(cross(along_, n), reach_point(body_, n) - place_);
    }

    const Body& body_;
    Vector along_, place_;
    double size_;
};

Vector across(const Vector& v, const Vector& along) {
    return v - dot(v, along) * along;
}

}  // namespace

template <class Body>
DeepPoint depth_at(const Body& body, const Vector& point, const Vector& guess) {
    // A ball around the point overlaps by its radius more.
    const double radius = smallest_radius(body);
    const Body ball = Ellipsoid{.semi_axes = {radius, radius, radius}, .centre = point};
    const CommonNormal c = common_normal(body, ball, guess);
    return {.point = point, .normal = c.normal, .depth = c.overlap - radius, .certain = c.certain};
}

template <class Body>
DeepPoint deepest_of_plane(const Body& body, const Vector& place, const Vector& normal) {
    const double height = dot(normal, body.centre - place);
    const Vector down = height < 0.0 ? normal : -normal;
    const double depth = reach(body, down) - std::abs(height);
    return {.point = body.centre + reach_point(body, down) - depth * down,
            .normal = down,
            .depth = depth,
            .certain = depth < smallest_radius(body)};
}

template <class Body>
DeepPoint deepest_of_segment(const Body& body, const Vector& from, const Vector& to,
                             const Vector& guess) {
    const Vector edge = to - from, arm = from - body.centre;
    const double size = length(edge);
    const Vector along = edge * (1.0 / size);
    const DepthAcross<Body> line(body, arm, along);
    const auto least = least_overlap(
        "bodies", smallest_radius(body), across(guess, along), [&] { return line.place(); },
        [&] { return line.all_around(); },
        [&](const Vector& start) -> std::optional<AcrossLine> {
            const std::optional<AcrossLine> found = line.descend(start);
            return found ? found : line.bisected();
        },
        [](const AcrossLine& found) { return found.depth; });
    const Vector& n = least.found.normal;
    const double part = dot(least.found.arm - arm, along);
    if (!(part > 0.0)) return depth_at(body, from, n);
    if (!(part < size)) return depth_at(body, to, n);
    return {.point = from + part * along,
            .normal = n,
            .depth = least.found.depth,
            .certain = least.certain};
}

bool is_in(const TriangleCorners& corner, const Vector& normal, const Vector& point) {
    for (std::size_t k = 0; k < 3; ++k) {
        const Vector &a = corner[k], &b = corner[(k + 1) % 3];
        if (!(dot(cross(b - a, point - a), normal) >= 0.0)) return false;
    }
    return true;
}

template <class Body>
DeepPoint deepest_of_edges(const Body& body, const TriangleCorners& corner, const Vector& normal,
                           const DeepPoint& beyond) {
    std::optional<DeepPoint> best;
    for (std::size_t k = 0; k < 3; ++k) {
        const Vector &a = corner[k], &b = corner[(k + 1) % 3];
        if (dot(cross(b - a, beyond.point - a), normal) >= 0.0) continue;
        const DeepPoint here = deepest_of_segment(body, a, b, beyond.normal);
        if (!best || here.depth > best->depth) best = here;
    }
    return best.value_or(beyond);
}

template DeepPoint depth_at(const Ellipsoid&, const Vector&, const Vector&);
template DeepPoint depth_at(const Superellipsoid&, const Vector&, const Vector&);
template DeepPoint deepest_of_plane(const Ellipsoid&, const Vector&, const Vector&);
template DeepPoint deepest_of_plane(const Superellipsoid&, const Vector&, const Vector&);
template DeepPoint deepest_of_segment(const Ellipsoid&, const Vector&, const Vector&,
                                      const Vector&);
template DeepPoint deepest_of_segment(const Superellipsoid&, const Vector&, const Vector&,
                                      const Vector&);
template DeepPoint deepest_of_edges(const Ellipsoid&, const TriangleCorners&, const Vector&,
                                    const DeepPoint&);
template DeepPoint deepest_of_edges(const Superellipsoid&, const TriangleCorners&, const Vector&,
                                    const DeepPoint&);

}  // namespace beadwave::shapes
