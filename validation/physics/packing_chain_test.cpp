// A chain built as a packing behaves like the chain, and so does a row of a square crystal.

#include "largest.hpp"
#include "packings.hpp"
#include "relative.hpp"

#include <algorithm>

namespace beadwave::validation::packing_chain_test {

using packing::Vec3;

namespace {

/// The laboratory's 70 beads and the striker, as a packing along x.
packing::Packing row_of_beads(const chain::Chain& chain, const laws::Settings& law) {
    packing::Packing p = steel_packing();
    p.law = law;
    p.skin = 1e-3;  // beads that separate meet again
    for (std::size_t i = 0; i < chain.beads(); ++i) {
        p.add(chain.radius[i], chain.mass[i],
              {static_cast<double>(i) * 2.0 * chain.radius[i], 0.0, 0.0});
        p.velocity.back().x = chain.velocity[i];
    }
    return p;
}

}  // namespace

TEST_CASE("a chain built as a packing has the chain engine's history to 1e-10") {
    for (const std::string name : {"hertz", "ma-liu", "flores"}) {
        const laws::Settings law = law_settings(name);
        const chain::Chain chain = chain::build_chain(steel_chain(71, 1.77, law, 700e-6));
        constexpr double dt = 1e-7;
        constexpr int looks = 70, steps = 100;
        const auto row = dynamics::make_plain_engine(chain, dt);
        const auto engine = packing::make_plain_packing_engine(row_of_beads(chain, law), dt);
        dynamics::SensorTrace none;
        Largest worst_velocity;
        Largest worst_displacement, farthest;
        for (int look = 0; look < looks; ++look) {
            row->advance(steps, none);
            engine->advance(steps);
            const auto displacement = engine->displacement();
            const auto velocity = engine->velocity();
            for (std::size_t i = 0; i < chain.beads(); ++i) {
                worst_velocity.enter(std::abs(velocity[i].x - row->velocity()[i]));
                worst_displacement.enter(std::abs(displacement[i].x - row->displacement()[i]));
                farthest.enter(std::abs(row->displacement()[i]));
                CHECK(velocity[i].y == 0.0);
                CHECK(velocity[i].z == 0.0);
            }
        }
        INFO(name);
        CHECK_ABSOLUTE(worst_velocity, 0.0, 1e-10 * 1.77);
        CHECK_ABSOLUTE(worst_displacement, 0.0, 1e-10 * farthest);
        const dynamics::Totals expected = row->totals();
        const packing::PackingTotals totals = engine->totals();
        CHECK_RELATIVE(totals.translational, expected.kinetic, 1e-10);
        CHECK_ABSOLUTE(totals.dissipated_normal, expected.dissipated,
                       1e-10 * 0.5 * 0.45e-3 * 3.1329);
        MESSAGE(name << ": velocities differ by " << worst_velocity << " m/s, displacements by "
                     << worst_displacement << " m");
    }
}

TEST_CASE("a square crystal struck along a row moves only in that row") {
    packing::Packing p = steel_packing();
    p.dimension = 2;
    p.friction = {.law = laws::FrictionLaw::mindlin, .coefficient = 0.3};
    add_crystal(p,
                {.lattice = packing::Lattice::square, .cells = {21, 9, 1}, .radius = steel_radius});
    constexpr std::size_t struck = 4 * 21;
    p.velocity[struck].x = 0.5;
    const auto engine = packing::make_plain_packing_engine(p, 1e-7);
    engine->advance(2000);
    const auto displacement = engine->displacement(), velocity = engine->velocity(),
               angular_velocity = engine->angular_velocity();
    for (std::size_t i = 0; i < p.particles(); ++i) {
        CHECK(displacement[i].y == 0.0);
        CHECK(angular_velocity[i] == Vec3{});
        if (i / 21 != 4) CHECK(displacement[i].x == 0.0);
        if (i / 21 != 4) CHECK(velocity[i].x == 0.0);
    }
    CHECK(velocity[struck + 20].x > 0.1);
}

}  // namespace beadwave::validation::packing_chain_test
