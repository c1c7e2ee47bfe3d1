// Ellipsoids and clumps on meshes and curved walls.
#include "clump_packings.hpp"
#include "largest.hpp"
#include "meshes.hpp"
#include "packing/shaped/shaped_surface.hpp"
#include "packing/walls/narrow_hollows.hpp"
#include "packings.hpp"
#include "relative.hpp"
#include "sanitised.hpp"
#include "saved_packings.hpp"
#include "shape_rows.hpp"
#include "shaped_packings.hpp"
#include "shapes/deepest_point.hpp"
#include "turning_drum.hpp"

#include <array>
#include <cmath>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

namespace beadwave::validation::shaped_walls_test {
namespace {

using packing::make_packing_engine;
using packing::Packing;
using packing::Plane;
using packing::Revolved;
using packing::Vec3;

/// Clumps of one ball in place of the spheres.
Packing as_clumps(Packing p) {
    for (std::size_t i = 0; i < p.particles(); ++i) {
        const shapes::Ball ball[] = {{{}, p.radius[i]}};
        p.clumps.push_back(shapes::make_clump(ball));
        p.semi_axes.push_back({p.radius[i], p.radius[i], p.radius[i]});
        p.orientation.push_back({0.5, 0.5, -0.5, 0.5});
    }
    return p;
}

struct FromSpheres {
    double moved, speed, spin;
};

FromSpheres from_spheres(const Packing& p, double dt, int steps) {
    const auto plain = packing::make_plain_packing_engine(p, dt);
    const auto clumps = make_packing_engine(as_clumps(p), dt, 1);
    plain->advance(steps);
    clumps->advance(steps);
    CHECK(plain->neighbour_list_builds() > 3);
    return {.moved = largest_difference(clumps->displacement(), plain->displacement()),
            .speed = largest_difference(clumps->velocity(), plain->velocity()),
            .spin = largest_difference(clumps->angular_velocity(), plain->angular_velocity())};
}

TEST_CASE("clumps of one sphere run in a turning drum with shared rims as spheres do" *
          doctest::skip(sanitised)) {
    for (const std::string law : {"hertz", "tsuji"}) {
        Packing p = turning_drum(law);
        p.species_list[0].elasticity.youngs_modulus = 1e8;
        const FromSpheres d = from_spheres(p, 2e-6, 800);
        MESSAGE(law, ": ", d.moved, " ", d.speed, " ", d.spin);
        // Rounding, which collisions enlarge.
        CHECK(d.moved < 1e-9);
        CHECK(d.speed < 1e-9);
        CHECK(d.spin < 1e-9);
    }
}

/// Three spheres that roll and bounce in a box of triangles that moves, with plates on its floor.
Packing spheres_in_mesh(double turning) {
    Packing p = steel_packing("tsuji");
    p.species_list[0].elasticity.youngs_modulus = 1e7;
    p.friction = {.law = laws::FrictionLaw::mindlin, .coefficient = 0.4};
    p.gravity = {0.0, 0.0, -9.81};
    std::vector<packing::Corners> box = box_of_triangles({-9e-3, -9e-3, 0}, {9e-3, 9e-3, 15e-3});
    p.walls.push_back({.shape = mesh_of(box), .velocity = {0.02, -0.01, 0.03}});
    if (turning != 0.0) p.walls.back() = {.shape = mesh_of(box), .angular_velocity = turning};
    for (int i = 0; i < 3; ++i) {
        p.add(2e-3, steel_mass(2e-3), {-5e-3 + 5e-3 * i, 1e-3 * i, 3e-3 + 2e-3 * i});
        p.velocity.back() = {0.4 - 0.3 * i, 0.2, -0.3};
        p.angular_velocity.back() = {30.0, -20.0 * i, 50.0};
    }
    return p;
}

TEST_CASE("clumps of one sphere run in a box of triangles as spheres do") {
    for (const double turning : {0.0, 20.0}) {
        const FromSpheres d = from_spheres(spheres_in_mesh(turning), 4e-6, 4000);
        MESSAGE(turning, ": ", d.moved, " ", d.speed, " ", d.spin);
        CHECK(d.moved < 1e-11);
        CHECK(d.speed < 1e-11);
        CHECK(d.spin < 1e-11);
    }
}

/// Ellipsoids, dumbbells and a sphere that fall, roll and tumble on the plane z = 0, in lanes.
Packing tumbling_bodies(std::uint64_t seed) {
    Packing p = shaped_packing(1e7, "tsuji");
    p.law = law_settings("tsuji", {{"restitution", 0.7}});
    p.friction = {.law = laws::FrictionLaw::mindlin, .coefficient = 0.4};
    p.gravity = {0.0, 0.0, -9.81};
    RandomNumbers random(seed);
    for (int i = 0; i < 12; ++i) {
        const Vec3 at{0.0, 8e-3 * i, 3.2e-3};
        const shapes::Quaternion turn = random.rotation();
        if (i % 3 == 0) {
            add_clump(p, dumbbell(1.2e-3, 2e-3), 2500.0, at, turn);
        } else {
            const shapes::Vector axes{random.between(1.5e-3, 3e-3), random.between(1.5e-3, 3e-3),
                                      i == 5 ? 2e-3 : random.between(1.2e-3, 2e-3)};
            add_body(p, shapes::solid({.semi_axes = i == 5 ? Vec3{2e-3, 2e-3, 2e-3} : axes,
                                       .centre = at,
                                       .orientation = turn},
                                      2500.0));
            p.clumps.resize(p.particles());
        }
        p.velocity.back() = {random.between(0.1, 0.4), 0.0, random.between(-0.3, 0.0)};
        p.angular_velocity.back() = 60.0 * random.direction();
    }
    p.clumps.resize(p.particles());
    return p;
}

TEST_CASE("bodies pass the seams of a plate of triangles as they pass the plane") {
    Packing flat = tumbling_bodies(4), meshed = flat;
    const Vec3 velocity{0.01, 0.02, 0.0};
    flat.walls.push_back({.shape = Plane{}, .velocity = velocity});
    meshed.walls.push_back(
        {.shape = mesh_of(plate({-0.02, -0.02, 0}, {0.08, 0, 0}, {0, 0.14, 0}, 7)),
         .velocity = velocity});
    constexpr double dt = 4e-6;
    const auto plane = make_packing_engine(flat, dt, 1), mesh = make_packing_engine(meshed, dt, 1);
    plane->advance(10'000);
    mesh->advance(10'000);
    CHECK(plane->totals().dissipated_tangential > 0.0);
    Largest moved, speed, spin;
    for (std::size_t i = 0; i < flat.particles(); ++i) {
        moved.enter(size_of(plane->displacement()[i] - mesh->displacement()[i]));
        speed.enter(size_of(plane->velocity()[i] - mesh->velocity()[i]));
        spin.enter(3e-3 * size_of(plane->angular_velocity()[i] - mesh->angular_velocity()[i]));
    }
    MESSAGE("moved ", double(moved), " m, speed ", double(speed), ", spin ", double(spin), " m/s");
    CHECK(moved < 1e-10);
    CHECK(speed < 1e-9);
    CHECK(spin < 1e-9);
    CHECK(mesh->uncertain_normals() == 0);
}

TEST_CASE("bodies pass from one mesh to the next as they pass the plane") {
    Packing flat = tumbling_bodies(8), meshed = flat;
    flat.walls.push_back({});
    for (int k = 0; k < 8; ++k) {
        const Vec3 corner{-0.02 + 0.01 * k, -0.02, 0.0};
        meshed.walls.push_back(
            {.shape = mesh_of(plate(corner, {0.01, 0, 0}, {0, 0.14, 0}, 1 + k))});
    }
    constexpr double dt = 4e-6;
    const auto plane = make_packing_engine(flat, dt, 1), mesh = make_packing_engine(meshed, dt, 1);
    plane->advance(10'000);
    mesh->advance(10'000);
    Largest speed, spin;
    for (std::size_t i = 0; i < flat.particles(); ++i) {
        speed.enter(size_of(plane->velocity()[i] - mesh->velocity()[i]));
        spin.enter(3e-3 * size_of(plane->angular_velocity()[i] - mesh->angular_velocity()[i]));
    }
    MESSAGE("speed ", double(speed), ", spin ", double(spin), " m/s");
    // Without friction's memory lost at a seam: that would be 1e-2.
    CHECK(speed < 1e-6);
    CHECK(spin < 1e-6);
}

/// Bodies that fly about without friction or loss in a closed vessel, which touch nothing else.
double gained_energy(Packing p, double dt, int most_steps, int collisions) {
    const auto engine = make_packing_engine(p, dt, 1);
    const double start = energy_of(engine->totals());
    int met = 0;
    std::size_t closed = 0;
    Largest error;
    for (int s = 0; s < most_steps && met < collisions; s += 5) {
        engine->advance(5);
        const std::size_t now = engine->closed_contacts();
        met += now > closed ? static_cast<int>(now - closed) : 0;
        closed = now;
        // Within a contact the energy of velocity Verlet swings with the square of the step.
        if (closed == 0) error.enter(std::abs(energy_of(engine->totals()) - start) / start);
    }
    CHECK(met >= collisions);
    CHECK(engine->uncertain_normals() == 0);
    MESSAGE(met, " contacts");
    return double(error);
}

Packing flying_bodies(std::uint64_t seed) {
    Packing p = shaped_packing(1e7);
    RandomNumbers random(seed);
    for (int i = 0; i < 8; ++i) {
        const Vec3 at{(i % 2 - 0.5) * 7e-3, (i / 2 % 2 - 0.5) * 7e-3, (i / 4 - 0.5) * 7e-3};
        if (i % 4 == 0) {
            add_clump(p, dumbbell(1.2e-3, 2e-3), 2500.0, at, random.rotation());
        } else {
            add_body(p, shapes::solid({.semi_axes = {random.between(1.5e-3, 3e-3),
                                                     random.between(1.5e-3, 3e-3),
                                                     random.between(1.2e-3, 2e-3)},
                                       .centre = at,
                                       .orientation = random.rotation()},
                                      2500.0));
            p.clumps.resize(p.particles());
        }
        p.velocity.back() = random.direction();
        p.angular_velocity.back() = 200.0 * random.direction();
    }
    p.clumps.resize(p.particles());
    return p;
}

/// Cubes and lenses with round edges, harder than these edges are small.
Packing flying_superellipsoids(std::uint64_t seed) {
    Packing p = shaped_packing(1e9);
    RandomNumbers random(seed);
    for (int i = 0; i < 8; ++i) {
        const Vec3 at{(i % 2 - 0.5) * 7e-3, (i / 2 % 2 - 0.5) * 7e-3, (i / 4 - 0.5) * 7e-3};
        const double exponents[] = {5.0, 8.0, 3.0, 2.0};
        add_body(p,
                 shapes::solid(shapes::Superellipsoid(
                                   {.semi_axes = {random.between(1.2e-3, 2e-3),
                                                  random.between(1.2e-3, 2e-3), 1.2e-3},
                                    .centre = at,
                                    .orientation = random.rotation()},
                                   {.plane = exponents[i % 4], .axis = exponents[(i + i / 4) % 4]}),
                               2500.0));
        p.velocity.back() = random.direction();
        p.angular_velocity.back() = 200.0 * random.direction();
    }
    p.exponents.resize(p.particles());
    return p;
}

void put_into_box_of_triangles(Packing& p) {
    p.walls.push_back(
        {.shape = mesh_of(box_of_triangles({-7e-3, -7e-3, -9e-3}, {7e-3, 7e-3, 7e-3}))});
    // A roof on the floor, which has convex edges and corners.
    p.walls.push_back(
        {.shape = mesh_of({{Vec3{-3e-3, -7e-3, -9e-3}, {0, 0, -7e-3}, {3e-3, -7e-3, -9e-3}},
                           {Vec3{3e-3, -7e-3, -9e-3}, {0, 0, -7e-3}, {0, 5e-3, -9e-3}},
                           {Vec3{0, 5e-3, -9e-3}, {0, 0, -7e-3}, {-3e-3, -7e-3, -9e-3}}})});
}

void put_into_drum(Packing& p) {
    p.walls.push_back({.shape = Revolved::cylinder({0, 0, -9e-3}, {0, 0, 1}, 10e-3, 13e-3)});
    p.walls.push_back({.shape = Revolved{{0, 0, 4e-3}, {0, 0, 1}, 10e-3, 6e-3, 5e-3}});
    p.walls.push_back({.shape = Revolved::disc({0, 0, -9e-3}, {0, 0, 1}, 10e-3)});
    p.walls.push_back({.shape = Revolved::disc({0, 0, 9e-3}, {0, 0, -1}, 6e-3)});
}

TEST_CASE("a thousand collisions in a box of triangles keep the energy" *
          doctest::skip(sanitised)) {
    Packing p = flying_bodies(2);
    put_into_box_of_triangles(p);
    const double error = gained_energy(p, 5e-7, 1'500'000, 1000);
    MESSAGE(error);
    CHECK(error < 1e-6);
}

TEST_CASE("collisions in a closed drum of curved walls keep the energy" *
          doctest::skip(sanitised)) {
    Packing p = flying_bodies(3);
    put_into_drum(p);
    const double error = gained_energy(p, 5e-7, 1'000'000, 300);
    MESSAGE(error);
    CHECK(error < 1e-6);
}

TEST_CASE("superellipsoids keep their energy in a box of triangles" * doctest::skip(sanitised)) {
    Packing p = flying_superellipsoids(2);
    put_into_box_of_triangles(p);
    const double error = gained_energy(p, 1e-7, 1'000'000, 5);
    MESSAGE(error);
    CHECK(error < 1e-6);
}

/// An ellipsoid that rolls in a cylinder along y, from an angle.
Packing in_cylinder(const packing::WallShape& wall) {
    Packing p = shaped_packing(1e7);
    p.gravity = {0.0, 0.0, -9.81};
    p.friction = {.law = laws::FrictionLaw::mindlin, .coefficient = 0.5};
    const double angle = 0.6;
    shapes::Body body =
        shapes::solid({.semi_axes = {2.4e-3, 3e-3, 2e-3},
                       .centre = (20e-3 - 2.05e-3) * Vec3{std::sin(angle), 0.0, -std::cos(angle)},
                       .orientation = raised(angle)},
                      2500.0);
    body.velocity = {0.0, 0.05, 0.0};
    add_body(p, body);
    p.walls.push_back({.shape = wall, .velocity = {0.0, 0.01, 0.0}, .angular_velocity = 3.0});
    return p;
}

TEST_CASE("an ellipsoid rolls in a drum of narrow sides as in the cylinder" *
          doctest::skip(sanitised)) {
    constexpr double dt = 4e-6;
    constexpr int steps = 15'000;
    const Vec3 axis{0, 1, 0};
    const auto curved = make_packing_engine(
        in_cylinder(Revolved::cylinder({0, -0.05, 0}, axis, 20e-3, 0.1)), dt, 1);
    curved->advance(steps);
    CHECK(size_of(curved->angular_velocity()[0]) > 20.0);
    std::array<double, 2> error{};
    for (std::size_t k = 0; k < 2; ++k) {
        packing::Mesh mesh = mesh_of(tube(axis, 20e-3, 0.1, k == 0 ? 180 : 720, 3, 0.3));
        mesh.axis = axis;
        const auto faceted = make_packing_engine(in_cylinder(mesh), dt, 1);
        faceted->advance(steps);
        error[k] = size_of(faceted->displacement()[0] - curved->displacement()[0]);
    }
    MESSAGE(error[0], ", ", error[1], " m, of ", size_of(curved->displacement()[0]));
    // Sides touch the cylinder: between them they are farther by R (pi / sides)^2 / 2.
    CHECK(error[1] < 1e-4);
    CHECK(error[1] < error[0] / 2.0);
}

TEST_CASE(
    "an ellipsoid outside a cylinder, and on the rim of a disc, touches where a plain search "
    "says") {
    RandomNumbers random(12);
    for (int i = 0; i < 30; ++i) {
        const shapes::Ellipsoid e{.semi_axes = {random.between(1.0, 2.0), random.between(1.0, 2.0),
                                                random.between(0.8, 1.5)},
                                  .orientation = random.rotation()};
        const bool disc = i % 2 == 0;
        const Revolved wall =
            disc ? Revolved::disc({}, {0, 0, 1}, 3.0) : Revolved::cylinder({}, {0, 0, 1}, 3.0);
        const double angle = random.between(0.0, 6.28);
        const Vec3 out{std::cos(angle), std::sin(angle), 0.0};
        const Vec3 way =
            disc ? shapes::Vector(out + 0.8 * Vec3{0, 0, 1}) * (1.0 / std::sqrt(1.64)) : out;
        shapes::Ellipsoid at = e;
        at.centre = 3.0 * out + (reach(e, -way) - 0.05) * way;
        const packing::SurfaceFacing found = facing_of_wall(at, wall, {});
        // The deepest of many points of the wall, by the gauge of the ellipsoid, then refined.
        const auto depth = [&](double u, double z) {
            const Vec3 point{3.0 * std::cos(u), 3.0 * std::sin(u), z};
            return depth_at(at, point, -way).depth;
        };
        double u = angle, z = 0.0, step = 0.2, most = depth(u, z);
        while (step > 1e-10) {
            bool deeper = false;
            for (const auto& move :
                 {std::array{step, 0.0}, {-step, 0.0}, {0.0, step}, {0.0, -step}}) {
                if (disc && move[1] != 0.0) continue;
                const double d = depth(u + move[0], z + move[1]);
                if (!(d > most)) continue;
                most = d;
                u += move[0];
                z += move[1];
                deeper = true;
            }
            if (!deeper) step *= 0.5;
        }
        REQUIRE(found.found);
        CHECK_ABSOLUTE(found.overlap, most, 1e-11);
        CHECK(found.on_rim == disc);
        const packing::SurfaceFacing again = facing_of_wall(at, wall, found.normal);
        CHECK_ABSOLUTE(again.overlap, found.overlap, 1e-13);
    }
}

TEST_CASE("bodies among meshes and curved walls run to the same bits after an interruption") {
    Packing p = flying_bodies(5);
    p.law = law_settings("tsuji", {{"restitution", 0.5}});
    p.friction = {.law = laws::FrictionLaw::mindlin, .coefficient = 0.4};
    p.gravity = {0.0, 0.0, -40.0};
    packing::Mesh drum = mesh_of(tube({0, 0, 1}, 10e-3, 20e-3, 48, 4));
    p.walls.push_back({.shape = drum, .angular_velocity = 15.0});
    p.walls.push_back(
        {.shape = mesh_of(plate({-12e-3, -12e-3, -8e-3}, {24e-3, 0, 0}, {0, 24e-3, 0}, 5))});
    p.walls.push_back({.shape = Revolved{{0, 0, -8e-3}, {0, 0, 1}, 3e-3, 9.9e-3, 2e-3},
                       .angular_velocity = -5.0});
    constexpr double dt = 2e-6;
    const auto whole = make_packing_engine(p, dt, 1);
    whole->advance(20'000);
    CHECK(whole->closed_contacts() > 4);
    CHECK(whole->neighbour_list_builds() > 5);
    const SavedPacking half = saved(*whole);
    whole->advance(4000);
    const auto rest = make_packing_engine(p, dt, 1);
    restore(*rest, 20'000, half);
    CHECK(saved(*rest) == half);
    rest->advance(4000);
    CHECK(saved(*rest) == saved(*whole));
    CHECK(energy_of(rest->totals()) == energy_of(whole->totals()));
    const auto one_by_one = make_packing_engine(p, dt, 1);
    for (int s = 0; s < 2000; ++s)
        one_by_one->advance(12);
    CHECK(saved(*one_by_one) == saved(*whole));
}

TEST_CASE("a cylinder that is bent more than an ellipsoid is warned of") {
    Packing p = shaped_packing(1e9);
    add_body(p, shapes::solid({.semi_axes = {4e-3, 2e-3, 2e-3}}, 2500.0));
    // Along the longest axis it bends least: with a radius of 16/2 mm.
    for (const double radius : {7.9e-3, 8.1e-3}) {
        p.walls.assign(1, {.shape = Revolved::cylinder({}, {0, 0, 1}, radius)});
        CHECK(packing::narrow_hollow(p).has_value() == (radius < 8e-3));
        p.walls.assign(1, {.shape = Revolved::disc({0, 0, -1e-2}, {0, 0, 1}, radius)});
        CHECK(!packing::narrow_hollow(p));
    }
}

TEST_CASE("a clump that a wall goes through is refused") {
    Packing p = shaped_packing(1e9);
    add_clump(p, dumbbell(1e-3, 3e-3), 2500.0, {0.3e-3, 0.0, 0.0});
    p.walls.push_back(
        {.shape = mesh_of(plate({1e-3, -5e-3, -5e-3}, {0, 1e-2, 0}, {0, 0, 1e-2}, 1))});
    CHECK(
        packing::validate(p) ==
        "wall 0: goes through the clump that is particle 0; expected all its spheres on one side");
    p.walls[0] = {.shape = Revolved::cylinder({-9e-3, 0, 0}, {0, 0, 1}, 1e-2)};
    CHECK(
        packing::validate(p) ==
        "wall 0: goes through the clump that is particle 0; expected all its spheres on one side");
    p.walls[0] = {.shape = Revolved::disc({1e-3, 0, 0}, {1, 0, 0}, 1e-3)};
    CHECK(packing::validate(p) != "");
    p.walls[0] = {.shape = Revolved::disc({1e-3, 0, 0}, {1, 0, 0}, 1e-2, 1e-3)};
    CHECK(packing::validate(p) == "");
}

}  // namespace
}  // namespace beadwave::validation::shaped_walls_test
