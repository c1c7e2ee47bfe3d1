// How deep points, edges and triangles are in ellipsoids.
#include "shapes/deepest_point.hpp"

#include "packings.hpp"
#include "relative.hpp"
#include "shape_rows.hpp"
#include "superellipsoid_shapes.hpp"

#include <array>
#include <cmath>
#include <numbers>

namespace beadwave::validation::deepest_point_test {
namespace {

using shapes::DeepPoint;
using shapes::Ellipsoid;
using shapes::is_in;
using shapes::length;
using shapes::Superellipsoid;
using shapes::Vector;

Ellipsoid random_ellipsoid(RandomNumbers& random) {
    return {
        .semi_axes = {random.between(1.0, 2.0), random.between(1.0, 2.0), random.between(1.0, 2.0)},
        .centre = random.between(0.0, 0.3) * random.direction(),
        .orientation = random.rotation()};
}

/// The distance of a point from the surface, from points of the surface alone; above 0 inside.
double plain_depth(const Ellipsoid& e, const Vector& point) {
    const Vector p = to_body(e.orientation, point - e.centre);
    const auto far = [&](double polar, double around) {
        const Vector s{e.semi_axes.x * std::sin(polar) * std::cos(around),
                       e.semi_axes.y * std::sin(polar) * std::sin(around),
                       e.semi_axes.z * std::cos(polar)};
        return length(s - p);
    };
    double polar = 0.0, around = 0.0, least = far(0.0, 0.0);
    constexpr int steps = 60;
    double step = std::numbers::pi / steps;
    for (int i = 0; i <= steps; ++i) {
        for (int k = 0; k < 2 * steps; ++k) {
            if (const double d = far(i * step, k * step); d < least) {
                least = d;
                polar = i * step;
                around = k * step;
            }
        }
    }
    while (step > 1e-9) {
        bool nearer = false;
        for (const auto& way : {std::array{step, 0.0}, {-step, 0.0}, {0.0, step}, {0.0, -step}}) {
            const double d = far(polar + way[0], around + way[1]);
            if (!(d < least)) continue;
            least = d;
            polar += way[0];
            around += way[1];
            nearer = true;
        }
        if (!nearer) step *= 0.5;
    }
    const Vector g{p.x / e.semi_axes.x, p.y / e.semi_axes.y, p.z / e.semi_axes.z};
    return dot(g, g) < 1.0 ? least : -least;
}

TEST_CASE("the depth of a point is its distance from the surface") {
    RandomNumbers random(3);
    for (int i = 0; i < 40; ++i) {
        const Ellipsoid e = random_ellipsoid(random);
        const Vector n = random.direction();
        // Inside by less than the least radius of curvature, and outside.
        const Vector place =
            e.centre + reach_point(e, n) - random.between(-0.5, 0.9 * smallest_radius(e)) * n;
        const DeepPoint found = depth_at(e, place, {});
        CHECK_ABSOLUTE(found.depth, plain_depth(e, place), 1e-12);
        CHECK(length(found.normal - n) < 1e-11);
        CHECK(found.certain);
    }
}

TEST_CASE("an ellipsoid on an edge: the distance of a point in the ellipse that is its shadow") {
    // The edge is along y, about which the ellipsoid is turned.
    const double a = 2.0, c = 0.7, turn = 0.4;
    const Ellipsoid e{.semi_axes = {a, 1.3, c},
                      .orientation = {std::cos(0.5 * turn), 0.0, std::sin(0.5 * turn), 0.0}};
    for (const double x : {-1.5, -0.4, 0.3, 1.2}) {
        // On the ellipse below x, a little inside.
        const double angle = std::atan2(-std::sqrt(1.0 - x * x / (a * a)), x / a);
        const double u = a * std::cos(angle), w = c * std::sin(angle) + 0.05;
        const Vector at{u * std::cos(turn) + w * std::sin(turn), 0.0,
                        -u * std::sin(turn) + w * std::cos(turn)};
        double least = 1.0;
        for (int k = 0; k < 2'000'000; ++k) {
            const double t = 2.0 * std::numbers::pi * k / 2'000'000;
            least = std::min(least, std::hypot(a * std::cos(t) - u, c * std::sin(t) - w));
        }
        const DeepPoint found =
            deepest_of_segment(e, at - Vector{0.0, 3.0, 0.0}, at + Vector{0.0, 3.0, 0.0}, {});
        // Samples are 6e-6 apart, which lengthens the least distance by the square of half of that.
        CHECK_RELATIVE(found.depth, least, 1e-8);
        CHECK(length(found.point - at) < 1e-12);
        CHECK(std::abs(found.normal.y) < 1e-14);
        // Where the edge ends before, its end is deepest.
        const DeepPoint end =
            deepest_of_segment(e, at - Vector{0.0, 3.0, 0.0}, at - Vector{0.0, 0.2, 0.0}, {});
        CHECK_ABSOLUTE(end.depth, plain_depth(e, at - Vector{0.0, 0.2, 0.0}), 1e-12);
    }
}

TEST_CASE("no point of a triangle is deeper than the one that is found") {
    RandomNumbers random(5);
    int in_face = 0, on_edge = 0;
    for (int i = 0; i < 200; ++i) {
        const Ellipsoid e = random_ellipsoid(random);
        const Vector n = random.direction();
        const Vector near =
            e.centre + reach_point(e, n) - random.between(0.01, 0.15 * smallest_radius(e)) * n;
        // Nearly along the surface.
        const auto beside = [&] {
            const Vector way = random.between(0.05, 1.0) * random.direction();
            return near + way - (0.9 * dot(way, n)) * n;
        };
        const shapes::TriangleCorners corner{beside(), beside(), beside()};
        Vector normal = cross(corner[1] - corner[0], corner[2] - corner[0]);
        normal = normal * (1.0 / length(normal));
        const DeepPoint plane = deepest_of_plane(e, corner[0], normal);
        const bool inside = is_in(corner, normal, plane.point);
        const DeepPoint found = inside ? plane : deepest_of_edges(e, corner, normal, plane);
        (inside ? in_face : on_edge) += 1;
        // Deep triangles have other normals next to them.
        if (!(found.depth < 0.9 * smallest_radius(e))) continue;
        CHECK_ABSOLUTE(depth_at(e, found.point, found.normal).depth, found.depth, 1e-12);
        for (int k = 0; k < 60; ++k) {
            double u = random.between(0.0, 1.0), v = random.between(0.0, 1.0);
            if (u + v > 1.0) {
                u = 1.0 - u;
                v = 1.0 - v;
            }
            const Vector other =
                corner[0] + u * (corner[1] - corner[0]) + v * (corner[2] - corner[0]);
            CHECK(depth_at(e, other, found.normal).depth <= found.depth + 1e-12);
        }
    }
    CHECK(in_face > 20);
    CHECK(on_edge > 20);
}

TEST_CASE(
    "what triangles and edges touch of superellipsoids is found, and lies below their surface") {
    RandomNumbers random(12);
    constexpr int bodies = 1000, samples = 40;
    int touching = 0, on_edge = 0;
    for (int i = 0; i < bodies; ++i) {
        Superellipsoid s = random_superellipsoid(random, 3.0);
        for (double Vector::*axis : {&Vector::x, &Vector::y, &Vector::z})
            s.semi_axes.*axis /= 1e-3;
        s.centre = 0.3 * random.direction();
        // Flat places and edges, at depths near those of contacts.
        Vector n = random.direction();
        if (i % 4 == 0)
            n = to_space(s.orientation, {0.0, i % 8 == 0 ? 1.0 : 0.0, i % 8 == 0 ? 0.0 : 1.0});
        const Vector top = s.centre + reach_point(s, n) - random.between(-1e-3, 1e-2) * n;
        const auto beside = [&] {
            const Vector way = random.between(0.05, 2.0) * random.direction();
            return top + way - (random.between(0.9, 1.0) * dot(way, n)) * n;
        };
        const shapes::TriangleCorners corner{beside(), beside(), beside()};
        Vector normal = cross(corner[1] - corner[0], corner[2] - corner[0]);
        normal = normal * (1.0 / length(normal));
        const DeepPoint plane = deepest_of_plane(s, corner[0], normal);
        const bool inside = is_in(corner, normal, plane.point);
        const DeepPoint found = inside ? plane : deepest_of_edges(s, corner, normal, plane);
        on_edge += inside ? 0 : 1;
        touching += found.depth > 0.0 ? 1 : 0;
        if (found.certain) {
            // Up along the normal is the surface, with this normal.
            const Vector up = found.point + found.depth * found.normal - s.centre;
            CHECK_ABSOLUTE(gauge(s, up), 1.0, 1e-11);
            CHECK(length(normal_at(s, up) - found.normal) < 1e-9);
        }
        for (int k = 0; k < samples; ++k) {
            double u = random.between(0.0, 1.0), v = random.between(0.0, 1.0);
            if (u + v > 1.0) {
                u = 1.0 - u;
                v = 1.0 - v;
            }
            const Vector at = corner[0] + u * (corner[1] - corner[0]) + v * (corner[2] - corner[0]);
            if (!(defining_sum(s, at - s.centre) < 1.0)) continue;
            CHECK(found.depth > 0.0);
            CHECK(depth_at(s, at, found.normal).depth <= found.depth + 1e-11);
        }
    }
    MESSAGE(touching, " touch, ", on_edge, " on edges, of ", bodies);
    CHECK(touching > bodies / 3);
    CHECK(on_edge > bodies / 10);
}

TEST_CASE("superellipsoids with exponents of 2 are as deep as ellipsoids") {
    RandomNumbers random(6);
    for (int i = 0; i < 20; ++i) {
        const Ellipsoid e = random_ellipsoid(random);
        const Vector n = random.direction();
        const Vector at = e.centre + reach_point(e, n) - 0.1 * n;
        const Vector to = at + 3.0 * random.direction();
        CHECK(deepest_of_segment(shapes::Superellipsoid(e), at, to, {}).depth ==
              deepest_of_segment(e, at, to, {}).depth);
    }
}

}  // namespace
}  // namespace beadwave::validation::deepest_point_test
