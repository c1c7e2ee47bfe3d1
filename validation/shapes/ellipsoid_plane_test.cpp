// An ellipsoid on a plane wall against a table of another program.
#include "beadwave/argument_error.hpp"
#include "largest.hpp"
#include "relative.hpp"
#include "shape_rows.hpp"
#include "shapes/elliptic_stiffness.hpp"
#include "shapes/plane_contact.hpp"

#include <cmath>
#include <limits>

namespace beadwave::validation::ellipsoid_plane_test {
namespace {

using namespace shapes;

TEST_CASE("an ellipsoid on a wall: deepest point, curvatures and Hertz's force are the table's") {
    const laws::Elasticity glass{.youngs_modulus = 70e9, .poisson_ratio = 0.25};
    Largest points, overlaps, curvatures, directions, forces;
    for (const Row& row : table("shapes/ellipsoid_plane.csv")) {
        const HalfSpace wall{.normal = vector_of(row, "nx", "ny", "nz"),
                             .offset = number(row, "plane_offset_m")};
        const Ellipsoid e = ellipsoid_of(row);
        const PlaneContact c = contact(e, wall);
        points.enter(length(c.point - vector_of(row, "px_m", "py_m", "pz_m")));
        const double overlap = number(row, "indentation_m");
        overlaps.enter(std::abs(c.overlap / overlap - 1.0));
        const double k1 = number(row, "curvature_1_per_m"), k2 = number(row, "curvature_2_per_m");
        curvatures.enter(std::abs(c.curvatures.larger / k1 - 1.0),
                         std::abs(c.curvatures.smaller / k2 - 1.0));
        if (k1 > 1.0001 * k2) {
            directions.enter(
                length(cross(c.curvatures.direction, vector_of(row, "d1x", "d1y", "d1z"))));
        }
        const laws::ContactEllipse hertz = ellipse(c);
        const double modulus = laws::effective_modulus(glass, glass);
        const double K = laws::hertz_stiffness(modulus, hertz.equivalent_radius);
        const double force = number(row, "force_N");
        forces.enter(
            std::abs(K / number(row, "stiffness_N_per_m1.5") - 1.0),
            std::abs(K * std::pow(c.overlap, 1.5) / force - 1.0),
            std::abs(hertz.axis_ratio / number(row, "ellipse_b_over_a") - 1.0),
            std::abs(hertz.semi_major(force, modulus) / number(row, "semi_major_m") - 1.0),
            std::abs(hertz.semi_minor(force, modulus) / number(row, "semi_minor_m") - 1.0));
    }
    MESSAGE("points ", double(points), " m, overlaps ", double(overlaps), ", curvatures ",
            double(curvatures), ", directions ", double(directions), ", forces ", double(forces));
    // Overlaps of 1e-7 m between coordinates of 1e-2 m: rounding alone is 1e-11 of them.
    CHECK(points < 1e-15);
    CHECK(overlaps < 1e-9);
    CHECK(curvatures < 1e-12);
    CHECK(directions < 1e-9);
    CHECK(forces < 1e-8);
}

TEST_CASE("a sphere on a wall has its own radius") {
    const Ellipsoid ball = require({.semi_axes = {2e-3, 2e-3, 2e-3},
                                    .centre = {1.0, 2.0, 1.9e-3},
                                    .orientation = {0.1, -0.7, 0.3, 0.5}});
    const PlaneContact c = contact(ball, {.normal = {0.0, 0.0, 1.0}, .offset = 0.0});
    CHECK_ABSOLUTE(c.overlap, 1e-4, 1e-18);
    CHECK_RELATIVE(c.curvatures.larger, 500.0, 1e-13);
    CHECK_RELATIVE(c.curvatures.smaller, 500.0, 1e-13);
    CHECK_RELATIVE(ellipse(c).equivalent_radius, 2e-3, 1e-13);
    CHECK_ABSOLUTE(c.point.z, -1e-4, 1e-18);
}

TEST_CASE("semi-axes and orientations that no ellipsoid has are refused in a sentence") {
    const Ellipsoid good{.semi_axes = {1e-3, 2e-3, 3e-3}};
    Ellipsoid bad = good;
    bad.semi_axes.y = 0.0;
    CHECK_THROWS_WITH_AS(require(bad),
                         "the semi-axes of an ellipsoid are 0.001, 0 and 0.003; expected numbers "
                         "above 0, in m",
                         ArgumentError);
    bad.semi_axes.y = std::numeric_limits<double>::quiet_NaN();
    CHECK_THROWS_AS(require(bad), ArgumentError);
    bad = good;
    bad.orientation = {0.0, 0.0, 0.0, 0.0};
    CHECK_THROWS_WITH_AS(require(bad),
                         "the orientation [0, 0, 0, 0] is no rotation; expected a unit "
                         "quaternion, scalar first",
                         ArgumentError);
    bad.orientation = {0.0, 0.0, 3.0, 4.0};
    CHECK(require(bad).orientation == Quaternion{0.0, 0.0, 0.6, 0.8});
}

}  // namespace
}  // namespace beadwave::validation::ellipsoid_plane_test
