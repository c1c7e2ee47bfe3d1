// Particles that carry loads, foundations, masses and bonds, and come into packings or leave them:
// closed forms, energy and momentum, both engines, bits.

#include "beadwave/argument_error.hpp"
#include "packing/build/press.hpp"
#include "packing_engines.hpp"
#include "poured_packings.hpp"
#include "relative.hpp"
#include "saved_packings.hpp"
#include "shared_packings.hpp"

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

namespace beadwave::validation::packing_flow_elements_test {

using packing::Packing;
using packing::PackingTotals;
using packing::Presence;
using packing::Vec3;
using stepping::ForceSignal;

namespace {

constexpr double radius = 2e-3;
const packing::Region above{{-0.01, -0.01, 0.02}, {0.01, 0.01, 0.04}};

/// One sphere that comes at 1 ms.
Packing one_poured(const Vec3& velocity) {
    Packing p = soft_packing("hertz");
    add_pour(p, 1, radius, above, 0.0, velocity);
    p.pours[0].start = 1e-3;
    p.angular_velocity[0] = {};
    return p;
}

double energy_error(const PackingTotals& now) {
    return energy_of(now) - now.inflow_energy;
}

/// Rough spheres rain on a fixed grid with a hole, most of them with something that they carry.
/// Cemented pairs lie in the box from the start; all that falls through the hole leaves.
Packing loaded_rain(const std::string& law) {
    Packing p = soft_packing(law);
    p.friction = {.law = laws::FrictionLaw::mindlin, .coefficient = 0.4};
    const double half = add_leaky_floor(p, radius);
    packing::Elements& all = p.elements;
    for (int k = 0; k < 4; ++k) {
        const std::size_t first = p.particles();
        const double z = (3.0 + 2.1 * k) * radius;
        p.add(radius, steel_mass(radius), {-0.99 * radius, 0.1 * k * radius, z});
        p.add(radius, steel_mass(radius), {0.99 * radius, 0.1 * k * radius, z});
        all.bonds.push_back({.first = first,
                             .second = first + 1,
                             .radius_factor = 0.3,
                             .youngs_modulus = 2e6,
                             .stiffness_ratio = 2.5});
    }
    add_pour(p, 150, radius, {{-half, -half, 14.0 * radius}, {half, half, 24.0 * radius}}, 3000.0,
             {0.1, 0.0, -1.0});
    all.forces = {
        {ForceSignal::sine(300.0, 2e-3), ForceSignal::constant(0.0), ForceSignal::constant(-1e-3)}};
    for (std::size_t i = p.pours[0].first; i < p.particles(); ++i) {
        if (i % 2 == 0) all.foundations.push_back({i, {.damping = 5e-3}, 1e-9});
        if (i % 5 == 0) all.foundations.push_back({i, {.stiffness = 0.2}, 0.0});
        if (i % 3 == 0)
            all.resonators.push_back({i, 0.3 * p.mass[i], {.stiffness = 100.0, .damping = 2e-3}});
        if (i % 4 == 1) all.loads.push_back({i, 0});
    }
    p.exits.push_back({packing::Plane{.point = {0, 0, 0.2 * radius}}});
    // A part of the rain leaves as it falls.
    p.exits.push_back(
        {packing::Region{{-half, 0.5 * half, 10.0 * radius}, {half, half, 13.0 * radius}}});
    p.skin = 0.3 * radius;
    return p;
}

}  // namespace

TEST_CASE("a poured sphere with drag falls as the closed form says, from where it came") {
    constexpr double dt = 1e-6;
    for (const EngineMaker& make : engine_makers) {
        Packing p = one_poured({0.2, 0.0, -0.5});
        const double rate = 40.0;  // damping over mass [1/s]
        p.elements.foundations.push_back({0, {.damping = rate * p.mass[0]}, 0.0});
        const auto engine = make(p, dt);
        engine->advance(1001);
        const Vec3 from = engine->displacement()[0] - dt * p.velocity[0];
        engine->advance(30000 - 1);
        const double t = 30000 * dt, decay = std::exp(-rate * t), g = p.gravity.z;
        const Vec3 v = engine->velocity()[0], x = engine->displacement()[0] - from;
        CHECK_RELATIVE(v.x, 0.2 * decay, 1e-8);
        CHECK_RELATIVE(v.z, -0.5 * decay + g / rate * (1.0 - decay), 1e-8);
        CHECK_RELATIVE(x.x, 0.2 / rate * (1.0 - decay), 1e-6);  // `from` lacks one step's curvature
        const PackingTotals now = engine->totals();
        // What drag dissipates is what weight and inflow gave and motion has not.
        CHECK_ABSOLUTE(energy_error(now), 0.0, 1e-9 * now.inflow_energy);
        CHECK(now.dissipated_elements > 0.1 * now.inflow_energy);
    }
}

TEST_CASE("a poured sphere oscillates about the place where its foundation found it") {
    constexpr double dt = 1e-6;
    for (const EngineMaker& make : engine_makers) {
        Packing p = one_poured({0.3, 0.0, 0.0});
        p.gravity = {};
        const double frequency = 200.0;  // [rad/s]
        p.elements.foundations.push_back(
            {0, {.stiffness = frequency * frequency * p.mass[0]}, 0.0});
        const auto engine = make(p, dt);
        engine->advance(1001);
        const Vec3 from = engine->displacement()[0] - dt * p.velocity[0];
        engine->advance(9000 - 1);
        const double t = 9000 * dt;
        CHECK_ABSOLUTE(engine->displacement()[0].x - from.x,
                       0.3 / frequency * std::sin(frequency * t), 1e-6 * 0.3 / frequency);
        CHECK_RELATIVE(engine->velocity()[0].x, 0.3 * std::cos(frequency * t), 1e-6);
        CHECK_ABSOLUTE(energy_error(engine->totals()), 0.0, 1e-8 * engine->totals().inflow_energy);
    }
}

TEST_CASE("a mass in a poured sphere comes with its speed, and feels a load on the sphere") {
    constexpr double dt = 1e-6;
    for (const EngineMaker& make : engine_makers) {
        Packing p = one_poured({0.3, 0.0, 0.0});
        p.gravity = {};
        const double force = 1e-3, inner = 0.5 * p.mass[0], total = p.mass[0] + inner;
        p.elements.resonators.push_back({0, inner, {.stiffness = 20.0}});
        p.elements.forces = {
            {ForceSignal::constant(force), ForceSignal::constant(0.0), ForceSignal::constant(0.0)}};
        p.elements.loads.push_back({0, 0});
        const auto engine = make(p, dt);
        CHECK(engine->totals().momentum == Vec3{});
        CHECK(engine->elements().inner()[0].velocity == Vec3{});  // while its sphere waits
        engine->advance(13000);
        const double t = 12000 * dt;  // the load acts from when it came
        const PackingTotals now = engine->totals();
        CHECK_RELATIVE(now.momentum.x, total * 0.3 + force * t, 1e-12);
        // Their distance oscillates about that of the load with the reduced mass.
        const double reduced = p.mass[0] * inner / total, w = std::sqrt(20.0 / reduced);
        const double stretch = force * reduced / p.mass[0] / 20.0 * (1.0 - std::cos(w * t));
        const Vec3 apart = engine->displacement()[0] - engine->elements().inner()[0].displacement;
        CHECK_RELATIVE(apart.x, stretch, 1e-5);
        CHECK_RELATIVE(now.inflow_energy, 0.5 * total * 0.3 * 0.3, 1e-12);
        CHECK_ABSOLUTE(energy_error(now), 0.0, 1e-9 * now.inflow_energy);
    }
}

TEST_CASE("one of two cemented spheres leaves with what the cement has stored") {
    for (const EngineMaker& make : engine_makers) {
        Packing p = soft_packing("hertz");
        p.gravity = {};
        p.add(radius, steel_mass(radius), {0, 0, 0});
        p.add(radius, steel_mass(radius), {2.0 * radius, 0, 0});
        p.velocity[1] = {0.02, 0.01, 0.0};
        p.elements.bonds.push_back(
            {.first = 0, .second = 1, .radius_factor = 0.5, .youngs_modulus = 1e6});
        p.exits.push_back({packing::Region{{2.02 * radius, -1, -1}, {1, 1, 1}}});
        const auto engine = make(p, 1e-6);
        PackingTotals before{};
        Vec3 velocity{};
        while (engine->population().count(Presence::left) == 0) {
            REQUIRE(engine->step() < 100000);
            before = engine->totals();
            velocity = engine->velocity()[0];
            engine->advance(20);
        }
        CHECK(before.stored_elements > 1e-10);
        // Twenty steps pass between the look and the exit.
        CHECK_ABSOLUTE(energy_error(engine->totals()), energy_error(before),
                       1e-6 * before.stored_elements);
        CHECK(engine->totals().stored_elements == 0.0);
        CHECK(engine->totals().broken_energy == 0.0);
        CHECK(engine->broken_bonds(0.0).empty());
        const Vec3 free = engine->velocity()[0];
        CHECK(size_of(free) > 0.0);
        engine->advance(500);
        CHECK(engine->velocity()[0] == free);
    }
}

TEST_CASE("of many cemented pairs just those with a sphere that leaves are released") {
    // Blocks of 1024 particles are sorted by place, so that places in blocks are not the numbers.
    constexpr std::size_t pairs = 1300;
    Packing p = soft_packing("hertz");
    p.gravity = {};
    for (std::size_t k = 0; k < pairs; ++k) {
        const double x = 5.0 * radius * static_cast<double>(k * 997 % pairs);
        for (const double y : {0.0, 2.0 * radius})
            p.add(radius, steel_mass(radius), {x, y, 0});
        p.elements.bonds.push_back({.first = 2 * k, .second = 2 * k + 1, .youngs_modulus = 1e6});
    }
    const double border = 5.0 * radius * (pairs / 3 + 0.5);
    p.exits.push_back({packing::Region{{-1, radius, -1}, {border, 1, 1}}});
    for (const EngineMaker& make : engine_makers) {
        const auto engine = make(p, 1e-6);
        engine->advance(21);
        CHECK(engine->population().count(Presence::left) == pairs / 3 + 1);
        std::size_t wrong = 0;
        for (std::size_t k = 0; k < pairs; ++k)
            wrong +=
                engine->elements().bonds().states()[k].intact() != (p.position[2 * k].x > border);
        CHECK(wrong == 0);
    }
}

TEST_CASE("energy balances where particles come and leave with what they carry") {
    for (const char* law : {"hertz", "tsuji", "thornton"}) {
        const Packing p = loaded_rain(law);
        for (const EngineMaker& make : engine_makers) {
            INFO(law);
            const auto engine = make(p, 4e-6);
            const double start = energy_error(engine->totals());  // stored in cemented contacts
            engine->advance(20000);
            const PackingTotals now = engine->totals();
            const packing::Population& population = engine->population();
            int bonds_left = 0;
            for (std::size_t i = 8; i < 16; ++i)
                bonds_left += population.presence(i) == Presence::left ? 1 : 0;
            CHECK(bonds_left > 0);
            for (std::size_t k = 0; k < p.elements.resonators.size(); ++k) {
                if (population.presence(p.elements.resonators[k].particle) == Presence::left)
                    CHECK(engine->elements().inner()[k].velocity == Vec3{});
            }
            CHECK(population.left_through(1) > 20);
            CHECK(now.dissipated_elements > 0.0);
            const double scale =
                now.translational + std::abs(now.external_work) + std::abs(now.inflow_energy);
            // As of rain that carries nothing (packing_flow_test.cpp).
            CHECK_ABSOLUTE(energy_error(now), start,
                           (law == std::string("hertz") ? 1e-4 : 2e-6) * scale);
        }
    }
}

TEST_CASE("both engines pour and drain alike what carries something, and keep its bits") {
    const Packing p = loaded_rain("tsuji");
    const auto plain = engine_makers[0](p, 4e-6), fast = engine_makers[1](p, 4e-6);
    for (int part = 0; part < 8; ++part) {
        plain->advance(500);
        fast->advance(500);
        CHECK_ABSOLUTE(largest_difference(fast->velocity(), plain->velocity()), 0.0, 1e-7);
        CHECK_RELATIVE(fast->totals().inflow_energy, plain->totals().inflow_energy, 1e-9);
        CHECK_RELATIVE(fast->totals().external_work, plain->totals().external_work, 1e-9);
    }
    for (const EngineMaker& make : engine_makers) {
        const auto whole = make(p, 4e-6), part = make(p, 4e-6);
        part->advance(9010);
        const SavedPacking in_between = saved(*part);
        part->advance(990);
        const SavedPacking at_check = saved(*part);
        whole->advance(12000);
        for (const auto& [step, state] :
             {std::pair{9010, in_between}, std::pair{10000, at_check}}) {
            const auto resumed = make(p, 4e-6);
            restore(*resumed, step, state);
            resumed->advance(12000 - step);
            CHECK(resumed->velocity() == whole->velocity());
            CHECK(resumed->displacement() == whole->displacement());
            CHECK(resumed->totals().inflow_energy == whole->totals().inflow_energy);
            CHECK(energy_of(resumed->totals()) == energy_of(whole->totals()));
        }
    }
    const auto three = packing::make_packing_engine(p, 4e-6, 3),
               one = packing::make_packing_engine(p, 4e-6, 1);
    three->advance(6000);
    one->advance(6000);
    CHECK(three->velocity() == one->velocity());
    CHECK(energy_of(three->totals()) == energy_of(one->totals()));
}

TEST_CASE("what poured particles cannot do is refused in one sentence") {
    const auto bonded = [](std::size_t first, std::size_t second) {
        Packing p = soft_packing("hertz");
        p.add(radius, steel_mass(radius), {});
        p.add(radius, steel_mass(radius), {2.0 * radius, 0, 0});
        add_pour(p, 2, radius, above, 0.0, {});
        p.elements.bonds.push_back({.first = first, .second = second, .youngs_modulus = 1e6});
        return p;
    };
    CHECK(packing::validate(bonded(0, 1)).empty());
    CHECK(packing::validate(bonded(1, 3)) ==
          "bond 0: particle 3 is poured, and cement joins particles where they are at the start; "
          "expected particles that are there then");
    Packing driven = one_poured({});
    driven.elements.motions = {
        {.along = {stepping::Drive::steady(0.0), std::nullopt, std::nullopt}}};
    driven.elements.driven.push_back({0, 0});
    CHECK(packing::validate(driven) ==
          "drive 0: particle 0 is poured, and a drive says from the start where its particle is; "
          "expected particles that are there at the start");
    Packing pressed = one_poured({});
    pressed.box.upper = {0.1, 0.1, 0.1};
    pressed.box.periodic = {true, true, true};
    CHECK_THROWS_WITH_AS(
        packing::press(pressed, {.pressure = 1e3}),
        "a packing is pressed before the run, and a pour or an exit acts during it; expected a "
        "packing without them; pistons of the box press during the run, from their start on",
        ArgumentError);
}

}  // namespace beadwave::validation::packing_flow_elements_test
