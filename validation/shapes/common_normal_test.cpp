// The common normal of two ellipsoids against a table of another program, closed forms, and dense
// samples of directions.
#include "shapes/common_normal.hpp"

#include "largest.hpp"
#include "relative.hpp"
#include "sanitised.hpp"
#include "shape_rows.hpp"
#include "shapes/elliptic_stiffness.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace beadwave::validation::common_normal_test {
namespace {

using namespace shapes;

double overlap_along(const Ellipsoid& a, const Ellipsoid& b, const Vector& n) {
    return reach(a, n) + reach(b, n) - dot(n, b.centre - a.centre);
}

TEST_CASE("two ellipsoids: normal, points, overlap, curvatures and force are the table's") {
    const laws::Elasticity glass{.youngs_modulus = 70e9, .poisson_ratio = 0.25};
    const laws::Elasticity steel{.youngs_modulus = 193e9, .poisson_ratio = 0.30};
    Largest normals, points, overlaps, curvatures, angles, forces;
    for (const Row& row : table("shapes/ellipsoid_pairs.csv")) {
        const CommonNormal c = common_normal(ellipsoid_of(row, "1"), ellipsoid_of(row, "2"));
        CHECK(c.certain);
        normals.enter(length(c.normal - vector_of(row, "nx", "ny", "nz")));
        points.enter(length(c.point_1 - vector_of(row, "p1x_m", "p1y_m", "p1z_m")),
                     length(c.point_2 - vector_of(row, "p2x_m", "p2y_m", "p2z_m")));
        overlaps.enter(std::abs(c.overlap - number(row, "overlap_m")) /
                       std::abs(number(row, "overlap_m")));
        const double k1 = number(row, "k1_large"), k2 = number(row, "k2_large");
        curvatures.enter(
            std::abs(c.first.larger / k1 - 1.0),
            std::abs(c.first.smaller / number(row, "k1_small") - 1.0),
            std::abs(c.second.larger / k2 - 1.0),
            std::abs(c.second.smaller / number(row, "k2_small") - 1.0),
            std::abs(c.relative.larger / number(row, "relative_curvature_large") - 1.0),
            std::abs(c.relative.smaller / number(row, "relative_curvature_small") - 1.0));
        if (c.first.larger > 1.0001 * c.first.smaller &&
            c.second.larger > 1.0001 * c.second.smaller)
            angles.enter(std::abs(c.angle - number(row, "angle_rad")));
        const laws::ContactEllipse hertz = ellipse(c);
        const double K =
            laws::hertz_stiffness(laws::effective_modulus(glass, steel), hertz.equivalent_radius);
        forces.enter(std::abs(K / number(row, "stiffness_N_per_m1.5") - 1.0),
                     std::abs(hertz.mean_radius / number(row, "geometric_mean_radius_m") - 1.0));
        if (c.overlap > 0.0)
            forces.enter(std::abs(K * std::pow(c.overlap, 1.5) / number(row, "force_N") - 1.0));
    }
    MESSAGE("normals ", double(normals), ", points ", double(points), " m, overlaps ",
            double(overlaps), ", curvatures ", double(curvatures), ", angles ", double(angles),
            ", forces ", double(forces));
    // Newton's method stops at the rounding of the points, 1e-17 m; the least overlap of the table,
    // 1e-7 m, has eleven digits between coordinates of 1e-2 m.
    CHECK(normals < 1e-12);
    CHECK(points < 1e-14);
    CHECK(overlaps < 1e-9);
    CHECK(curvatures < 1e-10);
    CHECK(angles < 1e-9);
    CHECK(forces < 1e-8);
}

TEST_CASE("two spheres in any orientation touch along their centres") {
    RandomNumbers random(7);
    for (int i = 0; i < 50; ++i) {
        const double r1 = random.between(1e-3, 3e-3), r2 = random.between(1e-3, 3e-3);
        const Vector n = random.direction();
        const double overlap = random.between(-1e-3, 1e-3);
        const Ellipsoid a{{r1, r1, r1}, random.direction(), random.rotation()};
        const Ellipsoid b{{r2, r2, r2}, a.centre + (r1 + r2 - overlap) * n, random.rotation()};
        const CommonNormal c = common_normal(a, b);
        CHECK(length(c.normal - n) < 1e-12);  // centres 1 m from the origin
        CHECK_ABSOLUTE(c.overlap, overlap, 2e-15);
        CHECK(length(c.point_1 - c.point_2 - c.overlap * c.normal) < 2e-15);
        CHECK_RELATIVE(c.first.smaller, 1.0 / r1, 1e-12);
        CHECK_RELATIVE(ellipse(c).equivalent_radius, r1 * r2 / (r1 + r2), 1e-12);
    }
}

TEST_CASE("the order of two ellipsoids turns the normal, and nothing else") {
    RandomNumbers random(11);
    for (int i = 0; i < 50; ++i) {
        const Ellipsoid a = random.ellipsoid(5.0);
        Ellipsoid b = random.ellipsoid(5.0);
        b.centre = random.between(4e-3, 8e-3) * random.direction();
        const CommonNormal c = common_normal(a, b), d = common_normal(b, a);
        if (!c.certain) continue;
        CHECK(length(c.normal + d.normal) < 1e-11);
        CHECK_ABSOLUTE(c.overlap, d.overlap, 1e-17);
        CHECK_RELATIVE(c.relative.larger, d.relative.larger, 1e-10);
    }
}

/// About `count` directions, evenly over the sphere.
std::vector<Vector> evenly(int count) {
    std::vector<Vector> all;
    const double golden = std::numbers::pi * (3.0 - std::sqrt(5.0));
    for (int i = 0; i < count; ++i) {
        const double z = 1.0 - (2.0 * i + 1.0) / count, r = std::sqrt(1.0 - z * z);
        all.push_back({r * std::cos(golden * i), r * std::sin(golden * i), z});
    }
    return all;
}

TEST_CASE("no direction of a dense sample overlaps less than the common normal") {
    const std::vector<Vector> sample = evenly(sanitised ? 200 : 2000);
    RandomNumbers random(2026);
    int certain = 0, deep = 0, apart = 0;
    Largest missed, far;
    for (int i = 0; i < (sanitised ? 200 : 3000); ++i) {
        const Ellipsoid a = random.ellipsoid(5.0);
        Ellipsoid b = random.ellipsoid(5.0);
        // From concentric to apart; each tenth pair is aligned, with starts on its symmetry planes.
        b.centre = random.between(0.0, 8e-3) * random.direction();
        if (i % 10 == 0) b.orientation = a.orientation;
        const CommonNormal c = common_normal(a, b);
        double least = std::numeric_limits<double>::infinity();
        for (const Vector& n : sample)
            least = std::min(least, overlap_along(a, b, n));
        missed.enter(c.overlap - least);
        // A sample reaches the least one to the square of its spacing, 0.08.
        far.enter(least - c.overlap);
        certain += c.certain;
        deep += !c.certain;
        apart += c.overlap < 0.0;
        if (c.overlap < 0.0) CHECK(c.certain);
    }
    MESSAGE(certain, " certain, ", deep, " deep, ", apart, " apart; missed by ", double(missed),
            " m, sample above by up to ", double(far), " m");
    CHECK(missed < 1e-17);
    CHECK(far < (sanitised ? 1e-3 : 1e-4));
    CHECK(certain > deep / 4);
    CHECK(deep > 10);
    CHECK(apart > 10);
}

TEST_CASE("the overlap's derivative by the place of the first body is the normal") {
    // By that and by the rotation: what keeps energy. Central differences.
    RandomNumbers random(5);
    Largest differences;
    for (int i = 0; i < 30; ++i) {
        const Ellipsoid a = random.ellipsoid(4.0);
        Ellipsoid b = random.ellipsoid(4.0);
        b.centre = 6e-3 * random.direction();
        const CommonNormal c = common_normal(a, b);
        if (!c.certain) continue;
        const Vector way = random.direction();
        const double step = 1e-7, angle = 1e-5;
        const auto moved = [&](double sign) {
            Ellipsoid m = a;
            m.centre += sign * step * way;
            return common_normal(m, b).overlap;
        };
        const auto turned = [&](double sign) {
            Ellipsoid m = a;
            const double s = std::sin(0.5 * sign * angle);
            m.orientation =
                Quaternion{std::cos(0.5 * angle), s * way.x, s * way.y, s * way.z} * a.orientation;
            return common_normal(m, b).overlap;
        };
        differences.enter(std::abs((moved(1) - moved(-1)) / (2.0 * step) - dot(c.normal, way)),
                          std::abs((turned(1) - turned(-1)) / (2.0 * angle) -
                                   dot(cross(c.point_1 - a.centre, c.normal), way)) /
                              1e-3);
    }
    CHECK(differences < 1e-7);  // the square of the step over the radii of curvature
}

}  // namespace
}  // namespace beadwave::validation::common_normal_test
