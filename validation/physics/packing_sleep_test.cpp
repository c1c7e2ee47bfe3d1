// Steps skip sleeping blocks, so a struck crystal costs only its wave, with bitwise the same
// results.

#include "largest.hpp"
#include "packing_backends.hpp"
#include "packings.hpp"
#include "relative.hpp"

namespace beadwave::validation::packing_sleep_test {

using packing::Vec3;

namespace {

/// An fcc crystal at rest whose spheres touch, struck at a corner.
packing::Packing struck(std::int64_t cells, const std::string& law) {
    packing::Packing p = steel_packing(law);
    p.friction = {.law = laws::FrictionLaw::mindlin, .coefficient = 0.3};
    add_crystal(
        p,
        {.lattice = packing::Lattice::fcc, .cells = {cells, cells, cells}, .radius = steel_radius});
    p.velocity[0] = {3.0, 2.0, 1.0};
    p.angular_velocity[0] = {50.0, 0.0, 80.0};
    return p;
}

packing::PackingEngine engine_of(const packing::Packing& p, packing::Sleep sleep, int threads = 1) {
    return fast_engine(p, 2e-7, threads, sleep);
}

}  // namespace

TEST_CASE("a pulse through a resting fcc crystal is bitwise the same with all blocks awake") {
    for (const std::string law : {"hertz", "ma-liu", "tsuji"}) {
        packing::Packing p = struck(14, law);
        if (law == "tsuji") p.law = law_settings("tsuji", {{"restitution", 0.8}});
        for (const double gap : {0.0, -2e-7}) {
            if (gap < 0.0) {
                // The spheres are a little apart: none moves until another one reaches it.
                for (std::size_t i = 0; i < p.particles(); ++i)
                    p.position[i] = (1.0 - gap / steel_radius) * p.position[i];
            }
            auto sleeping = engine_of(p, packing::Sleep::yes, 2);
            auto awake = engine_of(p, packing::Sleep::no);
            Largest most;
            for (int look = 0; look < 12; ++look) {
                sleeping.advance(25);
                awake.advance(25);
                most.enter(fast_of(sleeping).asleep_fraction());
                INFO(law, " ", gap, " ", look);
                CHECK(sleeping.displacement() == awake.displacement());
                CHECK(sleeping.velocity() == awake.velocity());
                CHECK(sleeping.angular_velocity() == awake.angular_velocity());
                CHECK(energy_of(sleeping.totals()) == energy_of(awake.totals()));
            }
            // Tsuji's dashpot grows with the fourth root of the overlap, so it wakes all blocks at
            // once.
            if (law != "tsuji" || gap < 0.0) CHECK(most > 0.3);
            CHECK(most < 1.0);
            CHECK(fast_of(awake).asleep_fraction() == 0.0);
        }
    }
}

TEST_CASE("ahead of a plane pulse along a bar only the nearest blocks are awake") {
    packing::Packing p = steel_packing("hertz");
    const packing::Crystal bar{
        .lattice = packing::Lattice::fcc, .cells = {40, 8, 8}, .radius = steel_radius};
    add_crystal(p, bar);
    const Vec3 period = packing::period(bar), corner{-1e-4, -1e-4, -1e-4};
    p.box = {.lower = corner, .upper = period + corner, .periodic = {false, true, true}};
    for (std::size_t i = 0; i < p.particles(); ++i)
        if (p.position[i].x < steel_radius) p.velocity[i] = {1.0, 0, 0};
    // Ten blocks along the bar, at most two side by side. Only those at the front move or touch
    // blocks that move.
    auto engine = engine_of(p, packing::Sleep::yes);
    engine.advance(10);
    CHECK(fast_of(engine).asleep_fraction() >= 0.6);
}

TEST_CASE("gravity keeps all blocks awake, and a moving wall those next to it") {
    packing::Packing p = struck(6, "hertz");
    p.velocity[0] = {};
    p.angular_velocity[0] = {};
    auto still = engine_of(p, packing::Sleep::yes);
    still.advance(10);
    CHECK(fast_of(still).asleep_fraction() == 1.0);
    p.gravity = {0, 0, -9.81};
    auto falling = engine_of(p, packing::Sleep::yes);
    falling.advance(10);
    CHECK(fast_of(falling).asleep_fraction() == 0.0);
    CHECK(falling.velocity()[0].z < 0.0);
    p.gravity = {};
    p.walls.push_back(
        {.shape = packing::Plane{.point = {0, 0, -steel_radius - 1e-6}}, .velocity = {0, 0, 0.5}});
    auto pushed = engine_of(p, packing::Sleep::yes);
    pushed.advance(200);
    CHECK(pushed.velocity()[0].z > 0.1);
}

}  // namespace beadwave::validation::packing_sleep_test
