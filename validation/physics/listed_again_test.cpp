// Pairs that leave the neighbour list, all of them, and come back.

#include "packing_engines.hpp"
#include "packings.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <vector>

namespace beadwave::validation::listed_again_test {

using packing::Vec3;

TEST_CASE("pairs of many sizes go on after a list without any pair") {
    // Eighty pairs of spheres, all of different sizes, which fly apart and come back: more kinds of
    // pairs than have one table.
    constexpr double dt = 1e-6, speed = 1.0;
    constexpr std::size_t pairs = 80;
    packing::Packing p = steel_packing("hertz");
    p.species_list[0].elasticity.youngs_modulus = 1e8;
    for (std::size_t k = 0; k < pairs; ++k) {
        const double y = 0.1 * static_cast<double>(k);
        for (const double side : {-1.0, 1.0}) {
            const double radius = 1e-3 * (1.0 + 1e-3 * static_cast<double>(k) + 0.1 * side);
            p.add(radius, steel_mass(radius), {side * 1.05 * radius, y, 0.0});
            p.velocity.back() = {side * speed, 0.0, 0.0};
        }
    }
    p.skin = 2e-4;
    std::vector<std::vector<Vec3>> velocity;
    for (const EngineMaker& make : engine_makers) {
        const auto engine = make(p, dt);
        REQUIRE(engine->listed_pairs() == pairs);
        engine->advance(1000);  // a millimetre away
        for (int list = 0; list < 3; ++list)
            engine->rebuild_list();
        REQUIRE(engine->listed_pairs() == 0);
        for (std::size_t i = 0; i < p.particles(); ++i)
            engine->set_velocities(i, -1.0 * p.velocity[i], {});
        engine->advance(1120);
        CHECK(engine->listed_pairs() == pairs);
        CHECK(engine->closed_contacts() == pairs);
        velocity.push_back(engine->velocity());
    }
    for (std::size_t i = 0; i < p.particles(); ++i) {
        CAPTURE(i);
        CHECK(std::abs(velocity[0][i].x - velocity[1][i].x) < 1e-9 * speed);  // rounding
    }
}

}  // namespace beadwave::validation::listed_again_test
