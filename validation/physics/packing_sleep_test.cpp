// A struck crystal costs its wave: blocks at rest are skipped, and no bit knows.

#include "packing/fast/fast_packing_engine.hpp"
#include "packings.hpp"
#include "relative.hpp"

using namespace beadwave;
using namespace beadwave::validation;
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
    p.spin[0] = {50.0, 0.0, 80.0};
    return p;
}

packing::FastPackingEngine engine_of(const packing::Packing& p, packing::Sleep sleep,
                                     int threads = 1) {
    return {p, 2e-7, threads, packing::packing_kernels().front(), sleep};
}

}  // namespace

TEST_CASE("a pulse through a resting fcc crystal is the same to the bit with all blocks awake") {
    for (const std::string law : {"hertz", "ma-liu", "tsuji"}) {
        packing::Packing p = struck(14, law);
        if (law == "tsuji") p.law = law_settings("tsuji", {{"restitution", 0.8}});
        for (const double gap : {0.0, -2e-7}) {
            if (gap < 0.0) {
                // Beads a little apart: none moves until it is met.
                for (Vec3& position : p.position)
                    position = (1.0 - gap / steel_radius) * position;
            }
            auto sleeping = engine_of(p, packing::Sleep::yes, 2);
            auto awake = engine_of(p, packing::Sleep::no);
            double most = 0.0;
            for (int look = 0; look < 12; ++look) {
                sleeping.advance(25);
                awake.advance(25);
                most = std::max(most, sleeping.resting_part());
                INFO(law, " ", gap, " ", look);
                CHECK(sleeping.displacement() == awake.displacement());
                CHECK(sleeping.velocity() == awake.velocity());
                CHECK(sleeping.spin() == awake.spin());
                CHECK(energy_of(sleeping.totals()) == energy_of(awake.totals()));
            }
            // Tsuji's dashpot, with the fourth root of an overlap however small, wakes all at once.
            if (law != "tsuji" || gap < 0.0) CHECK(most > 0.3);
            CHECK(most < 1.0);
            CHECK(awake.resting_part() == 0.0);
        }
    }
}

TEST_CASE("before a plane pulse along a bar only the nearest blocks are awake") {
    packing::Packing p = steel_packing("hertz");
    const packing::Crystal bar{
        .lattice = packing::Lattice::fcc, .cells = {40, 8, 8}, .radius = steel_radius};
    add_crystal(p, bar);
    const Vec3 period = packing::period(bar), corner{-1e-4, -1e-4, -1e-4};
    p.box = {.lower = corner, .upper = period + corner, .periodic = {false, true, true}};
    for (std::size_t i = 0; i < p.particles(); ++i)
        if (p.position[i].x < steel_radius) p.velocity[i] = {1.0, 0, 0};
    // Ten blocks along the bar, at most two side by side: those in front move, the next ones touch
    // them.
    auto engine = engine_of(p, packing::Sleep::yes);
    engine.advance(10);
    CHECK(engine.resting_part() >= 0.6);
}

TEST_CASE("gravity keeps all awake, and a moving wall what is before it") {
    packing::Packing p = struck(6, "hertz");
    p.velocity[0] = {};
    p.spin[0] = {};
    auto still = engine_of(p, packing::Sleep::yes);
    still.advance(10);
    CHECK(still.resting_part() == 1.0);
    p.gravity = {0, 0, -9.81};
    auto falling = engine_of(p, packing::Sleep::yes);
    falling.advance(10);
    CHECK(falling.resting_part() == 0.0);
    CHECK(falling.velocity()[0].z < 0.0);
    p.gravity = {};
    p.walls.push_back({.point = {0, 0, -steel_radius - 1e-6}, .velocity = {0, 0, 0.5}});
    auto pushed = engine_of(p, packing::Sleep::yes);
    pushed.advance(200);
    CHECK(pushed.velocity()[0].z > 0.1);
}
