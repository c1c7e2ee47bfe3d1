// What a surface of triangles answers: closest points, patches, and which contact counts.

#include "meshes.hpp"
#include "normal_numbers.hpp"
#include "relative.hpp"

#include <limits>
#include <string>
#include <vector>

namespace beadwave::validation::triangle_surface_test {

using packing::NearestPoint;
using packing::TriangleSurface;

namespace {

constexpr double far = std::numeric_limits<double>::infinity();

double size(const Vec3& v) {
    return std::sqrt(dot(v, v));
}

Vec3 random_vector(std::uint64_t number) {
    return {normal_number(5, 3 * number), normal_number(5, 3 * number + 1),
            normal_number(5, 3 * number + 2)};
}

/// The smallest distance to points of a triangle: a grid that is refined around its best place.
double searched_distance(const Corners& c, const Vec3& from) {
    double u0 = 0.5, v0 = 0.5, width = 0.5, best = far;
    for (int level = 0; level < 40; ++level) {
        const double u_middle = u0, v_middle = v0;
        for (int i = -4; i <= 4; ++i) {
            for (int k = -4; k <= 4; ++k) {
                const double u = u_middle + width * i / 4.0, v = v_middle + width * k / 4.0;
                if (u < 0.0 || v < 0.0 || u + v > 1.0) continue;
                const double d = size(from - (c[0] + u * (c[1] - c[0]) + v * (c[2] - c[0])));
                if (d < best) best = d, u0 = u, v0 = v;
            }
        }
        width *= 0.6;
    }
    return best;
}

/// The contacts of a sphere of this radius.
std::vector<NearestPoint> contacts(const TriangleSurface& surface, const Vec3& at, double radius) {
    std::vector<NearestPoint> found;
    for (const std::uint32_t patch : surface.patches_near(at, radius)) {
        if (const NearestPoint c = surface.contact(patch, at, radius); c.found())
            found.push_back(c);
    }
    return found;
}

}  // namespace

TEST_CASE("the closest point of a triangle agrees with a search over its surface") {
    for (std::uint64_t t = 0; t < 60; ++t) {
        const Corners c{random_vector(4 * t), random_vector(4 * t + 1), random_vector(4 * t + 2)};
        const Vec3 from = 1.5 * random_vector(4 * t + 3);
        const NearestPoint at = packing::nearest_point(packing::Triangle(c), from);
        CHECK_RELATIVE(at.distance, searched_distance(c, from), 1e-7);
        CHECK_ABSOLUTE(size(at.point + at.distance * at.normal - from), 0.0, 1e-14 * size(from));
    }
}

TEST_CASE("the tree finds what a look at every triangle finds") {
    std::vector<Corners> all;
    for (std::uint64_t t = 0; t < 500; ++t) {
        const Vec3 at = 3.0 * random_vector(7000 + t);
        all.push_back(
            {at, at + 0.3 * random_vector(8000 + 2 * t), at + 0.3 * random_vector(8001 + 2 * t)});
    }
    const TriangleSurface surface(all, 0.5);
    for (std::uint64_t k = 0; k < 200; ++k) {
        const Vec3 from = 3.0 * random_vector(20000 + k);
        double least = far;
        for (const packing::Triangle& t : surface.triangles())
            least = std::min(least, packing::nearest_point(t, from).distance);
        CHECK(surface.nearest(from, far).distance == least);
        CHECK(!surface.nearest(from, 0.999 * least).found());
        CHECK(surface.nearest(from, 1.001 * least).distance == least);
    }
}

TEST_CASE("a flat plate of triangles is one patch, touched once everywhere") {
    const TriangleSurface surface(plate({-1, -1, 0.3}, {2, 0.2, 0.1}, {-0.1, 2, 0}, 7), 0.0);
    CHECK(surface.patches() == 1);
    const TriangleSurface cube(box_of_triangles({0, 0, 0}, {1, 1, 1}), 0.5);
    CHECK(cube.patches() == 6);
}

TEST_CASE("a convex edge is touched once, at the edge, and so is a corner") {
    const TriangleSurface cube(box_of_triangles({0, 0, 0}, {1, 1, 1}), 0.5);
    const double h = 0.1;
    const auto at_edge = contacts(cube, {0.37, 1.0 + h, 1.0 + 2.0 * h}, 0.3);
    REQUIRE(at_edge.size() == 1);
    CHECK_ABSOLUTE(size(at_edge[0].point - Vec3{0.37, 1, 1}), 0.0, 1e-15);
    CHECK_RELATIVE(at_edge[0].distance, std::sqrt(5.0) * h, 1e-14);
    const auto at_corner = contacts(cube, {-h, -h, -h}, 0.3);
    REQUIRE(at_corner.size() == 1);
    CHECK_ABSOLUTE(size(at_corner[0].point), 0.0, 1e-15);
    // Over a face beside the edge only the face counts, although the edge is in reach.
    const auto beside = contacts(cube, {0.5, 0.99, 1.1}, 0.3);
    REQUIRE(beside.size() == 1);
    CHECK_RELATIVE(beside[0].distance, 0.1, 1e-14);
    // Exactly one contact on a way around the edge, and its distance has no jump.
    double last = 0.0;
    for (int k = 0; k <= 2000; ++k) {
        const double angle = -0.6 + 2.8 * k / 2000.0;
        const Vec3 at{0.5, 1.0 + 0.1 * std::sin(angle), 1.0 + 0.1 * std::cos(angle)};
        const auto here = contacts(cube, at, 0.2);
        REQUIRE(here.size() == 1);
        if (k > 0) CHECK_ABSOLUTE(here[0].distance, last, 2e-4);
        last = here[0].distance;
    }
}

TEST_CASE("a concave edge is touched twice, a concave corner three times") {
    // Inside the cube.
    const TriangleSurface cube(box_of_triangles({0, 0, 0}, {1, 1, 1}), 0.5);
    CHECK(contacts(cube, {0.5, 0.1, 0.1}, 0.15).size() == 2);
    CHECK(contacts(cube, {0.1, 0.12, 0.1}, 0.15).size() == 3);
    CHECK(contacts(cube, {0.5, 0.5, 0.1}, 0.15).size() == 1);
}

TEST_CASE("corners in the middle of an edge do not count twice") {
    // Two squares, of which the second is cut in two along the common side.
    std::vector<Corners> all;
    add_square(all, {0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0});
    add_square(all, {1, 0, 0}, {2, 0, 0}, {2, 0.5, 0}, {1, 0.5, 0});
    add_square(all, {1, 0.5, 0}, {2, 0.5, 0}, {2, 1, 0}, {1, 1, 0});
    const TriangleSurface surface(all, 0.5);
    CHECK(surface.patches() == 2);
    for (int k = 0; k <= 4000; ++k) {
        // Steps of a twentieth of the distance at which two places are one.
        const double x = k <= 2000 ? 0.8 + 2e-4 * k : 1.0 + 1e-7 * (k - 3000);
        for (const double y : {0.1, 0.5, 0.77}) {
            const auto here = contacts(surface, {x, y, 0.1}, 0.2);
            REQUIRE(here.size() == 1);
            CHECK_RELATIVE(here[0].distance, 0.1, 1e-8);
        }
    }
}

TEST_CASE("a mesh of a hundred thousand triangles looks at a few of them per contact") {
    const TriangleSurface surface(tube({0, 0, 1}, 0.05, 0.2, 250, 200), 0.5);
    REQUIRE(surface.triangles().size() == 100'000);
    std::size_t tests = 0, largest = 0;
    constexpr int places = 1000;
    for (int k = 0; k < places; ++k) {
        const double angle = 0.37 * k;
        const Vec3 at{0.0477 * std::cos(angle), 0.0477 * std::sin(angle), 1e-4 * (k % 700) - 0.03};
        std::size_t here = 0;
        REQUIRE(surface.contact(0, at, 2.38e-3, &here).found());
        tests += here;
        largest = std::max(largest, here);
    }
    MESSAGE("triangles per contact: ", static_cast<double>(tests) / places, ", at most ", largest);
    CHECK(tests < 40 * places);
}

TEST_CASE("triangles with a fault are refused in one sentence") {
    const auto fault = [](std::vector<Corners> all) { return TriangleSurface::fault(all); };
    const Corners good{Vec3{0, 0, 0}, Vec3{1, 0, 0}, Vec3{0, 1, 0}};
    CHECK(fault({good}).empty());
    CHECK(fault({}) == "has no triangles");
    CHECK(fault({good, {Vec3{0, 0, 0}, Vec3{1, 1, 1}, Vec3{2, 2, 2}}}) ==
          "triangle 1 has no area: its corners lie on one line or point");
    CHECK(fault({{Vec3{1, 1, 1}, Vec3{1, 1, 1}, Vec3{1, 1, 1}}}) ==
          "triangle 0 has no area: its corners lie on one line or point");
    CHECK(fault({{Vec3{far, 0, 0}, Vec3{1, 0, 0}, Vec3{0, 1, 0}}}) ==
          "triangle 0 has a corner that is not finite");
    CHECK(fault({{Vec3{0, 0, 0}, Vec3{1e31, 0, 0}, Vec3{0, 1, 0}}}) ==
          "triangle 0 has a coordinate of 1e+31 m; expected up to 1e+30");
    CHECK(fault({good, {good[1], good[2], good[0]}}) ==
          "triangle 1 has the corners of triangle 0; expected each once");
}

}  // namespace beadwave::validation::triangle_surface_test
