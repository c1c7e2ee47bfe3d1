// Walls of triangles among all else that a packing may have: bonds, driven and loaded particles,
// masses inside particles, walls that turn and carry loads.

#include "largest.hpp"
#include "meshes.hpp"
#include "normal_numbers.hpp"
#include "packing/elements/element_stepper.hpp"
#include "packing_engines.hpp"
#include "packings.hpp"
#include "relative.hpp"
#include "sanitised.hpp"
#include "saved_packings.hpp"

#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace beadwave::validation::mesh_everything_test {

using packing::Packing;
using packing::Revolved;
using stepping::Drive;
using stepping::ForceSignal;

namespace {

/// Two particles of each row are cemented; they fall into a tray of triangles under a lid.
Packing everything(const std::string& law) {
    Packing p = steel_packing(law);
    p.species_list[0].elasticity.youngs_modulus = 1e8;
    p.friction = {.law = laws::FrictionLaw::mindlin, .coefficient = 0.4};
    p.gravity = {0.0, 0.0, -9.81};
    const double d = 2.1 * steel_radius, m = steel_mass(steel_radius);
    std::uint64_t number = 0;
    for (int k = 0; k < 5 * 5 * 4; ++k) {
        p.add(steel_radius, m, d * Vec3{k % 5 - 2.0, k / 5 % 5 - 2.0, k / 25 + 0.55});
        p.velocity.back() = 0.3 * Vec3{normal_number(6, number), normal_number(6, number + 1),
                                       normal_number(6, number + 2)};
        number += 3;
    }
    packing::Elements& all = p.elements;
    for (std::size_t i = 0; i < p.particles(); i += 5) {
        packing::Bond bond;
        bond.first = i, bond.second = i + 1;
        bond.radius_factor = 0.5, bond.youngs_modulus = 1e7, bond.stiffness_ratio = 2.5;
        bond.tensile_strength = i % 2 == 0 ? 2e4 : 1e9;  // some break
        all.bonds.push_back(bond);
    }
    for (std::size_t i = 2; i < p.particles(); i += 3)
        all.resonators.push_back({i, 0.2 * m, {.stiffness = 40.0, .damping = 2e-3}});
    for (std::size_t i = 0; i < 6; ++i)
        all.foundations.push_back({i, {.stiffness = 20.0, .damping = 1e-3}, 1e-9});
    all.forces = {
        {ForceSignal::sine(300.0, 0.01), ForceSignal::constant(0.0), ForceSignal::constant(-0.01)}};
    all.loads = {{43, 0}, {57, 0}};
    all.motions = {{.along = {Drive::sine(200.0, 2e-4), Drive::steady(0.0), std::nullopt}}};
    p.drive(12, 0);
    // A tray that turns, a lid with a mass, and a ring with a rim in common with a cylinder.
    p.walls.push_back(
        {.shape = mesh_of(plate({-4.0 * d, -4.0 * d, 0.0}, {8.0 * d, 0, 0}, {0, 8.0 * d, 0}, 6)),
         .angular_velocity = 15.0});
    p.walls.push_back({.shape = mesh_of(box_of_triangles({-1.5 * d, -1.5 * d, 4.2 * d},
                                                         {1.5 * d, 1.5 * d, 4.6 * d})),
                       .load = packing::Load{.mass = 2e-3, .force = -0.05, .gain = 0.2}});
    p.walls.push_back({.shape = mesh_of(tube({0, 0, 1}, 3.4 * d, 12.0 * d, 48, 8))});
    p.walls.push_back({.shape = Revolved{{0, 0, 0.6 * d}, {0, 0, 1}, 3.0 * d, 3.4 * d, 0.3 * d}});
    p.walls.push_back({.shape = Revolved::cylinder({0, 0, 0.2 * d}, {0, 0, 1}, 3.0 * d, 0.4 * d)});
    return p;
}

}  // namespace

TEST_CASE("meshes among bonds, drives, loads and resonators act alike in both engines") {
    for (const std::string law : {"hertz", "tsuji"}) {
        Largest error[2];
        for (const int fine : {0, 1}) {
            const Packing p = everything(law);
            const double dt = 1e-6 / (1 + fine);
            const auto plain = packing::make_plain_packing_engine(p, dt);
            const auto fast = packing::make_packing_engine(p, dt, 1);
            const double start = energy_of(plain->totals());
            for (int look = 0; look < 10; ++look) {
                plain->advance(400 * (1 + fine));
                fast->advance(400 * (1 + fine));
                INFO(law, ", look ", look);
                const packing::PackingTotals a = fast->totals(), b = plain->totals();
                const double scale = b.translational + b.stored_elements + b.stored_normal;
                error[fine].enter(std::abs(energy_of(b) - start) / scale);
                CHECK_ABSOLUTE(energy_of(a), energy_of(b), 1e-7 * scale);
                CHECK_ABSOLUTE(a.external_work, b.external_work, 1e-7 * scale);
                CHECK_ABSOLUTE(a.dissipated_elements, b.dissipated_elements, 1e-7 * scale);
                CHECK_ABSOLUTE(largest_difference(fast->velocity(), plain->velocity()), 0.0, 1e-6);
            }
            const packing::PackingTotals t = plain->totals();
            CHECK(plain->neighbour_list_builds() > 1);
            CHECK(t.dissipated_elements > 0.0);
            CHECK(t.dissipated_tangential > 0.0);
            CHECK(plain->walls()[1].velocity.z != 0.0);
        }
        MESSAGE(law, ": energy errors ", error[0], " ", error[1]);
        // Of the energy that is left, most of which has been dissipated; with the square of the
        // step.
        CHECK(error[0] < 1e-2);
        CHECK(error[1] < 0.3 * error[0]);
    }
}

TEST_CASE("threads, interruptions and resumption change no bit of meshes among elements") {
    Packing p = everything("tsuji");
    // More blocks of particles, far away.
    add_crystal(p, {.lattice = packing::Lattice::simple_cubic,
                    .cells = {13, 13, 13},
                    .origin = {1.0, 1.0, 1.0},
                    .radius = steel_radius});
    constexpr double dt = 1e-6;
    const auto one = packing::make_packing_engine(p, dt, 1);
    one->advance(3000);
    REQUIRE(one->neighbour_list_builds() > 0);
    const SavedPacking expected = saved(*one);
    for (const int threads : {2, 4}) {
        if (sanitised && threads == 4) continue;
        const auto more = packing::make_packing_engine(p, dt, threads);
        for (const int steps : {1250, 1})
            more->advance(steps);
        const SavedPacking columns = saved(*more);
        const auto again = packing::make_packing_engine(p, dt, 5 - threads);
        restore(*again, 1251, columns);
        more->advance(1749);
        again->advance(1749);
        for (const auto* engine : {more.get(), again.get()}) {
            CHECK(saved(*engine) == expected);
            CHECK(engine->totals().external_work == one->totals().external_work);
            CHECK(engine->totals().dissipated_elements == one->totals().dissipated_elements);
            CHECK(engine->walls()[1].velocity == one->walls()[1].velocity);
        }
    }
    const Packing few = everything("hertz");
    const auto whole = packing::make_plain_packing_engine(few, dt);
    whole->advance(1500);
    const auto again = packing::make_plain_packing_engine(few, dt);
    restore(*again, 1500, saved(*whole));
    whole->advance(1500);
    again->advance(1500);
    CHECK(saved(*again) == saved(*whole));
}

}  // namespace beadwave::validation::mesh_everything_test
