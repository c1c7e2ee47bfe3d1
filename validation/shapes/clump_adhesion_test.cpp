// Clumps and spheres whose contacts adhere: beside the plain engine, a pull that grows until the
// necks break, ledgers, interruptions.
#include "adhesion.hpp"
#include "clump_packings.hpp"
#include "dissipating_packings.hpp"
#include "largest.hpp"
#include "meshes.hpp"
#include "packings.hpp"
#include "relative.hpp"
#include "saved_packings.hpp"
#include "shape_rows.hpp"
#include "shaped_packings.hpp"

#include <cmath>
#include <memory>
#include <numbers>
#include <string>

namespace beadwave::validation::clump_adhesion_test {
namespace {

using packing::Packing;
using packing::Plane;
using packing::Vec3;

Packing rubber_packing(const laws::Settings& law) {
    Packing p;
    p.species_list = {{.name = "rubber", .elasticity = rubber}};
    p.law = law;
    p.friction = {.law = laws::FrictionLaw::mindlin, .coefficient = 0.3};
    p.rolling = {.coefficient = 0.05, .twisting_coefficient = 0.02, .damping_ratio = 0.2};
    return p;
}

/// A row of spheres that fall onto a floor of triangles, each onto the one before and beside it.
Packing falling_row(const laws::Settings& law, bool triangles) {
    Packing p = rubber_packing(law);
    for (int k = 0; k < 8; ++k) {
        const double r = rubber_radius * (0.8 + 0.1 * (k % 3));
        p.add(r, rubber_mass(r),
              {2.05e-4 * (k % 2) + 3e-6 * k, 1e-5 * k, 1.02e-4 + 2.05e-4 * (k / 2)});
        p.velocity.back() = {0.1 * (k % 3 - 1), 0.05, -1.0173 - 0.2 * (k % 4)};
    }
    if (triangles)
        p.walls.push_back(
            {.shape = mesh_of(plate({-1e-3, -1e-3, 0}, {2e-3, 0, 0}, {0, 2e-3, 0}, 3))});
    else
        p.walls.push_back({});
    return p;
}

TEST_CASE("clumps of one sphere adhere as spheres do in the plain engine") {
    for (const bool triangles : {false, true}) {
        for (const laws::Settings& law :
             {jkr_settings(0.6), law_settings("dmt", {{"adhesion_energy", rubber_adhesion}})}) {
            const Packing p = falling_row(law, triangles);
            Packing same = p;
            for (const double r : p.radius) {
                same.semi_axes.push_back({r, r, r});
                same.orientation.emplace_back();
                const shapes::Ball ball[] = {{{1e-4, 0.0, 0.0}, r}};
                same.clumps.push_back(shapes::make_clump(ball));
            }
            REQUIRE(packing::validate(same) == "");
            const double dt = 1e-8;
            const auto plain =
                packing::make_plain_packing_engine(p, dt, packing::ContactRecords::dissipation);
            const auto shaped = packing::make_packing_engine(same, dt, 1, nullptr,
                                                             packing::ContactRecords::dissipation);
            std::size_t tense = 0;
            for (int part = 0; part < 20; ++part) {
                plain->advance(500);
                shaped->advance(500);
                CHECK(shaped->closed_contacts() == plain->closed_contacts());
                for (const packing::ContactState& contact : shaped->contacts())
                    tense += contact.overlap < 0.0 ? 1 : 0;
            }
            const packing::PackingTotals a = shaped->totals(), b = plain->totals();
            const double speed = largest_difference(shaped->velocity(), plain->velocity());
            MESSAGE(law.name, " ", triangles, ": ", speed, ", tense ", tense, ", closed ",
                    plain->closed_contacts());
            CHECK(plain->closed_contacts() > 2);
            if (law.name == "jkr") CHECK(tense > 0);
            // Rounding, which collisions enlarge.
            CHECK(speed < 1e-9);
            CHECK_RELATIVE(a.dissipated_normal, b.dissipated_normal, 1e-8);
            CHECK_RELATIVE(a.stored_normal, b.stored_normal, 1e-8);
            CHECK_RELATIVE(sum_of(*shaped).normal, a.dissipated_normal, 1e-9);
        }
    }
}

TEST_CASE("a dumbbell hangs on two necks until its weight is twice the force that parts each") {
    // JKR: 3/2 pi w R for a sphere on a flat.
    const double pull_off = 1.5 * std::numbers::pi * rubber_adhesion * rubber_radius;
    Packing p = rubber_packing(jkr_settings(0.1));
    p.walls.push_back({.shape = Plane{{}, {0.0, 0.0, -1.0}}});
    add_clump(p, dumbbell(rubber_radius, 3.0 * rubber_radius), rubber_density,
              {0.0, 0.0, -rubber_radius + 1e-7});
    REQUIRE(packing::validate(p) == "");
    // The pull grows in steps, each of which comes to rest.
    SavedPacking state;
    std::int64_t step = 0;
    const auto hangs_at = [&](double part) {
        p.gravity = {0.0, 0.0, -part * 2.0 * pull_off / p.mass[0]};
        const auto engine = packing::make_packing_engine(p, 2e-8, 1);
        if (step > 0) restore(*engine, step, state);
        engine->advance(20'000);
        step = engine->step();
        state = saved(*engine);
        if (engine->closed_contacts() == 2) {
            double force = 0.0;
            for (const packing::ContactState& contact : engine->contacts())
                force += contact.normal_force.z;
            CHECK_RELATIVE(std::abs(force), part * 2.0 * pull_off, 1e-4);
        }
        return engine->closed_contacts();
    };
    for (const double part : {0.3, 0.5, 0.65, 0.8, 0.9, 0.96, 0.99}) {
        CAPTURE(part);
        CHECK(hangs_at(part) == 2);
    }
    CHECK(hangs_at(1.01) == 0);
}

TEST_CASE("sticky clumps in a box that strains: ledger, contacts, interruption") {
    RandomNumbers random(4);
    Packing p = rubber_packing(jkr_settings(0.5));
    constexpr double pitch = 3.1e-4;
    for (int i = 0; i < 12; ++i) {
        add_clump(p, dumbbell(rubber_radius, 0.8 * rubber_radius), rubber_density,
                  pitch * Vec3{0.5 + i % 2, 0.5 + i / 2 % 2, 0.5 + i / 4}, random.rotation());
        p.velocity.back() = 0.3 * random.direction();
    }
    p.box = {.lower = {},
             .upper = pitch * Vec3{2.0, 2.0, 3.0},
             .periodic = {true, true, true},
             .strain = packing::Straining{.rate = {-100.0, 0.0, -150.0},
                                          .shear_rate = {300.0, 0.0, 0.0}}};
    REQUIRE(packing::validate(p) == "");
    const auto engine_of = [&] {
        return packing::make_packing_engine(p, 4e-8, 1, nullptr,
                                            packing::ContactRecords::dissipation);
    };
    const auto whole = engine_of();
    const double start = energy_of(whole->totals());
    Largest scale;
    SavedPacking half;
    std::size_t tense = 0;
    for (int part = 0; part < 60; ++part) {
        whole->advance(200);
        scale.enter(scale_of(whole->totals()));
        check_sum(*whole, 10.0 * scale);
        for (const packing::ContactState& contact : whole->contacts())
            tense += contact.overlap < 0.0 ? 1 : 0;
        if (part == 49) half = saved(*whole);
    }
    const packing::PackingTotals t = whole->totals();
    MESSAGE("balance ", (energy_of(t) - start) / double(scale), ", tense ", tense, ", closed ",
            whole->closed_contacts());
    CHECK(tense > 0);
    CHECK(whole->closed_contacts() > 6);
    CHECK(std::abs(energy_of(t) - start) < 2e-3 * scale);
    const auto rest = engine_of();
    restore(*rest, 10'000, half);
    CHECK(saved(*rest) == half);
    rest->advance(2000);
    CHECK(saved(*rest) == saved(*whole));
}

}  // namespace
}  // namespace beadwave::validation::clump_adhesion_test
