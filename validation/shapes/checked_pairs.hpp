// Random pairs of ellipsoids and superellipsoids, whose common normal another algorithm checks:
// pairs that are apart by two points and a plane between them, pairs that overlap by the bounds of
// plain_hull.hpp. Points of the bodies and how far they reach are formulas of this file.
#pragma once

#include "largest.hpp"
#include "plain_hull.hpp"
#include "shapes/superellipsoid_contact.hpp"
#include "superellipsoid_shapes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

namespace beadwave::validation {

/// The point of a superellipsoid, from its centre, that is farthest along `way` [m]: the gradient
/// of the dual norm.
inline shapes::Vector farthest_along(const shapes::Superellipsoid& s, const shapes::Vector& way) {
    const shapes::Vector u = to_body(s.orientation, way);
    const auto dual = [](double n) { return n / (n - 1.0); };
    const double m2 = dual(s.exponents.plane), m1 = dual(s.exponents.axis);
    const shapes::Vector v{std::abs(s.semi_axes.x * u.x), std::abs(s.semi_axes.y * u.y),
                           std::abs(s.semi_axes.z * u.z)};
    const double across = std::pow(std::pow(v.x, m2) + std::pow(v.y, m2), 1.0 / m2);
    const double whole = std::pow(std::pow(across, m1) + std::pow(v.z, m1), 1.0 / m1);
    const auto part = [](double of, double in, double m) {
        return in > 0.0 ? std::pow(of / in, m - 1.0) : 0.0;
    };
    const double plane = part(across, whole, m1);
    return to_space(s.orientation,
                    {std::copysign(s.semi_axes.x * plane * part(v.x, across, m2), u.x),
                     std::copysign(s.semi_axes.y * plane * part(v.y, across, m2), u.y),
                     std::copysign(s.semi_axes.z * part(v.z, whole, m1), u.z)});
}

/// What a number of pairs came to.
struct PairCounts {
    int pairs = 0, failed = 0;         ///< failed: no common normal was found, which is said
    int apart = 0, proved = 0;         ///< proved: no two points are nearer
    int overlapping = 0, certain = 0;  ///< certain: as the search itself says
    int bounded = 0;                   ///< within the bounds of the other algorithm
    int touch_seen = 0;                ///< overlapping pairs that it knows to overlap
    int missed = 0;                    ///< it knows a direction that overlaps less
    int missed_certain = 0;            ///< although the search was certain
    int missed_again = 0;              ///< as `missed`, searched from a normal 0.02 rad away
    int several_starts = 0;
    /// Of Newton's method, where one start was enough; `again`: as missed_again.
    int one_start = 0, one_again = 0, most_steps = 0, most_steps_again = 0;
    double steps = 0.0, steps_again = 0.0;  ///< sums
    Largest missed_by, room, surface;       ///< [m], [m], [-]
    double widths = 0.0;                    ///< sum of those of the bounds [m]
};

/// Semi-axes from 1 to 5 mm. Of each ten pairs one is aligned, and one of ellipsoids if
/// `exponents`; without, all are ellipsoids. Overlaps are about -1 to 0.1 mm along a random
/// direction, or of each fourth pair 0 to 1.5 mm.
inline std::array<shapes::Superellipsoid, 2> random_shapes(RandomNumbers& random, int i,
                                                           bool exponents) {
    const auto one = [&]() -> shapes::Superellipsoid {
        if (exponents && i % 10 != 1) return random_superellipsoid(random, 5.0);
        return random.ellipsoid(5.0);
    };
    const shapes::Superellipsoid a = one();
    shapes::Superellipsoid b = one();
    if (i % 10 == 0) b.orientation = a.orientation;
    const shapes::Vector d = random.direction();
    const double overlap = i % 4 == 0 ? random.between(0.0, 1.5e-3) : random.between(-1e-3, 0.1e-3);
    b.centre = (dot(d, farthest_along(a, d)) - dot(d, farthest_along(b, -d)) - overlap) * d;
    return {a, b};
}

/// Checks pair number `i`.
inline void check_pair(PairCounts& counts, RandomNumbers& random, int i, bool exponents) {
    using shapes::Vector;
    const auto [first, second] = random_shapes(random, i, exponents);
    const shapes::Superellipsoid &a = first, &b = second;
    const Vector tilt = 0.02 * random.direction();
    ++counts.pairs;
    try {
        const shapes::CommonPoints c = common_points(a, b);
        const Vector n = c.at.normal;
        counts.several_starts += c.at.starts > 1;
        if (c.at.starts == 1) {
            ++counts.one_start;
            counts.steps += c.at.steps;
            counts.most_steps = std::max(counts.most_steps, c.at.steps);
        }
        const shapes::CommonNormal again = common_normal(a, b, n + tilt);
        if (again.starts == 1) {
            ++counts.one_again;
            counts.steps_again += again.steps;
            counts.most_steps_again = std::max(counts.most_steps_again, again.steps);
        }
        counts.surface.enter(std::abs(defining_sum(a, c.arm_1) - 1.0),
                             std::abs(defining_sum(b, c.arm_2) - 1.0));
        constexpr double rounding = 1e-16;  // of bodies of 5e-3 m
        counts.missed_again += again.overlap > c.at.overlap + rounding;
        const auto along = [&](const Vector& m) {
            return dot(m, farthest_along(a, m)) - dot(m, farthest_along(b, -m)) -
                   dot(m, b.centre - a.centre);
        };
        if (c.at.overlap < 0.0) {
            ++counts.apart;
            // Two points this near, and a plane with this room between the bodies.
            const Vector line = a.centre + c.arm_1 - b.centre - c.arm_2;
            const double unproved = shapes::length(line) + along(n);
            counts.room.enter(std::abs(unproved));
            counts.proved += std::abs(unproved) < rounding;
            return;
        }
        ++counts.overlapping;
        counts.certain += c.at.certain;
        DifferenceHull hull([&](const Vector& m) {
            return farthest_along(a, m) - farthest_along(b, -m) - (b.centre - a.centre);
        });
        const OverlapBounds bounds = hull.grown(3e-6, 400);
        counts.touch_seen += bounds.below > 0.0;
        const double by = c.at.overlap - std::min(bounds.above, along(n));
        counts.missed_by.enter(by);
        counts.missed += by > rounding;
        counts.missed_certain += by > rounding && c.at.certain;
        counts.bounded += bounds.below <= c.at.overlap + rounding && by <= rounding;
        counts.widths += bounds.above - bounds.below;
    } catch (const std::runtime_error&) {
        ++counts.failed;
    }
}

}  // namespace beadwave::validation
