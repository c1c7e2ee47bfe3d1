// One run that makes a bed and tests it: particles are poured, a lid with a mass, held until then,
// presses them, and the floor and the lid shear them.

#include "chaotic.hpp"
#include "packing_engines.hpp"
#include "poured_packings.hpp"
#include "relative.hpp"
#include "resumed_packings.hpp"
#include "sanitised.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace beadwave::validation::poured_bed_test {

using packing::Packing;
using packing::PackingTotals;
using packing::Presence;
using packing::Vec3;

namespace {

constexpr double radius = 2e-3, dt = 4e-6, release = 0.04, load_force = 2.0;
constexpr Vec3 floor_velocity{0.08, 0.0, 0.0}, lid_velocity{-0.05, 0.03, 0.0};

/// Rough spheres of two sizes over a floor that moves, under a lid that is held above them.
Packing sheared_bed(const std::string& law) {
    Packing p = soft_packing(law);
    p.friction = {.law = laws::FrictionLaw::mindlin, .coefficient = 0.4};
    p.rolling = {.coefficient = 0.05, .twisting_coefficient = 0.02, .damping_ratio = 0.1};
    const double side = 12.0 * radius, top = 16.0 * radius;
    p.box.upper = {side, side, 1.0};
    p.box.periodic = {true, true, false};
    const packing::Region region{{0, 0, 4.0 * radius}, {side, side, top}};
    const auto seed = static_cast<std::uint64_t>(2 * other_seed());
    add_pour(p, 120, radius, region, 4000.0, {0.1, 0.0, -1.0}, 1 + seed);
    add_pour(p, 60, 0.8 * radius, region, 0.0, {0.0, -0.1, -0.5}, 7 + seed);
    p.walls.push_back({.shape = packing::Plane{}, .velocity = floor_velocity});
    p.walls.push_back(
        {.shape = packing::Plane{.point = {0, 0, top}, .normal = {0, 0, -1}},
         .velocity = lid_velocity,
         .load = packing::Load{.mass = 0.02, .force = load_force, .gain = 2.0, .start = release}});
    p.skin = 0.3 * radius;
    return p;
}

/// The last step before the lid is released.
const auto release_step = static_cast<std::int64_t>(std::lround(release / dt));

}  // namespace

TEST_CASE("the ledger of a bed that is poured, pressed by a lid and sheared balances" *
          doctest::skip(sanitised)) {
    // The error of the steps in between, of second order: 2e-8 of the largest entry here.
    for (const EngineMaker& make : engine_makers) {
        for (const std::string law : {"tsuji", "thornton", "flores"}) {
            INFO(law);
            const Packing p = sheared_bed(law);
            const auto engine = make(p, dt);
            engine->advance(release_step);
            REQUIRE(engine->population().count(Presence::inside) == p.particles());
            CHECK(engine->walls()[1].displacement == Vec3{});
            CHECK(engine->walls()[1].velocity == Vec3{});
            const PackingTotals poured = engine->totals();
            engine->advance(15000);
            const PackingTotals now = engine->totals();
            const packing::WallMotion lid = engine->walls()[1];
            const double sheared = 15000 * dt;
            CHECK(lid.displacement.z < -2.0 * radius);
            CHECK_RELATIVE(lid.displacement.x, sheared * lid_velocity.x, 1e-9);
            CHECK_RELATIVE(lid.displacement.y, sheared * lid_velocity.y, 1e-9);
            const double scale =
                now.translational + std::abs(now.external_work) + std::abs(now.inflow_energy);
            CHECK_ABSOLUTE(energy_of(now) - now.inflow_energy, 0.0, 1e-7 * scale);
            CHECK(now.dissipated_tangential > poured.dissipated_tangential + 0.05 * scale);
        }
    }
}

TEST_CASE("a poured bed carries its lid, and friction of the walls drags it along") {
    const Packing p = sheared_bed("tsuji");
    const auto engine = packing::make_packing_engine(p, dt, 1);
    engine->advance(release_step + 12000);
    Vec3 on_floor{}, on_lid{};
    double weight = 0.0, lid_weight = p.walls[1].load->mass * 9.81;
    for (const double mass : p.mass)
        weight += 9.81 * mass;
    constexpr int looks = 300;
    for (int look = 0; look < looks; ++look) {
        engine->advance(20);
        for (const packing::ContactState& c : engine->contacts()) {
            const Vec3 force = c.normal_force + c.tangential_force;  // on the first body
            if (c.second == p.particles()) on_floor -= (1.0 / looks) * force;
            if (c.second == p.particles() + 1) on_lid -= (1.0 / looks) * force;
        }
    }
    // What the lid still accelerates in the mean, over 0.024 s, is below a few percent of its load.
    CHECK_BETWEEN(on_lid.z / (load_force + lid_weight), 0.97, 1.03);
    CHECK_BETWEEN(-on_floor.z / (load_force + lid_weight + weight), 0.97, 1.03);
    // Both walls drag the bed along; neither force is above Coulomb's limit.
    CHECK_BETWEEN(on_floor.x / on_floor.z, 0.1, 0.4);
    CHECK_BETWEEN(on_lid.x / on_lid.z, 0.0, 0.4);
}

TEST_CASE("threads, and resumption before, at and after the release of the lid, change no bit") {
    check_resumed_bits(sheared_bed("thornton"), dt,
                       {release_step - 187, release_step, release_step + 107}, release_step + 300);
}

TEST_CASE("a lid with a mass slides across its normal only") {
    Packing p = sheared_bed("tsuji");
    CHECK(packing::validate(p).empty());
    p.walls[1].velocity = {0.1, 0.0, 1e-3};
    CHECK(packing::validate(p) ==
          "wall 1: has a mass and a prescribed motion along its normal or axis");
    p.walls[1].velocity = {};
    p.walls[1].load->start = -1.0;
    CHECK(packing::validate(p) == "wall 1: start is not a finite number, 0 or larger");
}

}  // namespace beadwave::validation::poured_bed_test
