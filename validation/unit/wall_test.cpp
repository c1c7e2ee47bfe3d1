// What a wall answers: its closest point, the normal and the distance there.

#include "packing/walls/wall.hpp"

#include "relative.hpp"

#include <cmath>
#include <limits>

namespace beadwave::validation::wall_test {

using packing::Vec3;

namespace {

const Vec3 normal = (1.0 / 3.0) * Vec3{2.0, -1.0, 2.0}, along{1.0, 2.0, 0.0};  // perpendicular
const packing::Wall oblique{.shape = packing::Plane{.point = {0.3, -0.2, 0.1}, .normal = normal}};

double apart(const Vec3& a, const Vec3& b) {
    return std::sqrt(dot(a - b, a - b));
}

}  // namespace

TEST_CASE("the closest point of a moved plane is the foot of the perpendicular") {
    const Vec3 moved{0.01, 0.02, -0.03}, foot = Vec3{0.3, -0.2, 0.1} + moved + 0.7 * along;
    // Sums of numbers around 1.
    constexpr double rounding = 4.0 * std::numeric_limits<double>::epsilon();
    for (const double distance : {0.5, 1e-6, -0.25}) {
        const packing::SurfacePoint at = oblique.closest(foot + distance * normal, moved);
        CHECK_ABSOLUTE(at.distance, distance, rounding);
        CHECK_ABSOLUTE(apart(at.point, foot), 0.0, rounding);
        CHECK(at.normal == normal);
    }
}

TEST_CASE("the closest point of a plane follows particle and wall with all digits") {
    const Vec3 reference{0.5, 0.6, 0.7};
    for (const double size : {1e-3, 1e-30}) {
        const Vec3 step = size * (2.0 * along + 5.0 * normal), moved = size * Vec3{1.0, 0.0, 0.0};
        // Along the plane like the particle, across it like the wall: moved has the part 2/3.
        const Vec3 expected = size * (2.0 * along + 2.0 / 3.0 * normal);
        const Vec3 follows = oblique.follow({}, reference, step, {}, moved);
        CHECK_ABSOLUTE(apart(follows, expected), 0.0, 1e-14 * size);
    }
}

}  // namespace beadwave::validation::wall_test
