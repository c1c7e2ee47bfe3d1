// What packings of ellipsoids have beside spheres: sizes, moments of inertia, and a fingerprint by
// which saved states are known.
#include "packing/build/particle_shapes.hpp"

#include "packing/state/fingerprint.hpp"
#include "relative.hpp"

#include <doctest/doctest.h>

#include <cmath>

namespace beadwave::validation::particle_shapes_test {
namespace {

packing::Packing one_ellipsoid() {
    packing::Packing p;
    p.species_list.push_back({"glass", {.youngs_modulus = 70e9, .poisson_ratio = 0.25}});
    p.add(3e-3, 2e-4, {0.0, 0.0, 0.0});
    p.semi_axes.push_back({3e-3, 2e-3, 1e-3});
    p.orientation.push_back({0.6, 0.0, 0.0, 0.8});
    return p;
}

}  // namespace

TEST_CASE("another shape or orientation is another packing, and spheres keep their fingerprint") {
    const packing::Packing p = one_ellipsoid();
    packing::Packing longer = p, turned = p, ball = p, sphere = p;
    longer.semi_axes[0].y = 2.1e-3;
    turned.orientation[0] = {0.8, 0.0, 0.0, 0.6};
    ball.semi_axes[0] = {3e-3, 3e-3, 3e-3};
    sphere.semi_axes.clear();
    sphere.orientation.clear();
    CHECK(fingerprint(p) == fingerprint(one_ellipsoid()));
    CHECK(fingerprint(p) != fingerprint(longer));
    CHECK(fingerprint(p) != fingerprint(turned));
    CHECK(fingerprint(ball) != fingerprint(sphere));
}

TEST_CASE("an ellipsoid reaches as far as its turned axes, and turns with its own moments") {
    const packing::Packing p = one_ellipsoid();
    // By 2 atan(0.8/0.6) about z: x of the body points along (-0.28, 0.96, 0).
    CHECK_RELATIVE(reach_of(p, 0, {-0.28, 0.96, 0.0}), 3e-3, 1e-14);
    CHECK_RELATIVE(reach_of(p, 0, {-0.96, -0.28, 0.0}), 2e-3, 1e-14);
    CHECK_RELATIVE(reach_of(p, 0, {0.0, 0.0, -1.0}), 1e-3, 1e-14);
    CHECK(smallest_size(p, 0) == 1e-3);
    const packing::Vec3 moments = principal_moments(p, 0);
    CHECK_RELATIVE(moments.x, 0.2 * 2e-4 * 5e-6, 1e-14);
    CHECK_RELATIVE(moments.y, 0.2 * 2e-4 * 10e-6, 1e-14);
    CHECK_RELATIVE(moments.z, 0.2 * 2e-4 * 13e-6, 1e-14);
    // Along x of the body, in space.
    CHECK_RELATIVE(rotational_energy(p, 0, p.orientation[0], {-2.8, 9.6, 0.0}),
                   0.5 * moments.x * 100.0, 1e-14);
}

}  // namespace beadwave::validation::particle_shapes_test
