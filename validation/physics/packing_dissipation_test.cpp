// What each contact of a packing dissipates: sliding, rolling and oblique impacts in closed form
// and against a table, the sum against the ledger, lists that are rebuilt, and saved states.

#include "dissipating_packings.hpp"
#include "largest.hpp"
#include "packing/contacts/contact_dissipation.hpp"
#include "packing/packing_engine.hpp"
#include "packings.hpp"
#include "poured_packings.hpp"
#include "relative.hpp"
#include "saved_packings.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <numbers>
#include <vector>

namespace beadwave::validation::packing_dissipation_test {

using packing::ContactDissipation;
using packing::DissipationParts;

TEST_CASE_TEMPLATE("a sphere that slides on a floor dissipates the friction force times the way",
                   Engine, PlainEngine, FastEngine) {
    // Held against rotation it slides with mu m g, without bouncing: it starts at its equilibrium.
    constexpr double mu = 0.3, radius = 5e-3, speed = 0.5, g = 9.81, dt = 2e-7, time = 0.02;
    packing::Packing p = steel_packing();
    p.species_list[0].elasticity.youngs_modulus = 1e8;
    p.friction = {.law = laws::FrictionLaw::mindlin, .coefficient = mu};
    p.gravity = {0, 0, -g};
    const double mass = steel_mass(radius);
    // F = 4/3 E* sqrt(R) d^1.5 with E* = E / (2 (1 - nu^2)): sphere and wall of one material.
    const double modulus = 1e8 / (2.0 * (1.0 - steel_ratio * steel_ratio));
    const double overlap =
        std::pow(mass * g / (4.0 / 3.0 * modulus * std::sqrt(radius)), 2.0 / 3.0);
    p.add(radius, mass, {0, 0, radius - overlap});
    p.inertia[0] = 1e6 * mass;  // it does not begin to roll
    p.walls.push_back({});
    p.velocity[0] = {speed, 0, 0};
    const auto engine = Engine::known(p, dt);
    engine->advance(static_cast<std::int64_t>(std::lround(time / dt)));
    const std::vector<ContactDissipation> all = engine->dissipation();
    REQUIRE(all.size() == 1);
    CHECK(all[0].first == 0);
    CHECK(all[0].second == 1);
    const double way = speed * time - 0.5 * mu * g * time * time;
    CHECK_RELATIVE(engine->displacement()[0].x, way, 1e-5);
    // The spring is stretched to the limit over a way of 2e-8 m before anything slides, and what it
    // stores then is not lost: 1/2 F_t^2 / k, with k = 8 G* sqrt(R d).
    const double shear = 1e8 / (4.0 * (1.0 + steel_ratio) * (2.0 - steel_ratio));
    const double stored =
        0.5 * std::pow(mu * mass * g, 2) / (8.0 * shear * std::sqrt(radius * overlap));
    CHECK_RELATIVE(all[0].parts.sliding, mu * mass * g * engine->displacement()[0].x - 2.0 * stored,
                   1e-6);
    CHECK_ABSOLUTE(all[0].parts.normal, 0.0, 1e-12 * all[0].parts.sliding);
    CHECK(all[0].parts.rolling == 0.0);
    CHECK(all[0].parts.twisting == 0.0);
    check_sum(*engine, scale_of(engine->totals()) + all[0].parts.sliding);
}

TEST_CASE_TEMPLATE("rolling and twisting resistance dissipate the limiting torque times the angle",
                   Engine, PlainEngine, FastEngine) {
    // A heavy sphere in equilibrium on the floor without friction turns about an axis across or
    // along the normal: the torque is mu_r R F or mu_t R F after the spring is at its limit.
    constexpr double mu = 0.2, radius = 5e-3, spin = 50.0, g = 9.81, dt = 2e-7, time = 5e-3;
    for (const bool twists : {false, true}) {
        CAPTURE(twists);
        packing::Packing p = steel_packing();
        p.species_list[0].elasticity.youngs_modulus = 1e8;
        p.rolling.coefficient = twists ? 0.0 : mu;
        p.rolling.twisting_coefficient = twists ? mu : 0.0;
        p.gravity = {0, 0, -g};
        const double mass = steel_mass(radius);
        const double modulus = 1e8 / (2.0 * (1.0 - steel_ratio * steel_ratio));
        const double overlap =
            std::pow(mass * g / (4.0 / 3.0 * modulus * std::sqrt(radius)), 2.0 / 3.0);
        p.add(radius, mass, {0, 0, radius - overlap});
        p.walls.push_back({});
        p.angular_velocity[0] = twists ? Vec3{0, 0, spin} : Vec3{0, spin, 0};
        const auto engine = Engine::known(p, dt);
        engine->advance(static_cast<std::int64_t>(std::lround(time / dt)));
        REQUIRE(engine->dissipation().size() == 1);
        const DissipationParts parts = engine->dissipation()[0].parts;
        const double torque = mu * radius * mass * g, inertia = p.inertia[0];
        const double angle = spin * time - 0.5 * torque / inertia * time * time;
        // The spring k_r = R^2 8 G* sqrt(R d) takes 1/2 M^2 / k_r, twice: before it slides, the
        // torque is less, and what it holds is not lost.
        const double shear = 1e8 / (4.0 * (1.0 + steel_ratio) * (2.0 - steel_ratio));
        const double stored =
            0.5 * torque * torque / (radius * radius * 8.0 * shear * std::sqrt(radius * overlap));
        const double lost = torque * angle - 2.0 * stored;
        CHECK_RELATIVE(twists ? parts.twisting : parts.rolling, lost, 1e-4);
        CHECK_ABSOLUTE(twists ? parts.rolling : parts.twisting, 0.0, 1e-12 * lost);
        CHECK(parts.sliding == 0.0);
        // Kinetic energy that is gone: exact but for the trapezoid's end.
        const double w = size_of(engine->angular_velocity()[0]);
        CHECK_RELATIVE(twists ? parts.twisting : parts.rolling,
                       0.5 * inertia * (spin * spin - w * w) - stored, 1e-6);
    }
}

namespace {

/// Rows of a table of oblique impacts that was made by following stick and slip from event to
/// event (accuracy 1e-10): normal spring 2e7 N/m, mass 1.767145867644259e-4 kg, no spin. Sliding:
/// what its dashpot, slip and the spring that contact leaves behind take together.
struct ObliqueRow {
    double vx, vz;                                                    // [m/s]
    double tangential_stiffness, normal_dashpot, tangential_dashpot;  // [N/m], [N s/m]
    double friction;
    const char* separation;
    double normal, sliding;  // dissipated [J]
    double tolerance;        // over the kinetic energy before; first order with dashpots
};

constexpr ObliqueRow oblique_rows[] = {
    {1.949871605548683, 3.377276689046221, 5714285.714285714, 0, 0, 0.5, "gap", 0, 0, 1e-6},
    {3.783904171301606, 0.9434332699806099, 5714285.714285714, 0, 0, 0.5, "gap", 0,
     0.0003555930435621947, 1e-6},
    {2.75753486945315, 2.75753486945315, 12000000, 0, 0, 0.5, "gap", 0, 0.0001244568993179203,
     1e-5},
    {3.37727668904622, 1.949871605548684, 12000000, 0, 0, 0.5, "gap", 0, 0.0001758912094482346,
     1e-5},
    {3.37727668904622, 1.949871605548684, 12000000, 0, 0, 0.1, "gap", 0, 0.0001857113445381449,
     1e-6},
    {3.7839, 0.94345, 5714285.714285714, 0.7598727230870312, 0.3799363615435156, 0.5, "gap",
     3.095551515421288e-06, 2.088054515332948e-05 + 0.0003338915564808725 + 6.141388328204307e-10,
     2e-5},
    {1.949871605548683, 3.377276689046221, 12000000, 19.08259418761535, 0, 0.5, "gap",
     0.0006449939820600049, 4.031507561705942e-05, 3e-4},
    {3.37727668904622, 1.949871605548684, 12000000, 19.08259418761535, 0, 0.5, "gap",
     0.0002149979940200017, 0.0002165761772553309, 3e-4},
};

}  // namespace

TEST_CASE_TEMPLATE(
    "an oblique impact divides its loss between the normal and sliding as the table has it", Engine,
    PlainEngine, FastEngine) {
    constexpr double mass = 1.767145867644259e-4, radius = 2.5, before = 0.00134373746262501;
    for (const ObliqueRow& row : oblique_rows) {
        CAPTURE(row.vx);
        CAPTURE(row.tangential_stiffness);
        CAPTURE(row.normal_dashpot);
        packing::Packing p = steel_packing("kelvin-voigt");
        p.law = law_settings("kelvin-voigt", {{"stiffness", 2e7},
                                              {"restitution", std::string("from-damping")},
                                              {"damping", row.normal_dashpot},
                                              {"separation", std::string(row.separation)}});
        p.friction = {.law = laws::FrictionLaw::linear,
                      .coefficient = row.friction,
                      .stiffness = row.tangential_stiffness,
                      .damping = row.tangential_dashpot};
        // The lever of friction is the radius without the overlap of 1e-5 m, which is nothing here.
        p.add(radius, mass, {0, 0, radius});
        p.velocity[0] = {row.vx, 0, -row.vz};
        p.walls.push_back({});
        const auto engine = Engine::known(p, 2e-9);
        engine->advance(6000);
        REQUIRE(engine->dissipation().size() == 1);
        const DissipationParts parts = engine->dissipation()[0].parts;
        CHECK_ABSOLUTE(parts.normal, row.normal, row.tolerance * before);
        CHECK_ABSOLUTE(parts.sliding, row.sliding, row.tolerance * before);
        check_sum(*engine, before);
    }
}

TEST_CASE_TEMPLATE(
    "the contacts of a packing dissipate together what the ledger has, over many lists", Engine,
    PlainEngine, FastEngine) {
    for (const char* law : {"hertz", "tsuji", "walton-braun", "thornton"}) {
        CAPTURE(law);
        const auto engine = Engine::known(loose_packing(law), 1e-6);
        const double initial = scale_of(engine->totals());
        for (int part = 0; part < 5; ++part) {
            engine->advance(1000);
            check_sum(*engine, initial);
        }
        CHECK(engine->neighbour_list_builds() > 3);
        const DissipationParts sum = sum_of(*engine);
        CHECK(sum.sliding > 1e-3 * initial);
        CHECK(sum.rolling > 1e-4 * initial);
        CHECK(sum.twisting > 1e-5 * initial);
        CHECK((sum.normal > 1e-3 * initial) == (std::string(law) != "hertz"));
    }
}

TEST_CASE_TEMPLATE(
    "contacts add up to the ledger beside walls that move, slide, turn and carry a load", Engine,
    PlainEngine, FastEngine) {
    for (const char* law : {"tsuji", "thornton"}) {
        CAPTURE(law);
        for (const bool turns : {false, true}) {
            packing::Packing p = packing_between_walls(law);
            if (turns) p.walls.back().angular_velocity = 20.0;
            p.rolling.coefficient = turns ? 0.0 : 0.1;
            const auto engine = Engine::known(p, 1e-6);
            double scale = scale_of(engine->totals());
            for (int part = 0; part < 5; ++part) {
                engine->advance(1000);
                scale = std::max(scale, scale_of(engine->totals()));
                check_sum(*engine, scale);
            }
            std::vector<double> of_walls(p.walls.size(), 0.0);
            for (const ContactDissipation& each : engine->dissipation())
                if (each.second >= p.particles())
                    of_walls[each.second - p.particles()] += each.parts.sum();
            for (const double lost : of_walls)
                CHECK(lost > 0.0);
        }
    }
}

TEST_CASE_TEMPLATE("contacts add up to the ledger in a box that strains, with pistons and rates",
                   Engine, PlainEngine, FastEngine) {
    for (const bool pistons : {false, true}) {
        const packing::Packing p = straining_packing("tsuji", pistons);
        const auto engine = Engine::known(p, 1e-6);
        double scale = scale_of(engine->totals());
        for (int part = 0; part < 4; ++part) {
            engine->advance(1000);
            scale = std::max(scale, scale_of(engine->totals()));
            check_sum(*engine, scale);
        }
        CHECK(sum_of(*engine).sum() > 1e-3 * scale);
    }
}

TEST_CASE_TEMPLATE("contacts add up to the ledger while particles are poured in and leave", Engine,
                   PlainEngine, FastEngine) {
    for (const char* law : {"tsuji", "thornton"}) {
        CAPTURE(law);
        constexpr double radius = 2e-3;
        packing::Packing p = soft_packing(law);
        p.friction = {.law = laws::FrictionLaw::mindlin, .coefficient = 0.4};
        p.rolling.coefficient = 0.05;
        const double half = add_leaky_floor(p, radius);
        add_pour(p, 80, radius, {{-half, -half, 4.0 * radius}, {half, half, 14.0 * radius}}, 2000.0,
                 {0.1, 0.0, -1.0});
        p.exits.push_back({packing::Plane{.point = {0, 0, 0.2 * radius}}});
        p.skin = 0.3 * radius;
        const auto engine = Engine::known(p, 1e-5);
        double scale = 0.0;
        for (int part = 0; part < 8; ++part) {
            engine->advance(1000);
            scale = std::max(scale, scale_of(engine->totals()));
            check_sum(*engine, scale);
        }
        CHECK(engine->population().count(packing::Presence::left) > 3);
        CHECK(sum_of(*engine).sum() > 0.1 * scale);
    }
}

TEST_CASE_TEMPLATE(
    "forces from outside, changed velocities and lists built on demand stay in the sum", Engine,
    PlainEngine, FastEngine) {
    packing::Packing p = loose_packing("tsuji");
    packing::PackingEngine engine = std::move(*Engine::known(p, 1e-6));
    engine.add_force(
        {{0, 3, 11}, [](double time, auto, auto velocity, std::span<Vec3> force) {
             for (std::size_t k = 0; k < force.size(); ++k)
                 force[k] = Vec3{0.3 * std::sin(3e3 * time), 0, 0.2} - 0.02 * velocity[k];
         }});
    double scale = scale_of(engine.totals());
    for (int part = 0; part < 8; ++part) {
        engine.advance(300);
        engine.rebuild_list();
        // The ledger does not count this change as work, so the sum must not either.
        engine.set_velocities(static_cast<std::size_t>(part), {0.1 * part, 0.5, -0.2},
                              {10.0 * part, 0, 5.0});
        scale = std::max(scale, scale_of(engine.totals()));
        check_sum(engine, scale);
    }
}

TEST_CASE_TEMPLATE("what contacts dissipated goes on from a saved packing to the same bits", Engine,
                   PlainEngine, FastEngine) {
    for (const char* law : {"tsuji", "thornton"}) {
        CAPTURE(law);
        const packing::Packing p = packing_between_walls(law);
        const auto whole = Engine::known(p, 1e-6);
        whole->advance(1300);
        const SavedPacking middle = saved(*whole);
        whole->advance(1500);
        const auto resumed = Engine::known(p, 1e-6);
        restore(*resumed, 1300, middle);
        resumed->advance(1500);
        const auto a = whole->dissipation(), b = resumed->dissipation();
        REQUIRE(a.size() == b.size());
        CHECK(a.size() > 10);
        for (std::size_t k = 0; k < a.size(); ++k) {
            CHECK(a[k].first == b[k].first);
            CHECK(a[k].second == b[k].second);
            for (const auto part : DissipationParts::all)
                CHECK(a[k].parts.*part == b[k].parts.*part);
        }
        SavedPacking damaged = middle;
        damaged["contact_accounts"].push_back(0.0);
        CHECK_THROWS_WITH(restore(*Engine::known(p, 1e-6), 1300, damaged),
                          "contact_accounts: these are no accounts of contacts");
    }
}

TEST_CASE_TEMPLATE("an engine that is not asked takes the same steps and knows nothing", Engine,
                   PlainEngine, FastEngine) {
    const packing::Packing p = packing_between_walls("tsuji");
    const auto asked = Engine::known(p, 1e-6), silent = Engine::silent(p, 1e-6);
    asked->advance(1500);
    silent->advance(1500);
    CHECK(silent->dissipation().empty());
    CHECK(largest_difference(silent->velocity(), asked->velocity()) == 0.0);
    CHECK(silent->totals().dissipated_normal == asked->totals().dissipated_normal);
}

}  // namespace beadwave::validation::packing_dissipation_test
