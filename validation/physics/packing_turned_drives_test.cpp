// Particles that a drive turns: cemented pairs that are twisted and bent, against the closed form
// of the bond, and the same in all engines.

#include "mixed_packings.hpp"
#include "normal_numbers.hpp"
#include "packing/elements/check_elements.hpp"
#include "packing/elements/element_stepper.hpp"
#include "packing/fast/fast_packing_engine.hpp"
#include "packing_engines.hpp"
#include "packings.hpp"
#include "relative.hpp"
#include "saved_packings.hpp"

#include <array>
#include <cmath>
#include <memory>
#include <numbers>
#include <utility>
#include <vector>

namespace beadwave::validation::packing_turned_drives_test {

using packing::Packing;
using packing::Vec3;
using stepping::Drive;

namespace {

constexpr double modulus = 2e9, ratio = 2.5, factor = 0.6;
constexpr double radius = steel_radius, length = 2.0 * radius;

struct Section {
    double area, inertia;
};
Section section() {
    const double r = factor * radius, area = std::numbers::pi * r * r;
    return {area, 0.25 * area * r * r};
}

std::array<Drive, 3> about(std::size_t axis, const Drive& angle) {
    std::array<Drive, 3> all{Drive::steady(0.0), Drive::steady(0.0), Drive::steady(0.0)};
    all[axis] = angle;
    return all;
}

void cement(Packing& p, std::size_t first, std::size_t second) {
    packing::Bond bond;
    bond.first = first, bond.second = second;
    bond.radius_factor = factor, bond.youngs_modulus = modulus, bond.stiffness_ratio = ratio;
    p.elements.bonds.push_back(bond);
}

/// A fixed sphere with one above it, cemented, that a drive holds and turns; free along z.
Packing cemented_pair(const std::array<Drive, 3>& turning) {
    Packing p = steel_packing();
    p.add(radius, steel_mass(radius), {});
    p.add(radius, steel_mass(radius), {0, 0, length});
    p.fixed = {true, false};
    cement(p, 0, 1);
    p.elements.motions = {
        {.along = {Drive::steady(0.0), Drive::steady(0.0), std::nullopt}, .turning = turning}};
    p.drive(1, 0);
    return p;
}

/// The motions that a drive may have, and their angles [rad], rates and accelerations at a time.
struct Turning {
    Drive drive;
    std::array<double, 3> (*at)(double);
};
const std::vector<Turning>& turnings() {
    constexpr static double size = 2e-3, w = 2.0 * std::numbers::pi * 150.0, speed = 0.7;
    static const std::vector<Turning> all{
        {Drive::sine(150.0, size),
         [](double t) {
             return std::array{size * std::sin(w * t), size * w * std::cos(w * t),
                               -size * w * w * std::sin(w * t)};
         }},
        {Drive::steady(speed),
         [](double t) {
             return std::array{speed * t, speed, 0.0};
         }},
        {Drive::with_velocities({0.0, 0.01}, {0.0, speed}), [](double t) {
             const double rate = speed / 0.01;
             return std::array{0.5 * rate * t * t, rate * t, rate};
         }}};
    return all;
}

/// A cemented row of spheres between a held end and one that is bent and twisted, with others
/// falling on it.
Packing bent_row() {
    Packing p = steel_packing("tsuji");
    p.species_list[0].elasticity.youngs_modulus = 1e8;
    p.friction = {.law = laws::FrictionLaw::mindlin, .coefficient = 0.4};
    p.rolling = {.coefficient = 0.02, .twisting_coefficient = 0.01};
    p.gravity = {0.0, 0.0, -9.81};
    for (int k = 0; k < 8; ++k)
        p.add(radius, steel_mass(radius), {length * k, 0.0, 0.0});
    std::uint64_t number = 0;
    for (int k = 0; k < 24; ++k) {
        p.add(0.8 * radius, steel_mass(0.8 * radius),
              Vec3{1.9 * radius * (k % 8), 0.3 * radius * (k % 3),
                   1.9 * radius + 1.7 * radius * (k / 8)});
        p.velocity.back() = 0.1 * Vec3{normal_number(5, number), normal_number(5, number + 1),
                                       normal_number(5, number + 2)};
        number += 3;
    }
    p.fixed.assign(p.particles(), false);
    p.fixed[0] = true;
    for (std::size_t k = 0; k < 7; ++k)
        cement(p, k, k + 1);
    std::array<Drive, 3> turning = about(0, Drive::sine(300.0, 0.05));
    turning[1] = Drive::with_velocities({0.0, 2e-3, 4e-3}, {0.0, 40.0, 0.0});
    p.elements.motions = {
        {.along = {std::nullopt, Drive::steady(0.0), Drive::steady(0.0)}, .turning = turning}};
    p.drive(7, 0);
    p.walls.push_back({.shape = packing::Plane{.point = {0, 0, -1.02 * radius}}});
    return p;
}

}  // namespace

TEST_CASE("a cemented pair that is twisted needs the torque of its cement and of the inertia") {
    // k_t = G J / l with G = E / ratio, J = 2 I. The drive gives I_s alpha + k_t theta, and what it
    // gives is stored and kinetic energy.
    const double stiffness = modulus / ratio * 2.0 * section().inertia / length;
    for (const Turning& turning : turnings()) {
        const Packing p = cemented_pair(about(2, turning.drive));
        CHECK(p.angular_velocity[1].z == turning.at(0.0)[1]);
        for (const EngineMaker& make : engine_makers) {
            constexpr double dt = 1e-7;
            const auto engine = make(p, dt);
            const double start = energy_of(engine->totals());
            for (int look = 1; look <= 5; ++look) {
                engine->advance(9'000);
                const auto [angle, rate, acceleration] = turning.at(9'000 * look * dt);
                const double torque = p.inertia[1] * acceleration + stiffness * angle;
                const Vec3 found = engine->drive_torques()[0];
                CHECK_RELATIVE(found.z, torque, 1e-7);
                CHECK(std::hypot(found.x, found.y) < 1e-12 * std::abs(torque));
                CHECK_RELATIVE(engine->angular_velocity()[1].z, rate, 1e-12);
                const packing::PackingTotals t = engine->totals();
                CHECK_RELATIVE(t.stored_elements, 0.5 * stiffness * angle * angle, 1e-9);
                CHECK_RELATIVE(t.external_work, energy_of(t) - start + t.external_work, 1e-6);
                CHECK_RELATIVE(t.rotational, 0.5 * p.inertia[1] * rate * rate, 1e-12);
                // The cement has no force, and the free axis does not move.
                CHECK(size_of(engine->drive_forces()[0]) < 1e-9);
                CHECK(size_of(engine->displacement()[1]) < 1e-15);
            }
        }
    }
}

TEST_CASE("a cemented pair that is bent needs the torque and the force of a short beam") {
    // The upper end turns by theta and stays in place: the moment E I theta / l bends the cement,
    // and the slip theta l / 2 between the ends shears it by k_s A theta l / 2, with k_s = G / l.
    // This force has the arm l / 2.
    const double shear = modulus / ratio / length * section().area * 0.5 * length;  // per angle
    const double stiffness = modulus * section().inertia / length + 0.5 * length * shear;
    for (const Turning& turning : turnings()) {
        for (const std::size_t axis : {0U, 1U}) {
            const Packing p = cemented_pair(about(axis, turning.drive));
            for (const EngineMaker& make : engine_makers) {
                constexpr double dt = 1e-7;
                const auto engine = make(p, dt);
                const double start = energy_of(engine->totals());
                engine->advance(14'000);
                const auto [angle, rate, acceleration] = turning.at(14'000 * dt);
                const double torque = p.inertia[1] * acceleration + stiffness * angle;
                const Vec3 found = engine->drive_torques()[0], force = engine->drive_forces()[0];
                // Turned to the left about x, the upper end would go along y with its lower half:
                // the drive pushes against that.
                CHECK_RELATIVE(axis == 0 ? found.x : found.y, torque, 1e-7);
                CHECK_RELATIVE(axis == 0 ? force.y : -force.x, shear * angle, 1e-7);
                const packing::PackingTotals t = engine->totals();
                CHECK_RELATIVE(t.stored_elements, 0.5 * stiffness * angle * angle, 1e-7);
                CHECK_ABSOLUTE(energy_of(t), start, 1e-6 * t.external_work);
                CHECK(t.external_work > 0.0);
                CHECK_RELATIVE(
                    axis == 0 ? engine->angular_velocity()[1].x : engine->angular_velocity()[1].y,
                    rate, 1e-12);
            }
        }
    }
}

TEST_CASE("drives that turn particles act alike in both engines, on every instruction set") {
    const Packing p = bent_row();
    constexpr double dt = 2e-7;
    const auto plain = packing::make_plain_packing_engine(p, dt);
    const double start = energy_of(plain->totals());
    plain->advance(15'000);
    const packing::PackingTotals b = plain->totals();
    const double scale = b.translational + b.rotational + b.stored_elements;
    CHECK_ABSOLUTE(energy_of(b), start, 1e-6 * scale);
    CHECK(plain->neighbour_list_builds() > 1);
    CHECK(b.dissipated_tangential > 0.0);
    CHECK(b.external_work > 0.5 * scale);
    CHECK(size_of(plain->drive_torques()[0]) > 0.0);
    for (const simd::InstructionSet& set : simd::instruction_sets()) {
        INFO(set.name);
        const auto fast = packing::make_packing_engine(p, dt, 1, set);
        const auto mixed = packing::make_packing_engine(in_mixed_precision(p), dt, 1, set);
        for (const auto& [engine, bound] :
             {std::pair{fast.get(), 1e-7}, std::pair{mixed.get(), 1e-3}}) {
            engine->advance(15'000);
            const packing::PackingTotals a = engine->totals();
            CHECK_ABSOLUTE(energy_of(a), energy_of(b), bound * scale);
            CHECK_ABSOLUTE(a.external_work, b.external_work, bound * scale);
            CHECK_ABSOLUTE(largest_difference(engine->velocity(), plain->velocity()), 0.0, bound);
            CHECK_ABSOLUTE(
                largest_difference(engine->angular_velocity(), plain->angular_velocity()), 0.0,
                bound);
            CHECK_ABSOLUTE(largest_difference(engine->drive_torques(), plain->drive_torques()), 0.0,
                           bound);
        }
    }
}

TEST_CASE("threads, interruptions and resumption change no bit of drives that turn particles") {
    Packing p = bent_row();
    // More blocks of particles, far away.
    add_crystal(p, {.lattice = packing::Lattice::simple_cubic,
                    .cells = {11, 11, 11},
                    .origin = {1.0, 1.0, 1.0},
                    .radius = steel_radius});
    for (const auto precision : {packing::Precision::full, packing::Precision::mixed}) {
        p.precision = precision;
        const auto one = packing::make_packing_engine(p, 1e-6, 1);
        one->advance(600);
        REQUIRE(one->neighbour_list_builds() > 0);
        const auto more = packing::make_packing_engine(p, 1e-6, 3);
        for (const int steps : {250, 1})
            more->advance(steps);
        const auto again = packing::make_packing_engine(p, 1e-6, 2);
        restore(*again, 251, saved(*more));
        CHECK(again->drive_torques() == more->drive_torques());
        more->advance(349);
        again->advance(349);
        for (const auto* engine : {more.get(), again.get()}) {
            CHECK(saved(*engine) == saved(*one));
            CHECK(engine->drive_torques() == one->drive_torques());
            CHECK(engine->totals().external_work == one->totals().external_work);
        }
    }
    const Packing few = bent_row();
    const auto whole = packing::make_plain_packing_engine(few, 1e-6);
    whole->advance(700);
    const auto again = packing::make_plain_packing_engine(few, 1e-6);
    restore(*again, 700, saved(*whole));
    whole->advance(700);
    again->advance(700);
    CHECK(saved(*again) == saved(*whole));
}

TEST_CASE("a turned particle keeps its rotation when velocities are set from outside") {
    const Packing p = cemented_pair(about(2, Drive::steady(3.0)));
    for (const EngineMaker& make : engine_makers) {
        const auto engine = make(p, 1e-7);
        engine->advance(100);
        const double energy = energy_of(engine->totals());
        engine->set_velocities(1, {0.0, 0.0, 0.0}, {1.0, 2.0, 40.0});
        CHECK(engine->angular_velocity()[1] == Vec3{0.0, 0.0, 3.0});
        engine->advance(100);
        CHECK_RELATIVE(engine->angular_velocity()[1].z, 3.0, 1e-12);
        CHECK_ABSOLUTE(energy_of(engine->totals()), energy, 1e-6 * engine->totals().external_work);
    }
}

TEST_CASE("drives that cannot turn a particle are refused") {
    Packing p = cemented_pair(about(2, Drive::steady(3.0)));
    CHECK(validate(p).empty());
    p.angular_velocity[1] = {0.0, 0.0, 2.0};
    CHECK(packing::fault_of_drive(p, 1, p.elements.motions[0]) ==
          "particle 1 rotates at the start; a driven particle turns as its drive says");
    p.angular_velocity[1] = {0.0, 0.0, 3.0};
    p.elements.motions[0].rotates = true;
    CHECK(validate(p) ==
          "drive 0: turns as prescribed, and is free to rotate; expected one of the two");
    p.elements.motions[0].rotates = false;
    p.place = packing::Place::twin;
    CHECK(validate(p) ==
          "device: devices do not have elements (springs, masses inside, drives, bonds) yet; "
          "without `device` the packing runs on the processor's cores");
}

}  // namespace beadwave::validation::packing_turned_drives_test
