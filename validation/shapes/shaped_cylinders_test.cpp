// Superellipsoids in cylinders and around them: where they touch, what they keep, and how they lie.

#include "largest.hpp"
#include "packing/shaped/shaped_surface.hpp"
#include "packings.hpp"
#include "relative.hpp"
#include "sanitised.hpp"
#include "saved_packings.hpp"
#include "shaped_packings.hpp"
#include "superellipsoid_shapes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <vector>

namespace beadwave::validation::shaped_cylinders_test {
namespace {

using packing::Packing;
using packing::Revolved;
using packing::SurfaceFacing;
using packing::Vec3;
using shapes::Superellipsoid;

constexpr double pi = std::numbers::pi;
const Vec3 axis{0.0, 0.0, 1.0};

SurfaceFacing facing(const Superellipsoid& body, double radius) {
    return packing::facing_of_cylinder(body, Revolved::cylinder({}, axis, radius));
}

double from_axis(const Superellipsoid& body, const Vec3& way) {
    const Vec3 p = body.centre + surface_point(body, way);
    return std::hypot(p.x, p.y);
}

/// The largest and the least distance from the axis of many points of the surface.
std::array<double, 2> searched(const Superellipsoid& body) {
    constexpr int around = 1600, down = 800;
    double least = 1.0, most = 0.0;
    for (int i = 0; i <= down; ++i) {
        for (int k = 0; k < around; ++k) {
            const double polar = pi * i / down, angle = 2.0 * pi * k / around;
            const double r = from_axis(body, {std::sin(polar) * std::cos(angle),
                                              std::sin(polar) * std::sin(angle), std::cos(polar)});
            least = std::min(least, r);
            most = std::max(most, r);
        }
    }
    return {least, most};
}

/// Rounded cubes and lenses that fly about without losses between two floors in a drum. `flat`:
/// part of how much their exponents are above 2.
Packing flying(double flat, double speed) {
    Packing p = shaped_packing(1e7);
    RandomNumbers random(6);
    for (int k = 0; k < 4; ++k) {
        const double above[] = {2.0, 4.0, 1.0, 6.0};
        const Superellipsoid shape(
            {.semi_axes = {random.between(1.2e-3, 2e-3), random.between(1.2e-3, 2e-3), 1.4e-3},
             .centre = {0.0, 0.0, 6e-3 * k},
             .orientation = random.rotation()},
            {.plane = 2.0 + flat * above[k], .axis = 2.0 + flat * above[(k + 1) % 4]});
        add_body(p, shapes::solid(shape, 2500.0));
        p.velocity.back() = speed * random.direction();
        p.angular_velocity.back() = 200.0 * random.direction();
    }
    p.walls.push_back({.shape = Revolved::cylinder({}, axis, 8e-3)});
    p.walls.push_back({.shape = packing::Plane{{0, 0, -4e-3}, {0, 0, 1}}});
    p.walls.push_back({.shape = packing::Plane{{0, 0, 22e-3}, {0, 0, -1}}});
    return p;
}

}  // namespace

TEST_CASE("a superellipsoid in a cylinder touches where it is farthest from the axis") {
    RandomNumbers random(21);
    constexpr double radius = 9e-3, overlap = 5e-5;
    for (int k = 0; k < 6; ++k) {
        Superellipsoid body = random_superellipsoid(random, 2.0);
        body.centre = {random.between(3e-3, 6e-3), random.between(-1e-3, 1e-3), 0.4e-3};
        const auto [least, most] = searched(body);
        const SurfaceFacing inside = facing(body, most - overlap);
        REQUIRE(inside.found);
        // The points that are searched are 2 mrad apart, on surfaces that bend at a tenth of their
        // size: none is farther than the right one.
        CHECK(inside.overlap > overlap - 1e-12);
        CHECK(inside.overlap < overlap + 2e-8);
        CHECK_ABSOLUTE(dot(inside.normal, axis), 0.0, 1e-15);
        CHECK(facing(body, 1.5 * radius).found == false);
        const SurfaceFacing outside = facing(body, least + overlap);
        REQUIRE(outside.found);
        CHECK(outside.overlap > overlap - 1e-12);
        CHECK(outside.overlap < overlap + 2e-8);
        // The arm ends on the wall.
        const Vec3 at = body.centre + outside.arm;
        CHECK_RELATIVE(std::hypot(at.x, at.y), least + overlap, 1e-9);
    }
}

TEST_CASE("a rounded cube lies in a cylinder on two edges, with the least reach between them") {
    constexpr double radius = 20e-3;
    std::size_t several = 0, with_least = 0;
    for (const double exponent : {2.5, 4.0, 8.0}) {
        for (const double turned : {0.0, 0.001, 0.004}) {
            for (const double deep : {1e-5, 3e-5, 8e-5}) {
                Superellipsoid body(
                    {.semi_axes = {1.5e-3, 1.4e-3, 1.2e-3},
                     .centre = {},
                     .orientation = {std::cos(0.5 * turned), 0.0, 0.0, std::sin(0.5 * turned)}},
                    {.plane = exponent, .axis = exponent});
                body.centre = {radius - 1.5e-3, 1e-5, 0.7e-3};
                // The section across the axis is the shadow.
                constexpr int count = 200'000;
                const auto reach = [&](int k) {
                    const double angle = 2.0 * pi * (k + 0.3) / count;
                    return from_axis(body, {std::cos(angle), std::sin(angle), 0.0});
                };
                double most = 0.0;
                for (int k = 0; k < count; ++k)
                    most = std::max(most, reach(k));
                const double wall = most - deep;
                std::vector<double> largest, least;
                for (int k = -count / 8; k < count / 8; ++k) {
                    const double before = reach(k - 1), at = reach(k), after = reach(k + 1);
                    if (!(at > wall)) continue;
                    if (at > before && at >= after) largest.push_back(at - wall);
                    if (at < before && at <= after) least.push_back(at - wall);
                }
                const SurfaceFacing found = facing(body, wall);
                REQUIRE(found.found);
                std::vector<double> found_largest{found.overlap}, found_least;
                for (const packing::PointOnWall& each : found.beside)
                    (each.sign > 0.0 ? found_largest : found_least).push_back(each.overlap);
                REQUIRE(found_largest.size() == largest.size());
                REQUIRE(found_least.size() == least.size());
                for (auto* all : {&largest, &found_largest})
                    std::ranges::sort(*all);
                for (std::size_t k = 0; k < largest.size(); ++k)
                    CHECK_ABSOLUTE(found_largest[k], largest[k], 1e-11);
                for (std::size_t k = 0; k < least.size(); ++k)
                    CHECK_ABSOLUTE(found_least[k], least[k], 1e-11);
                several += largest.size() > 1 ? 1 : 0;
                with_least += least.empty() ? 0 : 1;
            }
        }
    }
    CHECK(several > 5);
    CHECK(with_least > 2);
}

TEST_CASE("superellipsoids in a drum keep their energy" * doctest::skip(sanitised)) {
    const Packing p = flying(0.25, 8.0);
    CHECK(packing::validate(p).empty());
    const auto engine = packing::make_packing_engine(p, 1e-7, 1);
    const double start = energy_of(engine->totals());
    int met = 0;
    std::size_t closed = 0;
    Largest error;
    for (int s = 0; s < 1'000'000 && met < 30; s += 10) {
        engine->advance(10);
        const std::size_t now = engine->closed_contacts();
        met += now > closed ? static_cast<int>(now - closed) : 0;
        closed = now;
        // Within a contact the energy of velocity Verlet swings with the square of the step.
        if (closed == 0) error.enter(std::abs(energy_of(engine->totals()) - start) / start);
    }
    MESSAGE(met, " contacts, ", double(error));
    CHECK(met >= 30);
    // Flat places swing faster than steps resolve, on planes too: the next test.
    CHECK(error < 1e-5);
}

TEST_CASE("a rounded cube that drops flat keeps its energy in a cylinder as on a plane" *
          doctest::skip(sanitised)) {
    struct Case {
        double exponent, step, error;
    };
    for (const auto& [exponent, dt, most] : {Case{4.0, 4e-7, 2e-5}, Case{4.0, 1e-7, 1e-6},
                                             Case{8.0, 4e-7, 3e-3}, Case{8.0, 1e-7, 4e-4}}) {
        std::array<double, 2> worst{};
        for (int tilt = 0; tilt < 4; ++tilt) {
            for (const std::size_t plane : {0, 1}) {
                Packing p = shaped_packing(1e9);
                const Superellipsoid shape(
                    {.semi_axes = {2e-3, 1.5e-3, 1.8e-3},
                     .centre = {17.9e-3, 0.02e-3, 0.0},
                     .orientation = shapes::normalised({1.0, 0.003, 0.002, 0.0003 + 0.002 * tilt})},
                    {.plane = exponent, .axis = exponent});
                add_body(p, shapes::solid(shape, 2500.0));
                p.velocity[0] = {0.5, 0.0, 0.01};
                p.walls.emplace_back();
                p.walls[0].shape = Revolved::cylinder({}, axis, 20e-3);
                if (plane == 1) p.walls[0].shape = packing::Plane{{20e-3, 0, 0}, {-1, 0, 0}};
                const auto engine = packing::make_packing_engine(p, dt, 1);
                const double start = energy_of(engine->totals());
                advance_until_apart(*engine, 20'000);
                const double error = std::abs(energy_of(engine->totals()) / start - 1.0);
                worst[plane] = std::max(worst[plane], error);
            }
        }
        MESSAGE("exponent ", exponent, ", step ", dt, ": cylinder ", worst[0], ", plane ",
                worst[1]);
        CHECK(worst[0] < 1.5 * worst[1]);
        CHECK(worst[0] < most);
    }
}

// Dashpots pull before the gap opens. A body that slides so fast that its spring is at the limit at
// once loses mu times what pushes it, and nothing to what pulls.
TEST_CASE("friction in a cylinder has no limit to reach while a contact pulls") {
    constexpr double mu = 0.05, dt = 2e-8, speed = 0.5;
    for (const bool plane : {true, false}) {
        CAPTURE(plane);
        Packing p = shaped_packing(1e9, "kelvin-voigt");
        p.law = law_settings("kelvin-voigt", {{"restitution", 0.3}, {"impact_speed", speed}});
        p.friction = {.law = laws::FrictionLaw::mindlin, .coefficient = mu};
        const Superellipsoid shape(
            {.semi_axes = {2e-3, 1.5e-3, 1.8e-3}, .centre = {17.9e-3, 0.0, 0.0}},
            {.plane = 4.0, .axis = 4.0});
        add_body(p, shapes::solid(shape, 2500.0));
        p.velocity[0] = {speed, 0.0, 100.0 * speed};
        p.walls.emplace_back();
        p.walls[0].shape = Revolved::cylinder({}, axis, 20e-3);
        if (plane) p.walls[0].shape = packing::Plane{{20e-3, 0, 0}, {-1, 0, 0}};
        const auto engine = packing::make_packing_engine(p, dt, 1);
        const double before = engine->totals().momentum.z;
        double push = 0.0, pull = 0.0;
        for (bool touched = false; !touched || engine->closed_contacts() > 0;) {
            engine->advance(1);
            for (const packing::ContactState& c : engine->contacts()) {
                touched = true;
                (c.normal_force.x < 0.0 ? push : pull) += dt * std::abs(c.normal_force.x);
            }
            REQUIRE(engine->step() < 200'000);
        }
        CHECK(pull > 0.05 * push);
        // The force jumps as the contact closes: the sum knows its time to a step of some thousand.
        CHECK_RELATIVE(before - engine->totals().momentum.z, mu * push, 1e-2);
    }
}

// The sum of the forces at all points bounds friction, not their resultant: a body that is jammed
// across a tube does not fall out of it, and on two edges in an inclined tube it slides only where
// the slope is above mu over the cosine of the angle between the edges' normals and the vertical.
TEST_CASE("a superellipsoid that is jammed in a tube is held by friction") {
    const auto fallen = [](double coefficient) {
        Packing p = shaped_packing(1e9, "tsuji");
        p.law = law_settings("tsuji", {{"restitution", 0.3}});
        p.friction = {.law = laws::FrictionLaw::mindlin, .coefficient = coefficient};
        const Superellipsoid shape({.semi_axes = {3e-3, 1.5e-3, 1.5e-3}, .centre = {0.0, 0.0, 0.0}},
                                   {.plane = 4.0, .axis = 4.0});
        add_body(p, shapes::solid(shape, 2500.0));
        p.gravity = {0.0, 0.0, -9.81};
        p.walls.emplace_back();
        p.walls[0].shape = Revolved::cylinder({}, axis, 2.998e-3);
        constexpr double dt = 2e-7;
        const auto engine = packing::make_packing_engine(p, dt, 1);
        engine->advance(5'000);
        CHECK(!engine->first_non_finite());
        return engine->displacement()[0].z;
    };
    // 1 ms of free fall is 4.905e-6 m. The walls press with thousands of times the weight.
    CHECK_RELATIVE(fallen(0.0), -4.905e-6, 1e-3);
    CHECK(std::abs(fallen(0.5)) < 1e-8);
}

TEST_CASE("superellipsoids in a turning drum balance their ledger, and go on to the bit") {
    Packing p = flying(1.0, 1.0);
    p.law = law_settings("tsuji");
    p.friction = {.law = laws::FrictionLaw::mindlin, .coefficient = 0.4};
    p.rolling = {.coefficient = 0.02};
    p.gravity = {-9.81, 0.0, 0.0};
    p.walls[0].angular_velocity = 20.0;
    CHECK(packing::validate(p).empty());
    constexpr double dt = 4e-7;
    const auto whole = packing::make_packing_engine(p, dt, 1);
    const double start = energy_of(whole->totals());
    whole->advance(20'000);
    const SavedPacking middle = saved(*whole);
    whole->advance(20'000);
    const packing::PackingTotals end = whole->totals();
    CHECK(end.dissipated_normal > 0.0);
    CHECK_ABSOLUTE(energy_of(end), start, 1e-4 * start);
    for (const int threads : {1, 3}) {
        const auto resumed = packing::make_packing_engine(p, dt, threads);
        restore(*resumed, 20'000, middle);
        resumed->advance(20'000);
        CHECK(saved(*resumed) == saved(*whole));
        CHECK(energy_of(resumed->totals()) == energy_of(end));
    }
}

}  // namespace beadwave::validation::shaped_cylinders_test
