// What ellipsoids and clumps carry: springs to the ground, masses inside, loads, drives, cement.
// Spheres among them run as in the plain engine; drives that turn bodies against closed forms; the
// ledger, resuming and threads where everything acts.

#include "clump_packings.hpp"
#include "largest.hpp"
#include "packing/build/particle_shapes.hpp"
#include "packing/shaped/cement_ends.hpp"
#include "packings.hpp"
#include "relative.hpp"
#include "saved_packings.hpp"
#include "shape_rows.hpp"
#include "shaped_packings.hpp"

#include <array>
#include <cmath>
#include <memory>
#include <numbers>
#include <optional>
#include <utility>
#include <vector>

namespace beadwave::validation::shaped_elements_test {
namespace {

using packing::Packing;
using packing::Vec3;
using shapes::normalised;
using stepping::Drive;
using stepping::ForceSignal;

constexpr double pi = std::numbers::pi;

std::array<Drive, 3> about(std::size_t axis, const Drive& angle) {
    std::array<Drive, 3> all{Drive::steady(0.0), Drive::steady(0.0), Drive::steady(0.0)};
    all[axis] = angle;
    return all;
}

packing::Bond cement_of(std::size_t first, std::size_t second) {
    packing::Bond bond{.first = first, .second = second};
    bond.radius_factor = 0.7;
    bond.youngs_modulus = 2e8;
    bond.stiffness_ratio = 2.0;
    return bond;
}

/// Springs, masses inside, loads and drives of the first particles: 0 turns about z, 1 moves along
/// x and is free otherwise, 2 moves without turning, 3 is loaded, 4 and 5 have springs.
void add_elements(Packing& p) {
    const double m = p.mass[3];
    packing::Elements& all = p.elements;
    for (const std::size_t i : {4, 5})
        all.foundations.push_back({i, {.stiffness = 400.0, .cubic = 1e9, .damping = 0.01}, 2e-8});
    for (const std::size_t i : {3, 4, 4})
        all.resonators.push_back({i, 0.3 * m, {.stiffness = 300.0, .damping = 0.01}});
    all.forces = {{ForceSignal::sine(700.0, 2e-3, 3.0), ForceSignal::constant(0.0),
                   ForceSignal::table({0.0, 1e-3, 3e-3}, {0.0, 2e-3, -1e-3})}};
    all.loads = {{3, 0}, {6, 0}};
    const auto still = std::optional(Drive::steady(0.0));
    all.motions = {
        {.along = {still, still, std::nullopt}, .turning = about(2, Drive::sine(250.0, 0.1))},
        {.along = {Drive::sine(600.0, 2e-5), std::nullopt, std::nullopt}, .rotates = true},
        {.along = {still, still, Drive::sine(400.0, 3e-5)}}};
    for (std::size_t k = 0; k < 3; ++k)
        p.drive(k, k);
}

/// A row of spheres whose neighbours are cemented, which carry everything.
Packing carrying_spheres() {
    RandomNumbers random(3);
    Packing p = shaped_packing(1e8, "tsuji");
    p.friction = {.law = laws::FrictionLaw::linear, .coefficient = 0.3, .stiffness = 2e4};
    p.gravity = {0.3, 0.0, -9.81};
    for (int k = 0; k < 8; ++k) {
        const double r = 1e-3 * random.between(0.9, 1.0);
        p.add(r, 2500.0 * 4.0 / 3.0 * pi * r * r * r,
              {2.1e-3 * k, 1e-4 * random.between(-1.0, 1.0), 0.0});
        if (k > 2) p.angular_velocity.back() = 10.0 * random.direction();
    }
    add_elements(p);
    for (std::size_t k = 0; k + 1 < p.particles(); ++k) {
        if (k != 1) p.elements.bonds.push_back(cement_of(k, k + 1));
    }
    return p;
}

/// The same as ellipsoids, or as clumps of one sphere, turned anyhow.
Packing as_shapes(Packing p, bool clumps) {
    RandomNumbers random(5);
    for (const double r : p.radius) {
        p.semi_axes.push_back({r, r, r});
        p.orientation.push_back(random.rotation());
        if (!clumps) continue;
        const shapes::Ball ball[] = {{{}, r}};
        p.clumps.push_back(shapes::make_clump(ball));
    }
    for (packing::Bond& bond : p.elements.bonds)
        bond.ends = packing::cement_between(p, bond.first, bond.second, 1e-3).at(0);
    return p;
}

/// Ellipsoids, dumbbells and spheres on a floor, cemented where they are near, which carry
/// everything; some of the cement breaks.
Packing everything() {
    RandomNumbers random(8);
    Packing p = shaped_packing(1e7, "tsuji");
    p.friction = {.law = laws::FrictionLaw::linear, .coefficient = 0.3, .stiffness = 2e3};
    p.gravity = {0.0, 0.0, -9.81};
    const auto dumb = dumbbell(0.8e-3, 1e-3);
    for (int k = 0; k < 16; ++k) {
        const Vec3 place = 2.9e-3 * Vec3{1.0 * (k % 4), 1.0 * (k / 4 % 2), 0.6 + k / 8};
        if (k % 3 == 1) {
            add_clump(p, dumb, 2500.0, place, random.rotation());
        } else {
            shapes::Ellipsoid shape = random.ellipsoid(k % 3 == 0 ? 1.4 : 1.0);
            shape.centre = place;
            add_body(p, shapes::solid(shape, 2500.0));
            p.clumps.resize(p.particles());
        }
        if (k > 2) p.velocity.back() = 0.1 * random.direction() - Vec3{0.0, 0.0, 0.3};
        if (k > 2) p.angular_velocity.back() = 60.0 * random.direction();
    }
    p.walls.push_back({.shape = packing::Plane{.point = {0.0, 0.0, 0.4e-3}}});
    add_elements(p);
    for (std::size_t a = 0; a < p.particles(); ++a) {
        for (std::size_t b = a + 1; b < p.particles(); ++b) {
            if (p.is_held(a) && p.is_held(b)) continue;
            for (const auto& ends : packing::cement_between(p, a, b, 0.6e-3)) {
                packing::Bond bond = cement_of(a, b);
                bond.ends = ends;
                if (a > 2) bond.tensile_strength = 1.5e5;
                p.elements.bonds.push_back(bond);
            }
        }
    }
    return p;
}

/// One ellipsoid that is turned, about z, and free along z.
Packing turned_ellipsoid(const Drive& angle) {
    Packing p = shaped_packing(1e9);
    add_body(p,
             shapes::solid({{2e-3, 1.5e-3, 1e-3}, {}, normalised({0.3, -0.5, 0.7, 0.1})}, 2500.0));
    p.elements.motions = {{.along = {Drive::steady(0.0), Drive::steady(0.0), std::nullopt},
                           .turning = about(2, angle)}};
    p.drive(0, 0);
    return p;
}

}  // namespace

TEST_CASE("spheres that carry everything run as ellipsoids and clumps as in the plain engine") {
    const Packing spheres = carrying_spheres();
    constexpr double dt = 2e-7;
    for (const bool clumps : {false, true}) {
        const Packing same = as_shapes(spheres, clumps);
        CHECK(packing::validate(same).empty());
        const auto plain = packing::make_plain_packing_engine(spheres, dt);
        const auto shaped = packing::make_packing_engine(same, dt, 1);
        for (int look = 0; look < 10; ++look) {
            plain->advance(400);
            shaped->advance(400);
            const double displacement =
                largest_difference(shaped->displacement(), plain->displacement());
            const double velocity = largest_difference(shaped->velocity(), plain->velocity());
            const double spin =
                largest_difference(shaped->angular_velocity(), plain->angular_velocity());
            CHECK(displacement < 1e-12);
            CHECK(velocity < 1e-12);
            CHECK(spin < 1e-12);
            const packing::PackingTotals a = shaped->totals(), b = plain->totals();
            const double scale = b.translational + b.rotational + b.stored_elements;
            for (const auto part :
                 {&packing::PackingTotals::translational, &packing::PackingTotals::rotational,
                  &packing::PackingTotals::stored_elements,
                  &packing::PackingTotals::dissipated_elements,
                  &packing::PackingTotals::external_work})
                CHECK_ABSOLUTE(a.*part, b.*part, 1e-12 * scale);
            for (std::size_t k = 0; k < 3; ++k) {
                CHECK_ABSOLUTE(size_of(shaped->drive_forces()[k] - plain->drive_forces()[k]), 0.0,
                               1e-11 * size_of(plain->drive_forces()[k]));
            }
            CHECK_ABSOLUTE(size_of(shaped->drive_torques()[0] - plain->drive_torques()[0]), 0.0,
                           1e-11 * size_of(plain->drive_torques()[0]));
            const packing::StabilityLimits one = shaped->stability_limits(1.0),
                                           two = plain->stability_limits(1.0);
            CHECK_RELATIVE(one.frequency, two.frequency, 1e-12);
            CHECK_RELATIVE(one.damping, two.damping, 1e-12);
        }
        CHECK(plain->totals().stored_elements > 0.0);
    }
}

TEST_CASE("an ellipsoid that is turned needs the torque of its inertia, which turns with it") {
    constexpr double dt = 1e-6, speed = 300.0, size = 0.3, w = 2.0 * pi * 150.0;
    for (const bool steady : {true, false}) {
        const Packing p =
            turned_ellipsoid(steady ? Drive::steady(speed) : Drive::sine(150.0, size));
        CHECK(packing::validate(p).empty());
        const auto engine = packing::make_packing_engine(p, dt, 1);
        const double start = energy_of(engine->totals());
        for (int look = 1; look <= 6; ++look) {
            engine->advance(777);
            const double t = 777 * look * dt;
            const double angle = steady ? speed * t : size * std::sin(w * t),
                         rate = steady ? speed : size * w * std::cos(w * t),
                         change = steady ? 0.0 : -size * w * w * std::sin(w * t);
            const shapes::Quaternion turned =
                shapes::Quaternion{std::cos(0.5 * angle), 0.0, 0.0, std::sin(0.5 * angle)} *
                p.orientation[0];
            for (const Vec3& axis : {Vec3{1, 0, 0}, Vec3{0, 1, 0}})
                CHECK_ABSOLUTE(
                    size_of(to_space(engine->orientation()[0], axis) - to_space(turned, axis)), 0.0,
                    1e-12);
            CHECK_ABSOLUTE(size_of(engine->angular_velocity()[0] - Vec3{0, 0, rate}), 0.0,
                           1e-12 * speed);
            // L = I w, with I of the body as it is turned now.
            const Vec3 a = p.semi_axes[0], u = to_body(turned, {0, 0, 1});
            const double m = 0.2 * p.mass[0];
            const Vec3 column = to_space(
                turned, {m * (a.y * a.y + a.z * a.z) * u.x, m * (a.z * a.z + a.x * a.x) * u.y,
                         m * (a.x * a.x + a.y * a.y) * u.z});
            const Vec3 torque = change * column + cross(Vec3{0, 0, rate}, rate * column);
            CHECK_ABSOLUTE(size_of(engine->drive_torques()[0] - torque), 0.0,
                           1e-6 * size_of(column) * (steady ? speed * speed : size * w * w));
            const packing::PackingTotals now = engine->totals();
            CHECK_RELATIVE(now.rotational, 0.5 * rate * rate * column.z, 1e-11);
            CHECK_RELATIVE(energy_of(now), start, 1e-11);
        }
    }
}

TEST_CASE("drag on the rotation of an ellipsoid slows each axis by its own moment") {
    constexpr double drag = 1e-8, spin = 20.0, dt = 1e-6;
    for (double Vec3::*axis : {&Vec3::x, &Vec3::y, &Vec3::z}) {
        Packing p = shaped_packing(1e9);
        add_body(p, shapes::solid({{2e-3, 1.5e-3, 1e-3}, {}, normalised({0.3, -0.5, 0.7, 0.1})},
                                  2500.0));
        Vec3 w{};
        w.*axis = spin;
        p.angular_velocity[0] = to_space(p.orientation[0], w);
        p.elements.foundations = {{0, {}, drag}};
        const auto engine = packing::make_packing_engine(p, dt, 1);
        const double start = energy_of(engine->totals());
        engine->advance(2'000);
        const Vec3 a = p.semi_axes[0];
        const double moment = 0.2 * p.mass[0] * (dot(a, a) - (a.*axis) * (a.*axis));
        CHECK_ABSOLUTE(size_of(engine->angular_velocity()[0] -
                               std::exp(-drag / moment * 2'000 * dt) * p.angular_velocity[0]),
                       0.0, 1e-6 * spin);
        CHECK_RELATIVE(energy_of(engine->totals()), start, 1e-6);
    }
}

TEST_CASE("the ledger of shapes that carry everything balances, with the square of the step") {
    const Packing p = everything();
    CHECK(packing::validate(p).empty());
    std::vector<double> errors;
    for (const int halvings : {0, 1, 2}) {
        const double dt = 2e-7 / (1 << halvings);
        const auto engine = packing::make_packing_engine(p, dt, 1);
        const double start = energy_of(engine->totals());
        engine->advance(10'000 << halvings);
        const packing::PackingTotals end = engine->totals();
        MESSAGE("step ", dt, ": error ", energy_of(end) - start, " J of ", start, " J, broken ",
                end.broken_energy, ", by elements ", end.dissipated_elements, ", work ",
                end.external_work, ", contacts ", end.dissipated_normal);
        CHECK(end.broken_energy > 0.0);
        CHECK(end.dissipated_elements > end.broken_energy);
        CHECK(end.dissipated_normal > 0.0);
        errors.push_back(std::abs(energy_of(end) - start) / start);
    }
    CHECK(errors.back() < 1e-4);
    CHECK(errors.back() < 0.3 * errors.front());
}

TEST_CASE("shapes that carry everything go on to the bit, on any number of threads") {
    const Packing p = everything();
    constexpr double dt = 2e-7;
    const auto whole = packing::make_packing_engine(p, dt, 1);
    whole->advance(3'000);
    const SavedPacking middle = saved(*whole);
    whole->advance(3'000);
    for (const int threads : {1, 3}) {
        const auto resumed = packing::make_packing_engine(p, dt, threads);
        restore(*resumed, 3'000, middle);
        CHECK(resumed->drive_torques() == [&] {
            const auto again = packing::make_packing_engine(p, dt, 1);
            again->advance(3'000);
            return again->drive_torques();
        }());
        resumed->advance(3'000);
        CHECK(saved(*resumed) == saved(*whole));
        const auto other = packing::make_packing_engine(p, dt, threads);
        other->advance(6'000);
        CHECK(saved(*other) == saved(*whole));
    }
}

}  // namespace beadwave::validation::shaped_elements_test
