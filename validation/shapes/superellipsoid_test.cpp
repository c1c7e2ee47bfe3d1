// One superellipsoid: its surface, normals and curvatures against the defining formula and finite
// differences, its mass against a table (closed forms with beta functions in another program,
// checked by quadrature in 25 digits).
#include "shapes/superellipsoid.hpp"

#include "largest.hpp"
#include "relative.hpp"
#include "sanitised.hpp"
#include "superellipsoid_shapes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace beadwave::validation::superellipsoid_test {
namespace {

using namespace shapes;

TEST_CASE("superellipsoids have the volumes and moments of the table") {
    Largest differences;
    for (const Row& row : table("shapes/superellipsoid_mass.csv")) {
        const Superellipsoid s(
            Ellipsoid{.semi_axes = vector_of(row, "a", "b", "c"), .centre = {}, .orientation = {}},
            {.plane = number(row, "n2"), .axis = number(row, "n1")});
        const Vector m = moments(s, 3.0);
        differences.enter(std::abs(volume(s) / number(row, "volume") - 1.0),
                          std::abs(m.x / 3.0 / number(row, "Ixx_over_mass") - 1.0),
                          std::abs(m.y / 3.0 / number(row, "Iyy_over_mass") - 1.0),
                          std::abs(m.z / 3.0 / number(row, "Izz_over_mass") - 1.0));
    }
    MESSAGE("largest difference ", double(differences));
    CHECK(differences < 1e-12);  // the table has 17 digits, the functions about 14
}

TEST_CASE("a superellipsoid reaches exactly as far as its surface does") {
    // n.y <= h(n) for all points y of the surface, and equal where n is the normal: both together
    // are the definition of the support function and of the normal.
    RandomNumbers random(41);
    Largest equal, beyond, off, far;
    for (int i = 0; i < (sanitised ? 20 : 400); ++i) {
        const Superellipsoid s = random_superellipsoid(random, 5.0);
        double farthest_seen = 0.0;
        for (int k = 0; k < 20; ++k) {
            const Vector x = surface_point(s, random.direction()), n = normal_at(s, x);
            equal.enter(std::abs(reach(s, n) / dot(n, x) - 1.0));
            off.enter(std::abs(gauge(s, x) - 1.0), std::abs(length(n) - 1.0),
                      std::abs(defining_sum(s, reach_point(s, n)) - 1.0),
                      std::abs(dot(n, reach_point(s, n)) / reach(s, n) - 1.0));
            for (int j = 0; j < 20; ++j) {
                const Vector y = surface_point(s, random.direction());
                beyond.enter(dot(n, y) / reach(s, n) - 1.0);
                farthest_seen = std::max(farthest_seen, length(y));
            }
        }
        far.enter(farthest_seen / farthest(s) - 1.0);
    }
    MESSAGE("equal to ", double(equal), ", beyond by ", double(beyond), ", off the surface by ",
            double(off), ", farther by ", double(far));
    CHECK(equal < 1e-14);
    CHECK(beyond < 1e-14);
    CHECK(off < 1e-13);  // n1 times the rounding of the point
    CHECK(far < 1e-14);
}

TEST_CASE("the farthest point of a superellipsoid is on its surface") {
    // A cube of exponents 4: x^4 = 1/3, so 3^(1/4) of its semi-axis; a square prism of n2 = 4 and
    // n1 = 2: 2^(1/4) in the plane; an ellipsoid its longest axis.
    const Ellipsoid unit{.semi_axes = {1.0, 1.0, 1.0}, .centre = {}, .orientation = {}};
    CHECK_RELATIVE(farthest({unit, {.plane = 4.0, .axis = 4.0}}), std::pow(3.0, 0.25), 1e-15);
    CHECK_RELATIVE(farthest({unit, {.plane = 4.0, .axis = 2.0}}), std::pow(2.0, 0.25), 1e-15);
    CHECK(farthest(Ellipsoid{.semi_axes = {1.0, 3.0, 2.0}, .centre = {}, .orientation = {}}) ==
          3.0);
}

TEST_CASE("a superellipsoid bends as the finite differences of its normals say") {
    RandomNumbers random(43);
    Largest differences, tilted;
    for (int i = 0; i < (sanitised ? 50 : 2000); ++i) {
        const Superellipsoid s = random_superellipsoid(random, 4.0);
        const Vector x = surface_point(s, random.direction()), n = normal_at(s, x);
        const std::array<Vector, 2> t = tangents(n);
        const PlaneMatrix k = bending_at(s, x, t);
        const auto turn = [&](const Vector& way) {
            constexpr double step = 1e-7;  // 1e-4 of the semi-axes
            return (normal_at(s, x + step * way) - normal_at(s, x - step * way)) * (0.5 / step);
        };
        const Vector u = turn(t[0]), w = turn(t[1]);
        const double size = principal(k, n).larger + 1.0 / farthest(s);
        differences.enter(
            std::abs(dot(t[0], u) - k.uu) / size, std::abs(dot(t[1], u) - k.uw) / size,
            std::abs(dot(t[0], w) - k.uw) / size, std::abs(dot(t[1], w) - k.ww) / size);
        // The same in terms of the normal.
        const PlaneMatrix b = bending(s, n);
        tilted.enter(std::abs(b.uu - k.uu) / size, std::abs(b.uw - k.uw) / size,
                     std::abs(b.ww - k.ww) / size);
    }
    MESSAGE("differences ", double(differences), ", by the normal ", double(tilted));
    CHECK(differences < 1e-4);
    CHECK(tilted < 1e-6);
}

TEST_CASE("superellipsoids are straight across their planes of symmetry, and only there") {
    const Superellipsoid s(
        Ellipsoid{.semi_axes = {3e-3, 2e-3, 1e-3}, .centre = {}, .orientation = {}},
        {.plane = 4.0, .axis = 3.0});
    const Curvatures pole = principal(bending(s, {0.0, 0.0, 1.0}), {0.0, 0.0, 1.0});
    CHECK(pole.larger == 0.0);
    CHECK(pole.smaller == 0.0);
    // In the plane y = 0, away from the axes: straight along y, curved in the plane.
    const Vector x = surface_point(s, {0.8, 0.0, 0.6}), n = normal_at(s, x);
    const PlaneMatrix k = bending_at(s, x, {Vector{0.0, 1.0, 0.0}, cross(n, {0.0, 1.0, 0.0})});
    CHECK(k.uu == 0.0);
    CHECK(k.ww > 10.0);
    // One exponent of 2: an end of the third axis has no curvatures; of 4 and more it is flat.
    CHECK(is_sharp_pole({as_ellipsoid(s), {.plane = 4.0, .axis = 2.0}}, {0.0, 0.0, 1e-3}));
    CHECK(!is_sharp_pole({as_ellipsoid(s), {.plane = 4.0, .axis = 2.0}}, x));
    CHECK(!is_sharp_pole(s, {0.0, 0.0, 1e-3}));
    CHECK(!is_sharp_pole(as_ellipsoid(s), {0.0, 0.0, 1e-3}));
}

TEST_CASE("no superellipsoid bends more than its rolling ball") {
    RandomNumbers random(47);
    double tightest = std::numeric_limits<double>::infinity(), widest = 0.0;
    for (int i = 0; i < (sanitised ? 20 : 300); ++i) {
        const Superellipsoid s = random_superellipsoid(random, 5.0);
        double most = 0.0;
        for (int k = 0; k < 1000; ++k) {
            const Vector x = surface_point(s, random.direction()), n = normal_at(s, x);
            most = std::max(most, principal(bending_at(s, x, tangents(n)), n).larger);
        }
        tightest = std::min(tightest, 1.0 / (most * smallest_radius(s)));
        widest = std::max(widest, 1.0 / (most * smallest_radius(s)));
    }
    MESSAGE("smallest radius seen over the bound: ", tightest, " to ", widest);
    CHECK(tightest >= 1.0);
    CHECK(widest > tightest);
}

TEST_CASE("a superellipsoid with exponents of 2 is the ellipsoid to the bit") {
    RandomNumbers random(53);
    for (int i = 0; i < 100; ++i) {
        const Ellipsoid e = random.ellipsoid(5.0);
        const Superellipsoid s(e);
        const Vector n = random.direction(), p = reach_point(e, n), q = reach_point(s, n);
        CHECK(reach(s, n) == reach(e, n));
        CHECK((p.x == q.x && p.y == q.y && p.z == q.z));
        CHECK(bending(s, n).uw == bending(e, n).uw);
        CHECK(smallest_radius(s) == smallest_radius(e));
        CHECK(volume(s) == volume(e));
        CHECK(moments(s, 2.0).y == moments(e, 2.0).y);
        // Where the point is given, other formulas give the same surface.
        const Vector m = normal_at(s, p);
        CHECK(length(m - n) < 1e-14);
        const PlaneMatrix k = bending_at(s, p, tangents(n)), b = bending(e, n);
        CHECK_RELATIVE(k.uu, b.uu, 1e-12);
        CHECK_RELATIVE(k.ww, b.ww, 1e-12);
    }
}

}  // namespace
}  // namespace beadwave::validation::superellipsoid_test
