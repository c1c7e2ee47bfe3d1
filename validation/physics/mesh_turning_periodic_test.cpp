// Meshes that turn in a box that is periodic along their axis: against the same mesh laid out
// period by period without a box, and against the cylinder.

#include "meshes.hpp"
#include "mixed_packings.hpp"
#include "packing/walls/mesh_images.hpp"
#include "packing_engines.hpp"
#include "packings.hpp"
#include "relative.hpp"
#include "saved_packings.hpp"

#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace beadwave::validation::mesh_turning_periodic_test {

using packing::Packing;

namespace {

constexpr double sphere = 1e-3, period = 0.012, drum = 0.01, turns = 20.0;
constexpr double smooth = 0.35;  // feature angle [rad]

packing::Box along_z() {
    packing::Box box;
    box.upper = {0.0, 0.0, period};
    box.periodic = {false, false, true};
    return box;
}

/// One period of a drum about z with four baffles, two of them on half of its length.
std::vector<Corners> drum_with_baffles() {
    std::vector<Corners> all = tube({0, 0, 1}, drum, period, 40, 2);
    for (int k = 0; k < 4; ++k) {
        const double angle = std::numbers::pi * (0.5 * k + 0.1);
        const Vec3 out{std::cos(angle), std::sin(angle), 0.0};
        const double length = k % 2 == 0 ? period : 0.5 * period;
        const Vec3 corner = (0.55 * drum) * out + Vec3{0, 0, -0.5 * period};
        for (const Corners& c : plate(corner, (0.3 * drum) * out, {0, 0, length}, 2))
            all.push_back(c);
    }
    return all;
}

packing::Mesh laid_out(const std::vector<Corners>& triangles, int around) {
    std::vector<Corners> all;
    for (int k = -around; k <= around; ++k) {
        for (Corners triangle : triangles) {
            for (Vec3& corner : triangle)
                corner += Vec3{0, 0, k * period};
            all.push_back(triangle);
        }
    }
    return mesh_of(all, {}, smooth);
}

packing::Mesh repeating(const std::vector<Corners>& triangles) {
    return mesh_of(packing::with_images(triangles, along_z(), smooth), {}, smooth);
}

/// Soft spheres that roll with resistance.
Packing soft_spheres() {
    Packing p = steel_packing("tsuji");
    p.law.values.insert_or_assign("restitution", 0.6);
    p.species_list[0].elasticity.youngs_modulus = 1e8;
    p.friction = {.law = laws::FrictionLaw::mindlin, .coefficient = 0.4};
    p.rolling = {.coefficient = 0.02, .twisting_coefficient = 0.01, .damping_ratio = 0.2};
    p.gravity = {0.0, -9.81, 0.0};
    return p;
}

Packing one_sphere(const Vec3& place, const Vec3& velocity) {
    Packing p = soft_spheres();
    p.add(sphere, steel_mass(sphere), place);
    p.velocity.back() = velocity;
    return p;
}

Packing bed() {
    Packing p = soft_spheres();
    p.box = along_z();
    for (int x = 0; x < 4; ++x) {
        for (int y = 0; y < 4; ++y) {
            for (int z = 0; z < 5; ++z) {
                p.add(0.9 * sphere, steel_mass(0.9 * sphere),
                      Vec3{2.1e-3 * (x - 1.5), 2.1e-3 * (y - 1.5), 2.3e-3 * z + 1e-4 * x});
                p.velocity.back() = {0.2 - 0.1 * (x % 3), 0.1 * (y % 2), -0.4 + 0.1 * z};
            }
        }
    }
    p.walls.push_back({.shape = repeating(drum_with_baffles()), .angular_velocity = turns});
    return p;
}

}  // namespace

TEST_CASE("a drum with baffles that turns in a periodic box is the drum laid out without end") {
    const std::vector<Corners> triangles = drum_with_baffles();
    const packing::Mesh open_drum = laid_out(triangles, 6), boxed_drum = repeating(triangles);
    const std::vector<std::pair<Vec3, Vec3>> starts{{{1e-3, -3e-3, 1e-3}, {0.1, 0.0, 0.25}},
                                                    {{-4e-3, -1e-3, 2e-3}, {-0.15, -0.1, -0.3}},
                                                    {{0.0, -3.5e-3, -40.2e-3}, {0.3, 0.0, 0.1}}};
    for (const auto& [place, velocity] : starts) {
        Packing open = one_sphere(place, velocity), boxed = open;
        open.walls.push_back({.shape = open_drum, .angular_velocity = turns});
        boxed.walls.push_back({.shape = boxed_drum, .angular_velocity = turns});
        boxed.box = along_z();
        Packing shifted = boxed;  // by whole periods
        shifted.position[0].z += 5.0 * period;
        for (const EngineMaker& make : engine_makers) {
            const auto one = make(boxed, 2e-6), other = make(open, 2e-6), far = make(shifted, 2e-6);
            for (int look = 0; look < 4; ++look) {
                for (packing::PackingEngine* engine : {one.get(), other.get(), far.get()})
                    engine->advance(7000);
                // Rounding grows from bounce to bounce.
                const Vec3 at = one->displacement()[0];
                INFO(look, " ", at.z / period);
                CHECK(size_of(at - other->displacement()[0]) < 1e-8 * period);
                CHECK(size_of(at - far->displacement()[0]) < 1e-8 * period);
                CHECK(size_of(one->angular_velocity()[0] - other->angular_velocity()[0]) <
                      1e-5 * (1.0 + size_of(other->angular_velocity()[0])));
            }
            const packing::PackingTotals t = one->totals(), u = other->totals();
            CHECK(t.dissipated_rolling > 0.0);
            CHECK_RELATIVE(t.external_work, u.external_work, 1e-6);
            CHECK_ABSOLUTE(energy_of(t), 0.5 * boxed.mass[0] * dot(velocity, velocity),
                           1e-4 * (std::abs(t.external_work) + t.dissipated_normal));
        }
    }
}

