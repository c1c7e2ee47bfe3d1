// What a tangential dashpot is to small motions: in modes, and in the limit of the time step.

#include "linear/packing_operator.hpp"
#include "linear/static_links.hpp"
#include "packings.hpp"
#include "relative.hpp"

#include <cmath>

namespace beadwave::validation::tangential_dashpot_linear_test {

using laws::FrictionLaw;

namespace {

constexpr double radius = 2.5e-3, overlap = 1e-7, ratio = 0.2;
const double mass = steel_mass(radius);
const double shear_modulus = steel_modulus / (4.0 * (1.0 + steel_ratio) * (2.0 - steel_ratio));
const double stiffness = 8.0 * shear_modulus * std::sqrt(radius * overlap);

/// A sphere that two walls press.
packing::Packing pressed(const laws::Friction& friction) {
    packing::Packing p = steel_packing();
    p.friction = friction;
    p.add(radius, mass, {0, 0, radius - overlap});
    p.walls.push_back({});
    p.walls.push_back(
        {.shape = packing::Plane{.point = {0, 0, 2.0 * (radius - overlap)}, .normal = {0, 0, -1}}});
    return p;
}

}  // namespace

TEST_CASE("modes and the limit of the time step have the tangential dashpot") {
    for (const FrictionLaw law : {FrictionLaw::mindlin, FrictionLaw::mindlin_displacement}) {
        const packing::Packing p =
            pressed({.law = law, .coefficient = 0.3, .damping_ratio = ratio});
        const double c = 2.0 * ratio * std::sqrt(stiffness * mass);
        const linear::PackingOperator modes = linear::linearise(p, "pressed");
        REQUIRE(modes.links.size() == 2);
        CHECK(modes.damped());
        for (const auto& link : modes.links) {
            CHECK_RELATIVE(link.sliding_stiffness, stiffness, 1e-9);
            CHECK_RELATIVE(link.sliding_damping, c, 1e-9);
        }
        // Across, two contacts act on the sphere, which also turns: 1 + m R^2 / I = 3.5.
        for (const bool fast : {false, true}) {
            const auto engine = fast ? packing::make_packing_engine(p, 1e-9, 1)
                                     : packing::make_plain_packing_engine(p, 1e-9);
            CHECK_RELATIVE(engine->stability_limits(1.0).damping, 2.0 * 3.5 * c / mass, 1e-9);
        }
    }
}

}  // namespace beadwave::validation::tangential_dashpot_linear_test
