// Spheres on walls of triangles, against the exact shapes.

#include "largest.hpp"
#include "meshes.hpp"
#include "normal_numbers.hpp"
#include "packing/fast/fast_packing_engine.hpp"
#include "packing_engines.hpp"
#include "packings.hpp"
#include "relative.hpp"
#include "sanitised.hpp"
#include "saved_packings.hpp"

#include <cmath>
#include <memory>
#include <string>
#include <vector>

namespace beadwave::validation::mesh_walls_test {

using packing::Plane;

namespace {

constexpr double g = 9.81;

/// Soft spheres above a slope, some of them spinning; without its floor.
packing::Packing on_slope(const std::string& law, Vec3 normal) {
    packing::Packing p = steel_packing(law);
    p.species_list[0].elasticity.youngs_modulus = 1e7;
    p.friction = {.law = laws::FrictionLaw::mindlin, .coefficient = 0.3};
    p.rolling.coefficient = 0.01;
    for (int k = 0; k < 4; ++k) {
        p.add(steel_radius, steel_mass(steel_radius),
              (steel_radius * (1.0 + 2e-3 * k)) * normal + Vec3{0.0, 3.0 * steel_radius * k, 0.0});
        p.velocity[k] = {0.3 * k, 0.05 * k, 0.0};
        p.velocity[k] = p.velocity[k] - dot(p.velocity[k], normal) * normal;
        p.angular_velocity[k] = {20.0 * k, -15.0, 40.0};
    }
    p.gravity = {0, 0, -g};
    return p;
}

/// A mesh that turns, one that its load moves, and one at rest, among many spheres with friction.
packing::Packing mill(const std::string& law) {
    packing::Packing p = steel_packing(law);
    p.friction = {.law = laws::FrictionLaw::mindlin, .coefficient = 0.4};
    std::uint64_t number = 0;
    for (int i = 0; i < 6; ++i) {
        for (int k = 0; k < 6; ++k) {
            for (int l = 0; l < 4; ++l) {
                p.add(steel_radius, steel_mass(steel_radius),
                      2.05 * steel_radius * Vec3{i - 2.5, k - 2.5, l + 1.1});
                p.velocity.back() = Vec3{normal_number(3, number), normal_number(3, number + 1),
                                         normal_number(3, number + 2)};
                number += 3;
            }
        }
    }
    const double d = 2.05 * steel_radius;
    // A plough of two plates below, which turns; the lid is a box with a mass; an open box around.
    std::vector<Corners> plough =
        plate({-5.0 * d, -5.0 * d, 0.2 * d}, {10.0 * d, 0, 0}, {0, 5.0 * d, 0.2 * d}, 3);
    for (const Corners& c :
         plate({-5.0 * d, 0, 0.4 * d}, {10.0 * d, 0, 0}, {0, 5.0 * d, -0.3 * d}, 4))
        plough.push_back(c);
    p.walls.push_back({.shape = mesh_of(plough), .angular_velocity = 30.0});
    p.walls.push_back({.shape = mesh_of(box_of_triangles({-2.0 * d, -2.0 * d, 4.7 * d},
                                                         {2.0 * d, 2.0 * d, 5.0 * d}),
                                        {0.1 * d, 0.0, 0.0}),
                       .load = packing::Load{.mass = 3e-3, .force = -10.0, .gain = 1.0}});
    p.walls.push_back(
        {.shape = mesh_of(tube({0, 0, 1}, 4.4 * d, 20.0 * d, 40)), .velocity = {0.0, 0.02, 0.01}});
    p.gravity = {0, 0, -g};
    return p;
}

}  // namespace

TEST_CASE("a sphere rolls and slides over a plane of triangles as over the plane") {
    for (const Vec3 normal : {Vec3{0, 0, 1}, Vec3{0.28, 0, 0.96}}) {
        const Vec3 along{normal.z, 0, -normal.x};
        if (sanitised && normal.x == 0.0) continue;
        for (const std::string law : {"hertz", "tsuji"}) {
            if (sanitised && law == "hertz") continue;
            packing::Packing exact = on_slope(law, normal), meshed = exact;
            exact.walls.push_back({.shape = Plane{{}, normal}});
            // The spheres start over a corner and move along edges, across edges and corners.
            meshed.walls.push_back({.shape = mesh_of(plate(-0.06 * along + Vec3{0, -0.03, 0},
                                                           0.6 * along, {0, 0.09, 0}, 30))});
            for (const EngineMaker& make : engine_makers) {
                const auto a = make(exact, 2e-6), b = make(meshed, 2e-6);
                a->advance(100'000);
                b->advance(100'000);
                CHECK(a->neighbour_list_builds() > 3);
                Largest way;
                for (std::size_t i = 0; i < exact.particles(); ++i) {
                    way.enter(size_of(a->displacement()[i]));
                    CHECK_ABSOLUTE(size_of(a->displacement()[i] - b->displacement()[i]), 0.0,
                                   1e-9 * size_of(a->displacement()[i]));
                    CHECK_ABSOLUTE(size_of(a->velocity()[i] - b->velocity()[i]), 0.0, 1e-9);
                    CHECK_ABSOLUTE(size_of(a->angular_velocity()[i] - b->angular_velocity()[i]),
                                   0.0, 1e-9 * size_of(a->angular_velocity()[i]));
                }
                CHECK(way > 0.06);  // three squares and more
                CHECK_RELATIVE(b->totals().dissipated_tangential, a->totals().dissipated_tangential,
                               1e-9);
            }
        }
    }
}

TEST_CASE("energy and momentum stay over edges and corners of a block with a mass") {
    packing::Packing p = steel_packing();
    p.species_list[0].elasticity.youngs_modulus = 1e8;
    // Spheres fall on faces, edges and corners of the block, from all around.
    const double half = 3.0 * steel_radius;
    for (const int x : {-1, 0, 1}) {
        for (const int y : {-1, 0, 1}) {
            const Vec3 to{half * x, half * y, half};
            p.add(steel_radius, steel_mass(steel_radius),
                  to + Vec3{0.3 * steel_radius * x, 0.2 * steel_radius * y, 1.2 * steel_radius});
            p.velocity.back() = {-0.02 * x, 0.1, -0.5 - 0.1 * x};
        }
    }
    p.walls.push_back(
        {.shape = mesh_of(box_of_triangles({-half, -half, -half}, {half, half, half})),
         .load = packing::Load{.mass = 2e-3}});
    for (const EngineMaker& make : engine_makers) {
        const auto engine = make(p, 5e-7);
        const double energy = energy_of(engine->totals());
        const double momentum = engine->totals().momentum.z;
        double contacts = 0.0;
        for (int k = 0; k < 40; ++k) {
            engine->advance(250);
            contacts += static_cast<double>(engine->closed_contacts());
        }
        CHECK(contacts > 9.0);
        CHECK_RELATIVE(energy_of(engine->totals()), energy, 1e-5);
        CHECK(engine->walls()[0].velocity.z < -0.1);
        CHECK_RELATIVE(engine->totals().momentum.z + 2e-3 * engine->walls()[0].velocity.z, momentum,
                       1e-12);
        CHECK(engine->totals().dissipated_tangential == 0.0);
    }
}

TEST_CASE("a turning plate throws a sphere with the speed of its surface, twice") {
    packing::Packing p = steel_packing();
    const double arm = 0.04, turns = 20.0;
    const double angle = 0.01;  // before they meet
    p.add(steel_radius, steel_mass(steel_radius),
          {arm * std::cos(angle) - steel_radius * std::sin(angle),
           arm * std::sin(angle) + steel_radius * std::cos(angle), 0.0});
    // In the plane y = 0, about z.
    p.walls.push_back({.shape = mesh_of(plate({0, 0, -0.01}, {0.08, 0, 0}, {0, 0, 0.02}, 5)),
                       .angular_velocity = turns});
    for (const EngineMaker& make : engine_makers) {
        const auto engine = make(p, 1e-7);
        engine->advance(6000);
        const Vec3 v = engine->velocity()[0];
        CHECK_ABSOLUTE(v.x, -2.0 * turns * arm * std::sin(angle), 2e-3);
        // The plate turns by 4e-4 during the contact.
        CHECK_RELATIVE(size_of(v), 2.0 * turns * arm, 1e-3);
        const packing::PackingTotals t = engine->totals();
        CHECK_RELATIVE(t.external_work, t.translational, 1e-5);
    }
}

TEST_CASE("meshes that turn, move and carry loads act alike in both engines") {
    for (const std::string law : {"hertz", "tsuji"}) {
        const packing::Packing p = mill(law);
        const auto plain = packing::make_plain_packing_engine(p, 1e-7);
        const double start = energy_of(plain->totals());
        plain->advance(6000);
        REQUIRE(plain->neighbour_list_builds() > 1);
        const packing::PackingTotals b = plain->totals();
        const double scale = b.translational + b.rotational;
        CHECK(std::abs(b.external_work) > 1e-4 * scale);
        MESSAGE(law, ": energy error ", (energy_of(b) - start) / scale);
        CHECK_ABSOLUTE(energy_of(b), start, 3e-5 * scale);
        for (const simd::InstructionSet& set : simd::instruction_sets()) {
            const auto fast = packing::make_packing_engine(p, 1e-7, 1, set);
            fast->advance(6000);
            INFO(law, " ", set.name);
            Largest worst;
            for (std::size_t i = 0; i < p.particles(); ++i)
                worst.enter(size_of(fast->velocity()[i] - plain->velocity()[i]));
            CHECK_ABSOLUTE(worst, 0.0, 1e-7);
            CHECK_ABSOLUTE(fast->totals().external_work, b.external_work, 1e-8 * scale);
        }
    }
}

TEST_CASE("threads, interruptions and resumption change no bit at walls of triangles") {
    packing::Packing p = mill("ma-liu");
    add_crystal(p, {.lattice = packing::Lattice::simple_cubic,
                    .cells = {13, 13, 13},
                    .origin = {1.0, 1.0, 1.0},
                    .radius = steel_radius});
    const auto one = packing::make_packing_engine(p, 1e-7, 1);
    one->advance(3000);
    REQUIRE(one->neighbour_list_builds() > 0);
    for (const int threads : {2, 3}) {
        const auto more = packing::make_packing_engine(p, 1e-7, threads);
        more->advance(1250);
        more->advance(1);
        const SavedPacking columns = saved(*more);
        const auto again = packing::make_packing_engine(p, 1e-7, threads);
        restore(*again, 1251, columns);
        more->advance(1749);
        again->advance(1749);
        for (const auto* engine : {more.get(), again.get()}) {
            CHECK(engine->velocity() == one->velocity());
            CHECK(engine->angular_velocity() == one->angular_velocity());
            CHECK(engine->totals().external_work == one->totals().external_work);
            CHECK(engine->walls()[1].velocity == one->walls()[1].velocity);
        }
    }
    const packing::Packing few = mill("tsuji");
    const auto whole = packing::make_plain_packing_engine(few, 1e-7);
    whole->advance(2000);
    const SavedPacking columns = saved(*whole);
    const auto again = packing::make_plain_packing_engine(few, 1e-7);
    restore(*again, 2000, columns);
    whole->advance(2000);
    again->advance(2000);
    CHECK(again->velocity() == whole->velocity());
}

TEST_CASE("a sphere that is pushed through triangles is reported as too deep") {
    packing::Packing p = steel_packing();
    p.species_list[0].elasticity.youngs_modulus = 1e4;
    p.walls.push_back({.shape = mesh_of(plate({-0.1, -0.1, 0}, {0.2, 0, 0}, {0, 0.2, 0}, 9))});
    p.add(steel_radius, steel_mass(steel_radius), {0.0, 0.01, steel_radius});
    p.velocity[0] = {0, 0, -5.0};
    for (const EngineMaker& make : engine_makers) {
        const auto engine = make(p, 1e-6);
        engine->advance(800);
        CHECK(engine->deepest().depth >= packing::lost_depth);
    }
}

}  // namespace beadwave::validation::mesh_walls_test