TEST_CASE("a smooth tube that turns in a periodic box is a turning cylinder") {
    // The path approaches that in the cylinder as the power 1.5 of the size of the triangles, or
    // faster: 32 times as many have at most 1/180 of the error.
    const double start = drum - sphere;
    Packing exact = one_sphere({0.3 * drum, -std::sqrt(start * start - 0.09 * drum * drum), 1e-3},
                               {0.1, 0.0, 0.3});
    exact.box = along_z();
    Packing meshed = exact;
    exact.walls.push_back(
        {.shape = packing::Revolved::cylinder({}, {0, 0, 1}, drum), .angular_velocity = turns});
    const auto cylinder = packing::make_packing_engine(exact, 2e-6, 1);
    cylinder->advance(15'000);
    const Vec3 way = cylinder->displacement()[0];
    CHECK(std::abs(way.z) > 0.5 * period);
    double error[2];
    for (const int fine : {0, 1}) {
        meshed.walls = {{.shape = repeating(tube({0, 0, 1}, drum, period, 200 << (5 * fine), 1)),
                         .angular_velocity = turns}};
        const auto engine = packing::make_packing_engine(meshed, 2e-6, 1);
        engine->advance(15'000);
        error[fine] = size_of(engine->displacement()[0] - way) / size_of(way);
        CHECK_RELATIVE(engine->totals().external_work, cylinder->totals().external_work,
                       fine != 0 ? 1e-3 : 3e-2);
    }
    MESSAGE("errors ", error[0], " ", error[1]);
    CHECK(error[0] < 1e-2);
    CHECK(error[1] < error[0] / 180.0);
}

TEST_CASE("a bed in a turning drum of triangles has the same bits on threads and when resumed") {
    const Packing p = bed();
    const auto one = packing::make_packing_engine(p, 2e-6, 1);
    one->advance(3000);
    REQUIRE(one->neighbour_list_builds() > 3);
    const auto more = packing::make_packing_engine(p, 2e-6, 3);
    more->advance(1250);
    const auto again = packing::make_packing_engine(p, 2e-6, 2);
    restore(*again, 1250, saved(*more));
    more->advance(1750);
    again->advance(1750);
    for (const auto* engine : {more.get(), again.get()}) {
        CHECK(saved(*engine) == saved(*one));
        CHECK(engine->totals().external_work == one->totals().external_work);
    }
    // Lists come at other steps in the plain engine, so that sums are rounded otherwise. That stays
    // below 1e-14 m until a sphere slides over a seam: there velocities that differ by 1e-15 of
    // themselves alone move it by 1e-6 m. Rounding of floats grows faster.
    const auto plain = packing::make_plain_packing_engine(p, 2e-6),
               early = packing::make_packing_engine(p, 2e-6, 1),
               mixed = packing::make_packing_engine(in_mixed_precision(p), 2e-6, 1);
    for (packing::PackingEngine* engine : {plain.get(), early.get()})
        engine->advance(1250);
    CHECK(largest_difference(early->displacement(), plain->displacement()) < 1e-13);
    for (packing::PackingEngine* engine : {plain.get(), early.get()})
        engine->advance(1750);
    mixed->advance(3000);
    CHECK(plain->totals().dissipated_rolling > 0.0);
    CHECK(largest_difference(early->displacement(), plain->displacement()) < 1e-5);
    CHECK(largest_difference(mixed->displacement(), plain->displacement()) < 1e-3);
}

TEST_CASE("a mesh that turns in a periodic box has its axis along the only period") {
    Packing p = bed();
    CHECK(validate(p).empty());
    std::get<packing::Mesh>(p.walls[0].shape).axis = {0.6, 0.0, 0.8};
    CHECK(validate(p) ==
          "wall 0: is a mesh that turns, and would have to repeat along z as the box does; "
          "expected no period, or one along its axis");
    std::get<packing::Mesh>(p.walls[0].shape).axis = {0, 0, -1};
    CHECK(validate(p).empty());
    p.box.lower.x = -0.02, p.box.upper.x = 0.02;
    p.box.periodic[0] = true;
    CHECK(validate(p) ==
          "wall 0: is a mesh that turns, and would have to repeat along x as the box does; "
          "expected no period, or one along its axis");
}

}  // namespace beadwave::validation::mesh_turning_periodic_test
