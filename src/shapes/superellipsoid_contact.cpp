#include "shapes/superellipsoid_contact.hpp"

#include "shapes/least_overlap.hpp"
#include "shapes/point_pair.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <vector>

namespace beadwave::shapes {
namespace {

PlaneMatrix inverse_of_bending(PlaneMatrix m, double least) {
    m.uu += least;
    m.ww += least;
    const double s = 1.0 / (m.uu * m.ww - m.uw * m.uw);
    return {.uu = s * m.ww, .uw = -s * m.uw, .ww = s * m.uu};
}

class PointSearch {
  public:
    PointSearch(const Superellipsoid& first, const Superellipsoid& second)
        : first_(first),
          second_(second),
          turned_first_(first),
          turned_second_(second),
          between_(second.centre - first.centre),
          size_(size_of_pair(turned_first_, turned_second_, between_)) {}

    double overlap_along(const Vector& n) const {
        return reach(first_, n) + reach(second_, -n) - dot(n, between_);
    }

    /// Descends from the unit vector `n`, until Newton's method ends on a common normal that lies
    /// no higher.
    std::optional<PointPair> from(Vector n) {
        constexpr int rounds = 25, steps = 6;
        double value = overlap_along(n);
        for (int round = 0; round < rounds; ++round) {
            const std::optional<PointPair> found = refined(n);
            if (found && overlap_along(found->normal) <= value + rounding()) return found;
            bool moved = false;
            for (int step = 0; step < steps && descends(n, value); ++step)
                moved = true;
            if (!moved) break;
        }
        return std::nullopt;
    }

    double size() const { return size_; }
    double rounding() const { return 4e-16 * size_; }
    const Vector& between() const { return between_; }
    int steps() const { return steps_; }

  private:
    /// Newton's method on the points with the normals n and -n.
    std::optional<PointPair> refined(const Vector& n) {
        return common_point_pair(
            turned_first_, turned_second_, between_,
            {.arm_1 = reach_point(first_, n), .arm_2 = reach_point(second_, -n), .normal = n},
            {.enough = 2e-16, .most = 40, .most_idle = 4, .count = &steps_});
    }

    /// One step down f: Newton's, with the radii of curvature as second derivatives, halved until f
    /// falls. Where f is not convex the eigenvalues are replaced by their sizes.
    bool descends(Vector& n, double& value) const {
        constexpr double straight = 1e-8, longest_turn = 0.5;
        const Vector apart = reach_point(first_, n) - reach_point(second_, -n) - between_;
        const Vector slope = apart - dot(n, apart) * n;
        const std::array<Vector, 2> t = tangents(n);
        const double least = straight / size_;
        PlaneMatrix hessian =
            inverse_of_bending(bending_at(first_, reach_point(first_, n), t), least) +
            inverse_of_bending(bending_at(second_, reach_point(second_, -n), t), least);
        hessian.uu -= value;
        hessian.ww -= value;
        const Curvatures c = principal(hessian, n);
        const Vector other = cross(n, c.direction);
        const double floor = 1e-12 * size_;
        const Vector way =
            (-dot(slope, c.direction) / std::max(floor, std::abs(c.larger))) * c.direction -
            (dot(slope, other) / std::max(floor, std::abs(c.smaller))) * other;
        const double turn = length(way);
        if (!(turn > 0.0)) return false;
        double part = turn > longest_turn ? longest_turn / turn : 1.0;
        for (int halving = 0; halving < 40; ++halving, part *= 0.5) {
            Vector next = n + part * way;
            next = next * (1.0 / length(next));
            const double next_value = overlap_along(next);
            if (next_value < value + 1e-4 * part * dot(way, slope)) {
                n = next;
                value = next_value;
                return true;
            }
        }
        return false;
    }

    const Superellipsoid &first_, &second_;
    TurnedShape turned_first_, turned_second_;
    Vector between_;
    double size_;
    int steps_ = 0;
};

/// The axes of both, and the corners and edges of a cube: best first.
std::vector<Vector> starts_around(const PointSearch& search, const Superellipsoid& first,
                                  const Superellipsoid& second) {
    std::vector<Vector> starts;
    for (const double x : {-1.0, 0.0, 1.0}) {
        for (const double y : {-1.0, 0.0, 1.0}) {
            for (const double z : {-1.0, 0.0, 1.0}) {
                const Vector v{x, y, z};
                const double size = length(v);
                if (size == 1.0) {
                    starts.push_back(to_space(first.orientation, v));
                    starts.push_back(to_space(second.orientation, v));
                } else if (size > 1.0) {
                    starts.push_back(v * (1.0 / size));
                }
            }
        }
    }
    std::ranges::stable_sort(starts, {}, [&](const Vector& n) { return search.overlap_along(n); });
    return starts;
}

CommonPoints points_described(const PointPair& found, const PointSearch& search,
                              const Superellipsoid& first, const Superellipsoid& second) {
    const Vector& n = found.normal;
    const std::array<Vector, 2> t = tangents(n);
    const PlaneMatrix one = bending_at(first, found.arm_1, t);
    const PlaneMatrix two = bending_at(second, found.arm_2, t);
    CommonPoints c{.at = {.normal = n,
                          .overlap = search.overlap_along(n),
                          .point_1 = first.centre + found.arm_1,
                          .point_2 = second.centre + found.arm_2,
                          .first = principal(one, n),
                          .second = principal(two, n),
                          .relative = principal(one + two, n),
                          .angle = 0.0,
                          .misalignment = found.misfit * search.size(),
                          .starts = 0,
                          .steps = search.steps(),
                          .certain = false},
                   .arm_1 = found.arm_1,
                   .arm_2 = found.arm_2};
    const Vector &a = c.at.first.direction, &b = c.at.second.direction;
    c.at.angle = std::atan2(length(cross(a, b)), std::abs(dot(a, b)));
    return c;
}

}  // namespace

CommonPoints common_points(const Superellipsoid& first, const Superellipsoid& second,
                           const Vector& guess) {
    if (is_ellipsoid(first) && is_ellipsoid(second)) {
        const Ellipsoid one = as_ellipsoid(first), two = as_ellipsoid(second);
        const CommonNormal c = common_normal(one, two, guess);
        return {.at = c, .arm_1 = reach_point(one, c.normal), .arm_2 = reach_point(two, -c.normal)};
    }
    PointSearch search(first, second);
    const double certain_below = smallest_radius(first) + smallest_radius(second);
    const auto least = least_overlap(
        "superellipsoids", certain_below, guess, [&] { return search.between(); },
        [&] { return starts_around(search, first, second); },
        [&](const Vector& start) { return search.from(start); },
        [&](const PointPair& found) { return search.overlap_along(found.normal); });
    CommonPoints result = points_described(least.found, search, first, second);
    result.at.starts = least.starts;
    result.at.certain = least.certain;
    return result;
}

CommonNormal common_normal(const Superellipsoid& first, const Superellipsoid& second,
                           const Vector& guess) {
    if (is_ellipsoid(first) && is_ellipsoid(second))
        return common_normal(as_ellipsoid(first), as_ellipsoid(second), guess);
    return common_points(first, second, guess).at;
}

PlaneContact contact(const Superellipsoid& s, const HalfSpace& wall) {
    if (is_ellipsoid(s)) return contact(as_ellipsoid(s), wall);
    const Vector inwards = -wall.normal;
    return {.point = s.centre + reach_point(s, inwards),
            .overlap = reach(s, inwards) - (dot(wall.normal, s.centre) - wall.offset),
            .curvatures = principal(bending(s, inwards), inwards)};
}

}  // namespace beadwave::shapes
