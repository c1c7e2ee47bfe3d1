// Spheres in cylinders, at the rims of discs, in cones and in turning drums.

#include "largest.hpp"
#include "normal_numbers.hpp"
#include "packing/fast/fast_packing_engine.hpp"
#include "packing_engines.hpp"
#include "packings.hpp"
#include "relative.hpp"
#include "sanitised.hpp"
#include "saved_packings.hpp"
#include "turning_drum.hpp"

#include <array>
#include <cmath>
#include <functional>
#include <memory>

namespace beadwave::validation::curved_walls_test {

using packing::Revolved;
using packing::Vec3;

namespace {

constexpr double g = 9.81;

/// A soft sphere at the bottom of a cylinder along y, in the equilibrium of its weight, at an
/// angle.
packing::Packing in_cylinder(double angle, bool rolls) {
    packing::Packing p = steel_packing();
    p.species_list[0].elasticity.youngs_modulus = 1e9;
    const double radius = 0.05;
    p.add(steel_radius, steel_mass(steel_radius), {});
    const double modulus = 1e9 / (2.0 * (1.0 - steel_ratio * steel_ratio));
    const double overlap =
        std::pow(p.mass[0] * g * std::cos(angle) / (4.0 / 3.0 * modulus * std::sqrt(steel_radius)),
                 2.0 / 3.0);
    const double arm = radius - steel_radius + overlap;
    p.position[0] = arm * Vec3{std::sin(angle), 0.0, -std::cos(angle)};
    p.walls.push_back({.shape = Revolved::cylinder({0, 0.3, 0}, {0, 1, 0}, radius)});
    p.gravity = {0, 0, -g};
    // Sticks at any force.
    if (rolls) p.friction = {.law = laws::FrictionLaw::mindlin_displacement, .coefficient = 1e3};
    return p;
}

/// The first time at which the sphere is below the axis [s], to the second order of the step.
double quarter_period(packing::PackingEngine& engine, double start, double dt) {
    double before = start;
    for (int step = 1; step < 1'000'000; ++step) {
        engine.advance(1);
        const double x = start + engine.motion(0).displacement.x;
        if (x <= 0.0) return dt * (step - 1 + before / (before - x));
        before = x;
    }
    return 0.0;
}

}  // namespace

TEST_CASE("a sphere in a cylinder swings like a pendulum, slower if it rolls") {
    const double angle = 0.1, arm = 0.05 - steel_radius, dt = 2e-6;
    for (const bool rolls : {false, true}) {
        const packing::Packing p = in_cylinder(angle, rolls);
        // Quarter of the period of a pendulum at this amplitude; rolling adds 2/5 to the inertia.
        const double inertia = rolls ? 1.4 : 1.0;
        const double expected =
            0.5 * std::numbers::pi * std::sqrt(inertia * arm / g) * (1.0 + angle * angle / 16.0);
        for (const EngineMaker& make : engine_makers) {
            const auto engine = make(p, dt);
            const double energy = energy_of(engine->totals());
            const double found = quarter_period(*engine, p.position[0].x, dt);
            // The overlap of a few micrometres lengthens the arm.
            CHECK_RELATIVE(found, expected, 2e-4);
            const double kinetic = engine->totals().translational;
            CHECK_ABSOLUTE(energy_of(engine->totals()), energy, 1e-5 * kinetic);
            const double speed = size_of(engine->velocity()[0]);
            // The friction spring swings, because it starts without its force.
            CHECK_ABSOLUTE(size_of(engine->angular_velocity()[0]) * steel_radius,
                           rolls ? speed : 0.0, 2e-3 * speed);
        }
    }
}

TEST_CASE("a sphere rebounds from the rim of a disc along the line between them") {
    // The centre is beside the disc, 30 degrees from the vertical above the rim.
    packing::Packing p = steel_packing();
    const Vec3 normal{0.5, 0.0, std::sqrt(0.75)};
    p.add(steel_radius, steel_mass(steel_radius),
          Vec3{0.02, 0.0, 0.0} + (steel_radius + 1e-9) * normal);
    p.velocity[0] = {0.0, 0.0, -0.1};
    p.walls.push_back({.shape = Revolved::disc({}, {0, 0, 1}, 0.02)});
    const Vec3 expected = p.velocity[0] - (2.0 * dot(p.velocity[0], normal)) * normal;
    for (const EngineMaker& make : engine_makers) {
        const auto engine = make(p, 2e-8);
        engine->advance(10'000);
        // During the contact the line turns by the way along it over the radius, 1e-3.
        CHECK_ABSOLUTE(size_of(engine->velocity()[0] - expected), 0.0, 2e-3 * 0.1);
        CHECK_RELATIVE(size_of(engine->velocity()[0]), 0.1, 1e-6);
    }
}

TEST_CASE("a disc is touched from both sides and its hole lets spheres pass") {
    packing::Packing p = steel_packing();
    p.walls.push_back({.shape = Revolved::disc({}, {0, 0, 1}, 0.05, 2.0 * steel_radius)});
    p.add(steel_radius, steel_mass(steel_radius), {0.03, 0.0, steel_radius + 1e-6});
    p.add(steel_radius, steel_mass(steel_radius), {0.0, 0.03, -steel_radius - 1e-6});
    p.add(steel_radius, steel_mass(steel_radius), {0.0, 0.0, steel_radius});
    p.velocity = {{0, 0, -0.1}, {0, 0, 0.1}, {0, 0, -0.1}};
    for (const EngineMaker& make : engine_makers) {
        const auto engine = make(p, 2e-7);
        engine->advance(2000);
        CHECK_RELATIVE(engine->velocity()[0].z, 0.1, 1e-4);
        CHECK_RELATIVE(engine->velocity()[1].z, -0.1, 1e-4);
        CHECK(engine->velocity()[2] == Vec3{0, 0, -0.1});
    }
}

TEST_CASE("a sphere that is pushed through a disc is reported as too deep") {
    packing::Packing p = steel_packing();
    p.species_list[0].elasticity.youngs_modulus = 1e4;
    p.walls.push_back({.shape = Revolved::disc({}, {0, 0, 1}, 0.05)});
    p.add(steel_radius, steel_mass(steel_radius), {0.0, 0.01, steel_radius});
    p.velocity[0] = {0, 0, -5.0};
    for (const EngineMaker& make : engine_makers) {
        const auto engine = make(p, 1e-6);
        engine->advance(800);
        CHECK(engine->deepest().depth >= packing::lost_depth);
    }
}

TEST_CASE("a turning cylinder spins a sphere until their surfaces move alike" *
          doctest::skip(sanitised)) {
    packing::Packing p = in_cylinder(0.0, false);
    p.friction = {.law = laws::FrictionLaw::mindlin, .coefficient = 0.3};
    p.law = law_settings("tsuji");
    p.law.values.insert_or_assign("restitution", 0.3);
    const double turns = 2.0;
    p.walls[0].angular_velocity = turns;
    for (const EngineMaker& make : engine_makers) {
        const auto engine = make(p, 5e-6);
        engine->advance(400'000);
        const packing::PackingTotals t = engine->totals();
        // With the axis along y both turn in the same sense.
        const Vec3 v = engine->velocity()[0], w = engine->angular_velocity()[0];
        const Vec3 at = p.position[0] + engine->displacement()[0];
        const double size = std::hypot(at.x, at.z);
        const Vec3 contact = (0.05 / size) * Vec3{at.x, 0.0, at.z};
        const Vec3 of_sphere = v + cross(w, contact - Vec3{at.x, 0.0, at.z});
        const Vec3 of_wall = cross(Vec3{0, turns, 0}, contact);
        CHECK_ABSOLUTE(size_of(of_sphere - of_wall), 0.0, 1e-2 * size_of(of_wall));
        CHECK(w.y > 0.0);
        // The drum's work went into motion and friction.
        CHECK(t.external_work > 0.0);
        CHECK(t.dissipated_tangential > 0.0);
        CHECK_ABSOLUTE(energy_of(t), 0.0, 2e-3 * t.external_work);
    }
}

TEST_CASE("curved and turning walls act alike in both engines, on every instruction set") {
    for (const std::string law : {"hertz", "tsuji"}) {
        packing::Packing p = turning_drum(law);
        p.skin = 5e-5;
        const auto plain = packing::make_plain_packing_engine(p, 1e-7);
        const double start = energy_of(plain->totals());
        plain->advance(1500);
        REQUIRE(plain->neighbour_list_builds() > 1);
        const packing::PackingTotals b = plain->totals();
        const double scale = b.translational + b.rotational;
        CHECK(std::abs(b.external_work) > 1e-4 * scale);
        CHECK(b.dissipated_tangential > 1e-4 * scale);
        MESSAGE(law << ": energy error " << (energy_of(b) - start) / scale);
        // The error of the step: 3e-6 for hertz.
        CHECK_ABSOLUTE(energy_of(b), start, 1e-5 * scale);
        for (const simd::InstructionSet& set : simd::instruction_sets()) {
            const auto fast = packing::make_packing_engine(p, 1e-7, 1, set);
            fast->advance(1500);
            INFO(law, " ", set.name);
            Largest worst;
            for (std::size_t i = 0; i < p.particles(); ++i)
                worst.enter(size_of(fast->velocity()[i] - plain->velocity()[i]));
            CHECK_ABSOLUTE(worst, 0.0, 1e-8);
            const packing::PackingTotals a = fast->totals();
            CHECK_ABSOLUTE(a.external_work, b.external_work, 1e-9 * scale);
            CHECK_ABSOLUTE(a.dissipated_normal, b.dissipated_normal, 1e-9 * scale);
            CHECK_ABSOLUTE(a.dissipated_tangential, b.dissipated_tangential, 1e-9 * scale);
            CHECK_RELATIVE(fast->walls()[2].velocity.x, plain->walls()[2].velocity.x, 1e-8);
        }
    }
}

TEST_CASE("threads, interruptions and resumption change no bit at curved and turning walls") {
    packing::Packing p = turning_drum("ma-liu");
    // More blocks of particles, far away.
    add_crystal(p, {.lattice = packing::Lattice::simple_cubic,
                    .cells = {13, 13, 13},
                    .origin = {1.0, 1.0, 1.0},
                    .radius = steel_radius});
    p.skin = 5e-5;
    const auto one = packing::make_packing_engine(p, 1e-7, 1);
    one->advance(700);
    REQUIRE(one->neighbour_list_builds() > 0);
    for (const int threads : {2, 3}) {
        const auto more = packing::make_packing_engine(p, 1e-7, threads);
        more->advance(250);
        more->advance(1);
        const SavedPacking columns = saved(*more);
        const auto again = packing::make_packing_engine(p, 1e-7, threads);
        restore(*again, 251, columns);
        more->advance(449);
        again->advance(449);
        for (const auto* engine : {more.get(), again.get()}) {
            CHECK(engine->velocity() == one->velocity());
            CHECK(engine->angular_velocity() == one->angular_velocity());
            CHECK(engine->totals().external_work == one->totals().external_work);
            CHECK(engine->totals().dissipated_normal == one->totals().dissipated_normal);
            CHECK(engine->walls()[2].velocity == one->walls()[2].velocity);
        }
    }
}

}  // namespace beadwave::validation::curved_walls_test
