// The common normal of two superellipsoids. Apart: a distance is proved by two points of the
// bodies at that distance and a plane between them with that room: no point of one is nearer.
// Overlapping: against dense directions, and a search along directions that knows no derivatives.
#include "largest.hpp"
#include "relative.hpp"
#include "sanitised.hpp"
#include "shapes/superellipsoid_contact.hpp"
#include "superellipsoid_shapes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace beadwave::validation::superellipsoid_pairs_test {
namespace {

using namespace shapes;

double overlap_along(const Superellipsoid& a, const Superellipsoid& b, const Vector& n) {
    return reach(a, n) + reach(b, -n) - dot(n, b.centre - a.centre);
}

Vector unit(const Vector& v) {
    return v * (1.0 / length(v));
}

/// Two random ones, about `overlap` deep along a random direction; each tenth pair is aligned.
std::array<Superellipsoid, 2> random_pair(RandomNumbers& random, int i, double overlap) {
    const Superellipsoid a = random_superellipsoid(random, 5.0);
    Superellipsoid b = random_superellipsoid(random, 5.0);
    if (i % 10 == 0) b.orientation = a.orientation;
    const Vector d = random.direction();
    b.centre = (reach(a, d) + reach(b, -d) - overlap) * d;
    return {a, b};
}

/// The least overlap near `n` by steps along eight directions, each as long as it helps.
double searched(const Superellipsoid& a, const Superellipsoid& b, Vector n) {
    double least = overlap_along(a, b, n);
    for (double step = 0.2; step > 1e-13; step *= 0.5) {
        bool moved = true;
        for (int again = 0; moved && again < 200; ++again) {
            moved = false;
            const auto t = tangents(n);
            for (int k = 0; k < 8; ++k) {
                const double angle = 0.25 * M_PI * k;
                const Vector m =
                    unit(n + (step * std::cos(angle)) * t[0] + (step * std::sin(angle)) * t[1]);
                const double value = overlap_along(a, b, m);
                if (!(value < least)) continue;
                least = value;
                n = m;
                moved = true;
                break;
            }
        }
    }
    return least;
}

TEST_CASE("20,000 pairs of superellipsoids: each common normal is one, each distance is proved") {
    RandomNumbers random(2026);
    const int pairs = sanitised ? 300 : 20'000;
    Largest lines, surfaces, distances, missed, depths, normals;
    int apart = 0, overlapping = 0, certain = 0, again = 0, most_steps = 0;
    long steps = 0;
    for (int i = 0; i < pairs; ++i) {
        std::array<Superellipsoid, 2> pair = random_pair(random, i, random.between(-1e-3, 0.1e-3));
        const Superellipsoid &a = pair[0], &b = pair[1];
        CommonPoints c = common_points(a, b);  // throws if there is none
        if (i % 4 == 0) {
            // Moved along the normal it stays the common one, and the overlap is known.
            const double depth = random.between(0.0, 0.05e-3);
            const Vector normal = c.at.normal;
            pair[1].centre += (c.at.overlap - depth) * normal;
            c = common_points(a, b);
            if (c.at.certain) {
                depths.enter(std::abs(c.at.overlap - depth));
                normals.enter(length(c.at.normal - normal));
            }
        }
        const Vector line = a.centre + c.arm_1 - b.centre - c.arm_2;
        lines.enter(length(line - c.at.overlap * c.at.normal),
                    1e-3 * length(normal_at(a, c.arm_1) - c.at.normal),
                    1e-3 * length(normal_at(b, c.arm_2) + c.at.normal));
        surfaces.enter(std::abs(defining_sum(a, c.arm_1) - 1.0),
                       std::abs(defining_sum(b, c.arm_2) - 1.0));
        if (c.at.overlap < 0.0) {
            ++apart;
            CHECK(c.at.certain);
            distances.enter(std::abs(length(line) + overlap_along(a, b, c.at.normal)));
        } else {
            ++overlapping;
            for (int k = 0; k < 20; ++k) {
                const Vector m = unit(c.at.normal + (k < 10 ? 0.1 : 2.0) * random.direction());
                missed.enter(c.at.overlap - overlap_along(a, b, m));
            }
        }
        certain += c.at.certain;
        again += c.at.starts > 1;
        if (c.at.starts > 1) continue;
        steps += c.at.steps;
        most_steps = std::max(most_steps, c.at.steps);
    }
    MESSAGE(apart, " apart, ", overlapping, " overlapping; ", certain, " certain, ", again,
            " searched from several starts; steps from one start: ",
            static_cast<double>(steps) / (pairs - again), " on average, ", most_steps,
            " at most; lines ", double(lines), " m, surfaces ", double(surfaces), ", distances ",
            double(distances), " m, missed by ", double(missed), " m; given overlaps ",
            double(depths), " m and normals ", double(normals));
    CHECK(apart > pairs / 4);
    CHECK(overlapping > pairs / 5);
    CHECK(depths < 5e-17);
    CHECK(normals < 1e-10);
    // Verified within 1e-12 of the sizes and the distance, up to 2e-2 m.
    CHECK(lines < 2e-14);
    CHECK(surfaces < 1e-13);
    CHECK(distances < 5e-17);  // rounding of sums of 1e-2 m
    CHECK(missed < 5e-17);
    CHECK(most_steps < 200);
}

TEST_CASE("overlaps of superellipsoids are those of a search without derivatives") {
    RandomNumbers random(7);
    Largest above;
    int certain = 0, reached = 0;
    std::vector<Vector> sample;
    for (int i = 0; i < 500; ++i)
        sample.push_back(random.direction());
    for (int i = 0; i < (sanitised ? 20 : 400); ++i) {
        const std::array<Superellipsoid, 2> pair =
            random_pair(random, i, random.between(-0.5e-3, 1.5e-3));
        const Superellipsoid &a = pair[0], &b = pair[1];
        const CommonPoints c = common_points(a, b);
        const auto lower = [&](const Vector& m, const Vector& n) {
            return overlap_along(a, b, m) < overlap_along(a, b, n);
        };
        const double found = searched(a, b, *std::min_element(sample.begin(), sample.end(), lower));
        above.enter(c.at.overlap - found);
        // The search ends early in a narrow valley, but never below the least overlap.
        certain += c.at.certain;
        reached += c.at.certain && found - c.at.overlap < 1e-13;
    }
    MESSAGE("above the search by ", double(above), " m; it reaches ", reached, " of ", certain);
    CHECK(above < 5e-17);
    CHECK(reached > 0.6 * certain);
    CHECK(reached > (sanitised ? 2 : 100));
}

TEST_CASE("aligned cubes of high exponents: their faces, edges and corners meet") {
    const auto cube = [](const Vector& centre) {
        return Superellipsoid(
            Ellipsoid{.semi_axes = {1e-3, 1e-3, 1e-3}, .centre = centre, .orientation = {}},
            {.plane = 8.0, .axis = 8.0});
    };
    const Superellipsoid a = cube({});
    // Face to face, in the middle: apart by 2e-4.
    const CommonPoints faces = common_points(a, cube({0.0, 0.0, 2.2e-3}));
    CHECK_ABSOLUTE(faces.at.overlap, -2e-4, 1e-17);
    CHECK_ABSOLUTE(faces.at.normal.z, 1.0, 1e-15);
    // Beside the middle the distance is less than the room between the planes of the faces by
    // nothing that can be seen, and no common normal is missed.
    for (const double aside : {1e-9, 1e-5, 3e-4, 1e-3, 1.9e-3}) {
        CAPTURE(aside);
        for (const double up : {2.0e-3, 2.2e-3, 5e-3}) {
            const Superellipsoid b = cube({aside, 0.5 * aside, up});
            const CommonPoints c = common_points(a, b);
            const Vector line = c.arm_1 - b.centre - c.arm_2;
            // The points of cubes of this symmetry mirror each other through the middle.
            CHECK_ABSOLUTE(length(c.arm_1 + c.arm_2), 0.0, 1e-5);
            CHECK_ABSOLUTE(length(line) + c.at.overlap * (c.at.overlap < 0.0 ? 1.0 : -1.0), 0.0,
                           1e-17);
            CHECK_ABSOLUTE(searched(a, b, c.at.normal), c.at.overlap, 1e-12);
        }
    }
    // Corner to corner along the diagonal: x^8 = 1/3.
    const double corner = 1e-3 * std::sqrt(3.0) * std::pow(3.0, -1.0 / 8.0);
    for (const double offset : {1.74e-3, 1.75e-3, 2.5e-3}) {
        const CommonPoints corners = common_points(a, cube({offset, offset, offset}));
        CHECK_ABSOLUTE(corners.at.overlap, 2.0 * corner - offset * std::sqrt(3.0), 5e-17);
    }
}

TEST_CASE("the order of two superellipsoids turns the normal, and nothing else") {
    RandomNumbers random(11);
    Largest normals, overlaps;
    for (int i = 0; i < 200; ++i) {
        const auto [a, b] = random_pair(random, i, random.between(-1e-3, 0.1e-3));
        const CommonNormal c = common_normal(a, b), d = common_normal(b, a);
        if (!c.certain) continue;
        normals.enter(length(c.normal + d.normal));
        overlaps.enter(std::abs(c.overlap - d.overlap));
    }
    CHECK(normals < 1e-11);
    CHECK(overlaps < 1e-17);
}

TEST_CASE("a superellipsoid touches spheres and ellipsoids, and a wall") {
    // A sphere above the face of a cube, off its middle: the distance from its centre to the face
    // less its radius, by the point of the surface nearest to the centre.
    const Superellipsoid cube(Ellipsoid{.semi_axes = {1e-3, 1e-3, 1e-3},
                                        .centre = {1e-3, 2e-3, 3e-3},
                                        .orientation = normalised({0.9, 0.1, -0.2, 0.3})},
                              {.plane = 4.0, .axis = 4.0});
    RandomNumbers random(3);
    for (int i = 0; i < 50; ++i) {
        const Vector x = surface_point(cube, random.direction()), n = normal_at(cube, x);
        const double room = random.between(-0.05e-3, 1e-3);
        const Ellipsoid ball{.semi_axes = {0.5e-3, 0.5e-3, 0.5e-3},
                             .centre = cube.centre + x + (0.5e-3 + room) * n,
                             .orientation = random.rotation()};
        const CommonPoints c = common_points(cube, ball);
        CHECK_ABSOLUTE(c.at.overlap, -room, 1e-17);
        CHECK(length(c.at.normal - n) < 1e-11);
        CHECK(length(c.arm_1 - x) < 1e-14);
        CHECK_RELATIVE(c.at.second.larger, 2000.0, 1e-12);
        const HalfSpace wall{.normal = -n, .offset = -dot(n, cube.centre + x) + 1e-5};
        const PlaneContact p = contact(cube, wall);
        CHECK_ABSOLUTE(p.overlap, 1e-5, 1e-17);
        const double reachable = principal(bending_at(cube, x, tangents(n)), n).larger;
        CHECK_RELATIVE(p.curvatures.larger, reachable, 1e-6);
    }
}

}  // namespace
}  // namespace beadwave::validation::superellipsoid_pairs_test
