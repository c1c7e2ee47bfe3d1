// Resistance to rolling and twisting of ellipsoids, superellipsoids and clumps: beside the plain
// engine of spheres, against closed forms, in ledgers, on triangles, after interruptions.
#include "clump_packings.hpp"
#include "dissipating_packings.hpp"
#include "largest.hpp"
#include "meshes.hpp"
#include "packing/step/time_step.hpp"
#include "packing/walls/mesh_images.hpp"
#include "packings.hpp"
#include "relative.hpp"
#include "sanitised.hpp"
#include "saved_packings.hpp"
#include "shape_rows.hpp"
#include "shaped_packings.hpp"

#include <cmath>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

namespace beadwave::validation::shaped_rolling_test {
namespace {

using packing::Packing;
using packing::Plane;
using packing::Vec3;

constexpr laws::Rolling rolls{
    .coefficient = 0.05, .twisting_coefficient = 0.03, .damping_ratio = 0.3};

/// Spheres that rub on a turning floor and on each other.
Packing spheres(const std::string& law) {
    RandomNumbers random(6);
    Packing p = shaped_packing(1e8, law);
    p.friction = {.law = laws::FrictionLaw::mindlin, .coefficient = 0.3};
    p.rolling = rolls;
    p.gravity = {0.0, 0.5, -9.81};
    p.walls.push_back({.velocity = {0.3, 0.0, 0.1}, .angular_velocity = 40.0});
    p.walls.push_back({.shape = Plane{{0.0, 0.0, 8.6e-3}, {0.0, 0.0, -1.0}},
                       .drive = stepping::Drive::sine(300.0, 0.2e-3)});
    p.box = {.lower = {}, .upper = {8.1e-3, 8.1e-3, 0.0}, .periodic = {true, true, false}};
    for (int i = 0; i < 8; ++i) {
        const double r = 2e-3 * random.between(0.9, 1.0);
        p.add(r, 2500.0 * 4.18879 * r * r * r,
              Vec3{2.0 + 4.05 * (i % 2), 2.0 + 4.05 * (i / 2 % 2), 2.1 + 4.1 * (i / 4)} * 1e-3);
        p.velocity.back() = random.direction() + Vec3{0.0, 0.0, -0.5};
        p.angular_velocity.back() = 300.0 * random.direction();
    }
    return p;
}

TEST_CASE("spheres as ellipsoids and as clumps of one roll and twist as in the plain engine") {
    RandomNumbers random(2);
    for (const std::string law : {"hertz", "tsuji"}) {
        for (const bool clumps : {false, true}) {
            const Packing p = spheres(law);
            Packing same = p;
            for (const double r : p.radius) {
                same.semi_axes.push_back({r, r, r});
                same.orientation.push_back(random.rotation());
                if (!clumps) continue;
                const shapes::Ball ball[] = {{{1e-3, 2e-3, 0.0}, r}};
                same.clumps.push_back(shapes::make_clump(ball));
            }
            REQUIRE(packing::validate(same).empty());
            const auto plain =
                packing::make_plain_packing_engine(p, 5e-7, packing::ContactRecords::dissipation);
            const auto shaped = packing::make_packing_engine(same, 5e-7, 1, nullptr,
                                                             packing::ContactRecords::dissipation);
            plain->advance(8000);
            shaped->advance(8000);
            const packing::PackingTotals a = shaped->totals(), b = plain->totals();
            const double speed = largest_difference(shaped->velocity(), plain->velocity()),
                         spin = largest_difference(shaped->angular_velocity(),
                                                   plain->angular_velocity());
            MESSAGE(law, ": ", speed, " ", spin, " ", b.dissipated_rolling);
            CHECK(b.dissipated_rolling > 1e-7);
            // Rounding, which collisions enlarge.
            CHECK(speed < 1e-10);
            CHECK(spin < 1e-10);
            CHECK_RELATIVE(a.dissipated_rolling, b.dissipated_rolling, 1e-9);
            const packing::DissipationParts one = sum_of(*shaped), two = sum_of(*plain);
            CHECK(two.twisting > 1e-8);
            CHECK_RELATIVE(one.rolling, two.rolling, 1e-9);
            CHECK_RELATIVE(one.twisting, two.twisting, 1e-9);
        }
    }
}

TEST_CASE("springs that resist rolling limit the time step of shapes as that of spheres") {
    // So heavy a dashpot that it alone limits the step.
    Packing p = shaped_packing(1e8, "hertz");
    p.friction = {.law = laws::FrictionLaw::mindlin, .coefficient = 0.3};
    p.rolling = {.coefficient = 0.1, .twisting_coefficient = 0.1, .damping_ratio = 20.0};
    p.walls.push_back({});
    for (const double x : {0.0, 1.0}) {
        p.add(2e-3, 1e-4, {5e-3 * x, 0.0, 3e-3});
        p.velocity.back() = {1.0 - 2.0 * x, 0.0, -1.0};
    }
    Packing same = p, smooth = p;
    smooth.rolling = {};
    for (const double r : p.radius) {
        same.semi_axes.push_back({r, r, r});
        same.orientation.emplace_back();
    }
    const stepping::StepRequest request{.end = 1e-3, .interval = 1e-3};
    const double plain = packing::choose_time_step(p, request).step;
    // The largest speed of shapes is estimated up to twice as large, of which the fifth root
    // counts.
    const double shaped = packing::choose_time_step(same, request).step;
    CHECK(shaped < 1.0001 * plain);
    CHECK(shaped > 0.85 * plain);
    CHECK(plain < 0.5 * packing::choose_time_step(smooth, request).step);
    // A flat spheroid has the radius 4 c on its pole, and turns more easily.
    same.semi_axes.assign(2, {2e-3, 2e-3, 1e-3});
    CHECK(packing::choose_time_step(same, request).step < shaped);
}

/// The radius of the sphere on a flat that is as stiff as a body with these radii of curvature on
/// it, for `larger` above `smaller` [m]: Hertz's ellipse by elliptic integrals. With A the half of
/// the curvature along its longer axis and e its eccentricity,
///     B/A = ((a/b)^2 E - K)/(K - E),     sqrt(R) = pi/(2 K) sqrt((K - E)/(A e^2 K)).
double stiff_radius(double larger, double smaller) {
    const double half = 0.5 / larger, ratio = larger / smaller;
    double low = 1e-6, high = 1.0 - 1e-12;
    for (int i = 0; i < 200; ++i) {
        const double e = 0.5 * (low + high);
        const double k = std::comp_ellint_1(e), m = std::comp_ellint_2(e);
        ((m / (1.0 - e * e) - k) / (k - m) < ratio ? low : high) = e;
    }
    const double k = std::comp_ellint_1(low), m = std::comp_ellint_2(low);
    const double root = std::numbers::pi / (2.0 * k) * std::sqrt((k - m) / (half * low * low * k));
    return root * root;
}

/// A soft spheroid that rests on a floor, its axis of revolution along y or z.
Packing resting(const Vec3& axes) {
    Packing p = shaped_packing(1e7, "tsuji");
    p.law = law_settings("tsuji", {{"restitution", 0.3}});
    p.friction = {
        .law = laws::FrictionLaw::linear, .coefficient = 0.5, .stiffness = 1e3, .damping = 0.5};
    p.rolling = rolls;
    p.gravity = {0.0, 0.0, -9.81};
    add_body(p, shapes::solid({.semi_axes = axes, .centre = {0.0, 0.0, axes.z - 5e-6}}, 2500.0));
    p.walls.push_back({});
    return p;
}

TEST_CASE("a spheroid that rolls, and one that spins, slow down by the radius of their contact") {
    // About the point of contact, at the distance r = a - overlap: (m + I/r^2) dv/dt = -M/r with
    // M = mu_r R m g. About the normal I dw/dt = -mu_t R m g.
    constexpr double g = 9.81, dt = 4e-6;
    const double radius = 1.5e-3;
    const auto change = [&](const Packing& p, auto number) {
        REQUIRE(packing::validate(p).empty());
        const auto engine = packing::make_packing_engine(p, dt, 1);
        engine->advance(7500);
        const double before = number(*engine);
        engine->advance(5000);
        return (number(*engine) - before) / (5000 * dt);
    };
    // Twice as long as thick, on its side.
    Packing rolling = resting({radius, 2.0 * radius, radius});
    rolling.velocity[0] = {0.5, 0.0, 0.0};
    rolling.angular_velocity[0] = {0.0, 0.5 / radius, 0.0};
    const double m = rolling.mass[0], inertia = 0.4 * m * radius * radius;
    const double arm = stiff_radius(4.0 * radius, radius);
    CHECK_RELATIVE(stiff_radius(1.0001e-3, 1e-3), 1.00005e-3, 1e-6);
    CHECK(arm > 1.05 * 2.0 * radius);  // above the geometric mean of the radii
    const double slows =
        change(rolling, [](const packing::PackingEngine& e) { return e.velocity()[0].x; });
    const double r = radius - 4e-6;  // the overlap, within a few micrometres
    CHECK_RELATIVE(slows, -0.05 * arm * m * g / r / (m + inertia / (r * r)), 2e-3);
    // A flat one spins on its pole.
    Packing spinning = resting({radius, radius, 0.5 * radius});
    spinning.angular_velocity[0] = {0.0, 0.0, 300.0};
    const double pole = 2.0 * radius;  // a^2/c
    const double mass = spinning.mass[0];
    const double turns =
        change(spinning, [](const packing::PackingEngine& e) { return e.angular_velocity()[0].z; });
    CHECK_RELATIVE(turns, -0.03 * pole * mass * g / (0.4 * mass * radius * radius), 1e-4);
}

TEST_CASE("a clump of two rolls on both of its balls") {
    // A dumbbell on its side: each ball carries half of the weight with an arm of its radius.
    constexpr double g = 9.81, dt = 4e-6, radius = 1.5e-3;
    Packing p = resting({radius, radius, radius});
    p = shaped_packing(1e7, "tsuji");
    p.law = law_settings("tsuji", {{"restitution", 0.3}});
    p.friction = {
        .law = laws::FrictionLaw::linear, .coefficient = 0.5, .stiffness = 1e3, .damping = 0.5};
    p.rolling = rolls;
    p.gravity = {0.0, 0.0, -g};
    p.walls.push_back({.shape = mesh_of(plate({-0.05, -0.05, 0}, {0.1, 0, 0}, {0, 0.1, 0}, 5))});
    const shapes::Ball balls[] = {{{0.0, -2e-3, 0.0}, radius}, {{0.0, 2e-3, 0.0}, radius}};
    add_clump(p, shapes::make_clump(balls), 2500.0, {0.0, 0.0, radius - 4e-6});
    p.velocity[0] = {0.5, 0.0, 0.0};
    p.angular_velocity[0] = {0.0, 0.5 / radius, 0.0};
    const auto engine = packing::make_packing_engine(p, dt, 1);
    engine->advance(7500);
    const double before = engine->velocity()[0].x;
    engine->advance(5000);
    CHECK(engine->closed_contacts() == 2);
    const double slows = (engine->velocity()[0].x - before) / (5000 * dt);
    const double m = p.mass[0], inertia = 0.4 * m * radius * radius, r = radius - 3e-6;
    CHECK_RELATIVE(slows, -0.05 * radius * m * g / r / (m + inertia / (r * r)), 2e-3);
}

/// Ellipsoids, superellipsoids and dumbbells in a periodic box.
Packing mixture(bool triangles) {
    RandomNumbers random(12);
    Packing p = shaped_packing(1e7, "tsuji");
    p.friction = {.law = laws::FrictionLaw::mindlin, .coefficient = 0.4};
    p.rolling = rolls;
    constexpr double pitch = 4.2e-3;
    for (int i = 0; i < 18; ++i) {
        const Vec3 at = pitch * Vec3{0.5 + i % 3, 0.5 + i / 3 % 3, 0.55 + i / 9};
        if (i % 3 == 0) {
            add_clump(p, dumbbell(1.2e-3, 1.5e-3), 2500.0, at, random.rotation());
        } else {
            shapes::Superellipsoid shape = shapes::Ellipsoid{.semi_axes = {1.4e-3, 1.1e-3, 1.2e-3},
                                                             .centre = at,
                                                             .orientation = random.rotation()};
            if (i % 3 == 1) shape.exponents = {.plane = 3.0, .axis = 2.5};
            p.exponents.resize(p.particles());
            add_body(p, shapes::solid(shape, 2500.0));
        }
        p.velocity.back() = 0.4 * random.direction() + Vec3{0.0, 0.0, -0.4};
        p.angular_velocity.back() = 100.0 * random.direction();
    }
    p.clumps.resize(p.particles());
    p.exponents.resize(p.particles());
    p.box = {.lower = {}, .upper = 3.0 * pitch * Vec3{1, 1, 1}, .periodic = {true, true, true}};
    if (!triangles) {
        p.box.strain =
            packing::Straining{.rate = {-20.0, -10.0, -25.0}, .shear_rate = {40.0, 0.0, 20.0}};
        return p;
    }
    p.box.periodic = {true, true, false};
    p.gravity = {0.0, 0.0, -30.0};
    const double width = 3.0 * pitch;
    p.walls.push_back(
        {.shape = mesh_of(
             packing::with_images(plate({0, 0, 0}, {width, 0, 0}, {0, width, 0}, 7), p.box, 0.2),
             {}, 0.2)});
    p.walls.push_back({.shape = Plane{{0.0, 0.0, 2.3 * pitch}, {0.0, 0.0, -1.0}},
                       .drive = stepping::Drive::sine(100.0, 1e-3)});
    return p;
}

TEST_CASE("rolling in boxes that strain and on triangles: ledger, contacts, interruption" *
          doctest::skip(sanitised)) {
    for (const bool triangles : {false, true}) {
        CAPTURE(triangles);
        const Packing p = mixture(triangles);
        REQUIRE(packing::validate(p) == "");
        const auto engine_of = [&](int threads) {
            return packing::make_packing_engine(p, 4e-6, threads, nullptr,
                                                packing::ContactRecords::dissipation);
        };
        const auto whole = engine_of(1), shared = engine_of(2);
        const double start = energy_of(whole->totals());
        Largest scale;
        SavedPacking half;
        for (int part = 0; part < 8; ++part) {
            whole->advance(250);
            scale.enter(scale_of(whole->totals()));
            check_sum(*whole, scale);
            if (part == 5) half = saved(*whole);
        }
        const packing::PackingTotals t = whole->totals();
        MESSAGE("balance ", (energy_of(t) - start) / double(scale), " ",
                t.dissipated_rolling / double(scale));
        CHECK(std::abs(energy_of(t) - start) < 2e-3 * scale);
        CHECK(t.dissipated_rolling > 1e-3 * scale);
        const auto rest = engine_of(1);
        restore(*rest, 1500, half);
        CHECK(saved(*rest) == half);
        rest->advance(500);
        shared->advance(2000);
        CHECK(saved(*rest) == saved(*whole));
        CHECK(saved(*shared) == saved(*whole));
    }
}

}  // namespace
}  // namespace beadwave::validation::shaped_rolling_test
