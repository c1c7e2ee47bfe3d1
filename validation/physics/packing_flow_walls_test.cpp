// A wall with a mass pushes a column of particles out of a packing: each leaves while others touch
// it, and a run that is resumed just before has the same bits.

#include "packing_engines.hpp"
#include "packings.hpp"
#include "saved_packings.hpp"

namespace beadwave::validation::packing_flow_walls_test {

using packing::Packing;
using packing::Presence;
using packing::Vec3;

TEST_CASE(
    "particles that a loaded wall pushes through an exit leave with the bits of a resumed run") {
    constexpr double radius = 1e-3, dt = 4e-6;
    constexpr std::size_t count = 8;
    Packing p = steel_packing("tsuji");
    p.species_list[0].elasticity.youngs_modulus = 1e7;
    for (std::size_t i = 0; i < count; ++i) {
        const double height = (2.0 * static_cast<double>(i) + 1.0) * radius;
        p.add(radius, steel_mass(radius), {0.0, 0.0, height});
    }
    p.walls.push_back(
        {.shape = packing::Plane{.point = {0, 0, 2.0 * radius * count}, .normal = {0, 0, -1}},
         .load = packing::Load{.mass = 1e-3, .force = 0.5, .gain = 0.1}});
    p.exits.push_back({packing::Plane{.point = {0, 0, -2.0 * radius}, .normal = {0, 0, 1}}});
    p.skin = 0.3 * radius;
    for (const EngineMaker& make : engine_makers) {
        const auto engine = make(p, dt);
        std::size_t in_contact = 0;
        while (engine->population().count(Presence::left) + 1 < count) {
            REQUIRE(engine->step() < 100000);
            const SavedPacking before = saved(*engine);
            const std::int64_t step = engine->step();
            const std::size_t left = engine->population().count(Presence::left),
                              closed = engine->closed_contacts();
            engine->advance(packing::Population::check_steps);
            if (engine->population().count(Presence::left) == left) continue;
            if (closed > 0) ++in_contact;
            const auto again = make(p, dt);
            restore(*again, step, before);
            again->advance(packing::Population::check_steps);
            CHECK(again->velocity() == engine->velocity());
            CHECK(again->walls()[0].velocity == engine->walls()[0].velocity);
            CHECK(again->totals().dissipated_normal == engine->totals().dissipated_normal);
            CHECK(again->totals().inflow_energy == engine->totals().inflow_energy);
        }
        CHECK(in_contact >= 3);
    }
}

}  // namespace beadwave::validation::packing_flow_walls_test
