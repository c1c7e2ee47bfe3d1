// Walls with a mass, which move as particles and loads push them.

#include "crystals.hpp"
#include "packing/fast/fast_packing_engine.hpp"
#include "packing/step/time_step.hpp"
#include "packing_engines.hpp"
#include "packing_system/packing_measures.hpp"
#include "relative.hpp"
#include "sanitised.hpp"
#include "saved_packings.hpp"

#include <array>
#include <cmath>
#include <functional>
#include <memory>

namespace beadwave::validation::loaded_walls_test {

using packing::Vec3;

namespace {

/// A sphere far from a wall that a load pushes along x.
packing::Packing lonely_wall(const packing::Load& load) {
    packing::Packing p = steel_packing();
    p.add(steel_radius, steel_mass(steel_radius), {10.0, 0, 0});
    p.walls.push_back({.shape = packing::Plane{.point = {}, .normal = {1, 0, 0}}, .load = load});
    return p;
}

/// A fcc crystal on a floor, under a lid with a mass; two more spheres lie loose on the lid's way.
packing::Packing pressed(const std::string& law, const packing::Load& load) {
    packing::Packing p = steel_packing(law);
    p.friction = {.law = laws::FrictionLaw::mindlin, .coefficient = 0.3};
    const packing::Crystal crystal{.lattice = packing::Lattice::fcc,
                                   .cells = {3, 3, 3},
                                   .origin = {0, 0, steel_radius},
                                   .radius = steel_radius};
    add_crystal(p, crystal);
    p.box.upper = packing::period(crystal);
    p.box.periodic = {true, true, false};
    const double top = steel_radius + (5.0 / 6.0) * p.box.upper.z + steel_radius;
    p.walls.push_back({});
    p.walls.push_back(
        {.shape = packing::Plane{.point = {0, 0, top + 1e-7}, .normal = {0, 0, -1}}, .load = load});
    p.gravity = {0, 0, -9.81};
    // Loose spheres of another size disturb the symmetry.
    for (std::size_t i = 0; i < p.particles(); i += 7)
        p.velocity[i] = {0.02, -0.01 * static_cast<double>(i % 5), 0.015};
    return p;
}

const packing::Load heavy{.mass = 3e-3, .force = 120.0, .target_velocity = 0.05, .gain = 15.0};

}  // namespace

TEST_CASE("a wall alone falls with its load over its mass, and its ledger balances") {
    const double force = 3.0, mass = 0.2, dt = 1e-5;
    packing::Packing p = lonely_wall({.mass = mass, .force = force});
    p.fixed = {true};
    p.gravity = {-4.0, 0, 0};
    for (const EngineMaker& make : engine_makers) {
        const auto engine = make(p, dt);
        engine->advance(700);
        engine->advance(300);
        const double t = 1000 * dt, a = force / mass - 4.0;
        const packing::WallMotion wall = engine->walls()[0];
        CHECK_RELATIVE(wall.displacement.x, 0.5 * a * t * t, 1e-12);
        CHECK_RELATIVE(wall.velocity.x, a * t, 1e-12);
        CHECK_RELATIVE(engine->totals().translational, 0.5 * mass * a * t * a * t, 1e-12);
        CHECK_ABSOLUTE(energy_of(engine->totals()), 0.0, 1e-12 * engine->totals().external_work);
    }
}

TEST_CASE("a wall that holds a velocity reaches it exponentially, to second order of the step") {
    const double mass = 0.2, gain = 40.0, target = 0.3, t = 0.01;
    const double expected = target * (1.0 - std::exp(-gain * t / mass));
    for (const EngineMaker& make : engine_makers) {
        std::array<double, 3> error{};
        for (int k = 0; k < 3; ++k) {
            const std::int64_t steps = 100 << k;
            const auto engine =
                make(lonely_wall({.mass = mass, .target_velocity = target, .gain = gain}),
                     t / static_cast<double>(steps));
            engine->advance(steps);
            error[static_cast<std::size_t>(k)] = std::abs(engine->walls()[0].velocity.x - expected);
        }
        MESSAGE("errors " << error[0] << " " << error[1] << " " << error[2]);
        CHECK(error[0] < 1e-3 * target);
        CHECK(std::log2(error[0] / error[1]) > 1.9);
        CHECK(std::log2(error[1] / error[2]) > 1.9);
    }
}

TEST_CASE("a wall and a sphere collide like two bodies") {
    packing::Packing p = lonely_wall({.mass = 2.0 * steel_mass(steel_radius)});
    p.position[0] = {steel_radius + 1e-9, 0, 0};
    p.velocity[0] = {-0.5, 0, 0};
    for (const EngineMaker& make : engine_makers) {
        const auto engine = make(p, 2e-8);
        engine->advance(5000);
        // Elastic: v (m - M) / (m + M) and v 2 m / (m + M).
        CHECK_RELATIVE(engine->velocity()[0].x, 0.5 / 3.0, 1e-6);
        CHECK_RELATIVE(engine->walls()[0].velocity.x, -0.5 * 2.0 / 3.0, 1e-6);
        CHECK_ABSOLUTE(engine->totals().external_work, 0.0, 1e-12 * engine->totals().translational);
    }
}

TEST_CASE("the ledger balances while walls with a mass press a packing" *
          doctest::skip(sanitised)) {
    for (const std::string law : {"hertz", "tsuji", "ma-liu"}) {
        for (const EngineMaker& make : engine_makers) {
            const packing::Packing p = pressed(law, heavy);
            std::array<double, 2> error{};
            for (int k = 0; k < 2; ++k) {
                const auto engine = make(p, 4e-8 / (1 << k));
                const packing::PackingTotals before = engine->totals();
                engine->advance(4000 << k);
                const packing::PackingTotals after = engine->totals();
                const double scale = before.translational + std::abs(after.external_work);
                CHECK(after.external_work > 10.0 * before.translational);
                error[static_cast<std::size_t>(k)] =
                    std::abs(energy_of(after) - energy_of(before)) / scale;
            }
            INFO(law);
            MESSAGE(law << ": errors " << error[0] << " " << error[1]);
            CHECK(error[1] < 2e-6);
        }
    }
}

TEST_CASE("a lid that rests on a packing carries its load and its weight to the floor" *
          doctest::skip(sanitised)) {
    packing::Packing p = pressed("tsuji", {.mass = 3e-3, .force = 120.0, .gain = 30.0});
    p.law.values.insert_or_assign("restitution", 0.1);
    p.friction = {};
    p.velocity = std::vector<packing::Vec3>(p.particles());
    double weight = 0.0;
    for (const double mass : p.mass)
        weight += 9.81 * mass;
    for (const EngineMaker& make : engine_makers) {
        const auto engine = make(p, 5e-8);
        engine->advance(100'000);
        const observers::MeasuredState state(p, *engine);
        const observers::WallMeasures walls = observers::wall_measures(state);
        const double load = 120.0 + 3e-3 * 9.81;
        MESSAGE("kinetic " << engine->totals().translational / engine->totals().stored_normal);
        CHECK_RELATIVE(walls.force[1].z, load, 1e-8);
        CHECK_RELATIVE(walls.force[0].z, -(load + weight), 1e-8);
        // The stress is that of the mean of both faces, weight included.
        const double area = p.box.upper.x * p.box.upper.y;
        const double stress = -observers::stress(state)[8];
        CHECK(stress > load / area);
        CHECK(stress < (load + weight) / area);
        CHECK(walls.position[1].z < std::get<packing::Plane>(p.walls[1].shape).point.z);
    }
}

TEST_CASE("walls with a mass move alike in both engines, on every instruction set") {
    packing::Packing p = pressed("tsuji", heavy);
    p.skin = 1e-6;
    const auto plain = packing::make_plain_packing_engine(p, 1e-7);
    plain->advance(1500);
    REQUIRE(plain->neighbour_list_builds() > 1);
    const packing::PackingTotals b = plain->totals();
    for (const simd::InstructionSet& set : simd::instruction_sets()) {
        const auto fast = packing::make_packing_engine(p, 1e-7, 1, set);
        fast->advance(1500);
        INFO(set.name);
        const packing::WallMotion x = fast->walls()[1], y = plain->walls()[1];
        CHECK_RELATIVE(x.displacement.z, y.displacement.z, 1e-10);
        CHECK_RELATIVE(x.velocity.z, y.velocity.z, 1e-9);
        const packing::PackingTotals a = fast->totals();
        CHECK_RELATIVE(a.external_work, b.external_work, 1e-10);
        CHECK_RELATIVE(a.translational, b.translational, 1e-9);
        CHECK_RELATIVE(a.stored_normal, b.stored_normal, 1e-9);
    }
}

TEST_CASE("threads, interruptions and resumption change no bit of a wall with a mass") {
    packing::Packing p = pressed("ma-liu", heavy);
    add_crystal(p, {.lattice = packing::Lattice::simple_cubic,
                    .cells = {2, 2, 600},
                    .origin = {0, 0, -4.0},
                    .radius = 0.2 * steel_radius});
    p.fixed.assign(p.particles(), false);
    for (std::size_t i = 108; i < p.particles(); ++i)
        p.fixed[i] = true;
    p.walls[0] = {.shape = packing::Plane{.point = {0, 0, -5.0}}};
    p.skin = 2e-6;
    const auto one = packing::make_packing_engine(p, 1e-7, 1);
    one->advance(800);
    for (const int threads : {2, 3}) {
        const auto more = packing::make_packing_engine(p, 1e-7, threads);
        more->advance(300);
        more->advance(1);
        const auto again = packing::make_packing_engine(p, 1e-7, threads);
        restore(*again, 301, saved(*more));
        CHECK(again->totals().external_work == more->totals().external_work);
        more->advance(499);
        again->advance(499);
        for (const auto* engine : {more.get(), again.get()}) {
            CHECK(engine->walls()[1].displacement == one->walls()[1].displacement);
            CHECK(engine->walls()[1].velocity == one->walls()[1].velocity);
            CHECK(engine->velocity() == one->velocity());
            CHECK(engine->totals().external_work == one->totals().external_work);
            CHECK(engine->totals().translational == one->totals().translational);
        }
    }
    const auto plain = packing::make_plain_packing_engine(p, 1e-7);
    plain->advance(300);
    const auto resumed = packing::make_plain_packing_engine(p, 1e-7);
    restore(*resumed, 300, saved(*plain));
    plain->advance(500);
    resumed->advance(500);
    CHECK(resumed->walls()[1].displacement == plain->walls()[1].displacement);
    CHECK(resumed->totals().external_work == plain->totals().external_work);
}

TEST_CASE("a light wall shortens the time step, and its vibration is watched") {
    packing::Packing p = pressed("hertz", {.mass = 1e-6, .force = 1.0});
    const stepping::TimeStep light = packing::choose_time_step(p, {.end = 1e-3, .interval = 1e-3});
    p.walls[1].load->mass = 1e-2;
    const stepping::TimeStep massive =
        packing::choose_time_step(p, {.end = 1e-3, .interval = 1e-3});
    CHECK(light.step < 0.5 * massive.step);
    for (const EngineMaker& make : engine_makers) {
        std::array<double, 2> frequency{};
        for (int k = 0; k < 2; ++k) {
            p.walls[1].load = {.mass = k == 0 ? 1e-6 : 1e-2, .force = 1.0};
            std::get<packing::Plane>(p.walls[1].shape).point.z -= k == 0 ? 3e-7 : 0.0;
            frequency[static_cast<std::size_t>(k)] =
                make(p, 1e-9)->stability_limits(1e-6).frequency;
        }
        std::get<packing::Plane>(p.walls[1].shape).point.z += 3e-7;
        CHECK(frequency[0] > 5.0 * frequency[1]);
    }
}

}  // namespace beadwave::validation::loaded_walls_test
