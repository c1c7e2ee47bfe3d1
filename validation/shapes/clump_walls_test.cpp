// Clumps on plane walls: rigid impacts of a table, a plain integration, a clump that is a sphere,
// and walls that move or have a mass.
#include "beadwave/laws/hertz.hpp"
#include "clump_packings.hpp"
#include "largest.hpp"
#include "packings.hpp"
#include "relative.hpp"
#include "sanitised.hpp"
#include "shape_rows.hpp"
#include "shaped_packings.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

namespace beadwave::validation::clump_walls_test {
namespace {

using packing::make_packing_engine;
using packing::Packing;
using packing::Vec3;

constexpr double degree = std::numbers::pi / 180.0;

struct Rebound {
    double speed, spin;  ///< upwards [m/s]; raises the angle [rad/s]
    int strikes;
};

Rebound rebound_of(const Row& row, double modulus, double dt) {
    const double radius = number(row, "radius_m"), distance = number(row, "distance_m"),
                 angle = number(row, "angle_deg") * degree, e = number(row, "restitution");
    Packing p = shaped_packing(modulus);
    p.law = e < 1.0 ? law_settings("exact", {{"restitution", e},
                                             {"impact_speed", std::string("per-contact")}})
                    : law_settings("hertz");
    p.walls.push_back({});
    add_clump(p, dumbbell(radius, distance), 2500.0,
              {0.0, 0.0, radius + 0.5 * distance * std::sin(angle)}, raised(angle));
    p.velocity[0] = {0.0, 0.0, number(row, "vz")};
    p.angular_velocity[0] = {0.0, -number(row, "omega"), 0.0};
    const auto engine = make_packing_engine(p, dt, 1);
    int strikes = 0;
    bool touched = false;
    // Until well after the last strike.
    for (int s = 0; s < static_cast<int>(2e-3 / dt); ++s) {
        engine->advance(1);
        const bool touches = engine->closed_contacts() > 0;
        strikes += touches && !touched ? 1 : 0;
        touched = touches;
    }
    CHECK_RELATIVE(p.mass[0], number(row, "mass_kg"), 1e-12);
    CHECK_RELATIVE(p.mass[0] * p.clumps[0]->inertia.y, number(row, "I_kgm2"), 1e-12);
    return {engine->velocity()[0].z, -engine->angular_velocity()[0].y, strikes};
}

TEST_CASE("a dumbbell rebounds from a wall as a rigid one does, the nearer the stiffer it is" *
          doctest::skip(sanitised)) {
    for (const Row& row : table("shapes/dumbbell_wall.csv")) {
        std::array<double, 3> error{};
        const std::array<double, 3> modulus{1e9, 1e11, 1e13}, step{4e-7, 6e-8, 1e-8};
        for (std::size_t k = 0; k < 3; ++k) {
            const Rebound r = rebound_of(row, modulus[k], step[k]);
            const double size = std::abs(number(row, "vz"));
            error[k] = std::max(
                std::abs(r.speed - number(row, "vz_final")) / size,
                std::abs(r.spin - number(row, "omega_final")) * number(row, "distance_m") / size);
            CHECK(r.strikes == static_cast<int>(number(row, "strikes")));
        }
        MESSAGE(row.at("case"), ": ", error[0], " ", error[1], " ", error[2]);
        // The duration of the impact goes with the modulus to the power -2/5: 1 : 6.3 : 40.
        CHECK(error[1] < error[0] / 4.0);
        CHECK(error[2] < error[1] / 4.0);
        CHECK(error[2] < 2e-3);
    }
}

/// A dumbbell in the plane of x and z above the wall z = 0: Hertz's force on each ball, gravity.
struct PlainDumbbell {
    double radius, half, mass, inertia, stiffness, gravity;

    using State = std::array<double, 4>;  ///< height, angle, and their rates

    State rate_of(const State& s) const {
        State rate{s[2], s[3], -gravity, 0.0};
        for (const double side : {-1.0, 1.0}) {
            const double height = s[0] + side * half * std::sin(s[1]);
            const double force = stiffness * std::pow(std::max(0.0, radius - height), 1.5);
            rate[2] += force / mass;
            rate[3] += force * side * half * std::cos(s[1]) / inertia;
        }
        return rate;
    }
    State after(State s, double time, int steps) const {
        const double dt = time / steps;
        const auto moved = [](const State& a, double by, const State& rate) {
            State next = a;
            for (std::size_t k = 0; k < 4; ++k)
                next[k] += by * rate[k];
            return next;
        };
        for (int step = 0; step < steps; ++step) {
            const State a = rate_of(s), b = rate_of(moved(s, 0.5 * dt, a)),
                        c = rate_of(moved(s, 0.5 * dt, b)), d = rate_of(moved(s, dt, c));
            for (std::size_t k = 0; k < 4; ++k)
                s[k] += dt / 6.0 * (a[k] + 2.0 * b[k] + 2.0 * c[k] + d[k]);
        }
        return s;
    }
};

TEST_CASE(
    "a dumbbell that falls on a wall moves as a plain integration says, to the square of the "
    "step") {
    const double radius = 2e-3, distance = 5e-3, modulus = 1e7, time = 0.01;
    Packing p = shaped_packing(modulus);
    p.walls.push_back({});
    p.gravity = {0.0, 0.0, -9.81};
    add_clump(p, dumbbell(radius, distance), 2500.0, {0.0, 0.0, 4e-3}, raised(0.5));
    p.velocity[0] = {0.0, 0.0, -0.6};
    p.angular_velocity[0] = {0.0, -30.0, 0.0};
    const laws::Elasticity& glass = p.species_list[0].elasticity;
    const PlainDumbbell plain{
        .radius = radius,
        .half = 0.5 * distance,
        .mass = p.mass[0],
        .inertia = p.mass[0] * p.clumps[0]->inertia.y,
        .stiffness = laws::hertz_stiffness(laws::effective_modulus(glass, glass), radius),
        .gravity = 9.81};
    const PlainDumbbell::State start{4e-3, 0.5, -0.6, 30.0};
    const auto exact = plain.after(start, time, 200'000);
    CHECK(std::abs(exact[3] - 30.0) > 30.0);  // it has struck
    std::array<double, 2> error{};
    for (std::size_t k = 0; k < 2; ++k) {
        const int steps = k == 0 ? 5000 : 20'000;
        const auto engine = make_packing_engine(p, time / steps, 1);
        engine->advance(steps);
        error[k] = std::max(std::abs(engine->velocity()[0].z - exact[2]),
                            distance * std::abs(-engine->angular_velocity()[0].y - exact[3]));
        CHECK(size_of(cross(engine->angular_velocity()[0], Vec3{0.0, 1.0, 0.0})) == 0.0);
    }
    MESSAGE("after ", exact[0], " m, ", exact[3], " rad/s: ", error[0], ", ", error[1]);
    CHECK(error[1] < 1e-5);
    CHECK(error[1] < error[0] / 10.0);
}

/// Three that fly about between a floor that moves and turns and a lid with a mass, and meet.
Packing three_spheres(const std::string& law, laws::FrictionLaw friction,
                      const std::shared_ptr<const shapes::Clump>& clump) {
    Packing p = shaped_packing(1e9, law);
    p.friction = {.law = friction,
                  .coefficient = 0.3,
                  .stiffness = 2e4,
                  .damping = friction == laws::FrictionLaw::linear ? 0.05 : 0.0};
    p.gravity = {0.0, 0.5, -9.81};
    p.walls.push_back({.velocity = {0.3, 0.0, 0.1}, .angular_velocity = 40.0});
    p.walls.push_back({.shape = packing::Plane{{0.0, 0.0, 5.5e-3}, {0.0, 0.0, -1.0}},
                       .load = packing::Load{.mass = 2e-4, .force = 0.05}});
    p.box = {.lower = {}, .upper = {8.1e-3, 9.3e-3, 0.0}, .periodic = {true, true, false}};
    RandomNumbers random(9);
    for (int i = 0; i < 3; ++i) {
        const Vec3 at{2e-3 + 2.7e-3 * i, 1e-3 + 3.1e-3 * i, 2.1e-3 + 1e-3 * (i % 2)};
        const shapes::Quaternion q = random.rotation();
        if (clump)
            add_clump(p, clump, 2500.0, at, q);
        else
            p.add(2e-3, 2500.0 * 4.0 / 3.0 * std::numbers::pi * 8e-9, at);
        p.velocity.back() = 0.5 * random.direction() + Vec3{0.0, 0.0, -0.5};
        p.angular_velocity.back() = 100.0 * random.direction();
    }
    return p;
}

struct FromPlain {
    double moved, speed, spin;
};

FromPlain difference_to_plain(const std::string& law, laws::FrictionLaw friction,
                              const std::shared_ptr<const shapes::Clump>& clump, int steps) {
    const double dt = 1e-3 / steps;
    const auto plain =
        packing::make_plain_packing_engine(three_spheres(law, friction, nullptr), dt);
    const auto clumps = make_packing_engine(three_spheres(law, friction, clump), dt, 1);
    const double start = plain->totals().momentum.z;
    plain->advance(steps);
    clumps->advance(steps);
    CHECK(std::abs(plain->totals().momentum.z - start) > 1e-5);
    return {.moved = largest_difference(clumps->displacement(), plain->displacement()),
            .speed = largest_difference(clumps->velocity(), plain->velocity()),
            .spin = largest_difference(clumps->angular_velocity(), plain->angular_velocity())};
}

TEST_CASE("a clump of one sphere runs as the sphere in the plain engine") {
    const shapes::Ball ball[] = {{{1.0, 2.0, 3.0}, 2e-3}};
    for (const std::string law : {"hertz", "tsuji"}) {
        for (const auto friction :
             {laws::FrictionLaw::none, laws::FrictionLaw::linear, laws::FrictionLaw::mindlin}) {
            const FromPlain d =
                difference_to_plain(law, friction, shapes::make_clump(ball), 10'000);
            MESSAGE(law, " ", int(friction), ": ", d.moved, " ", d.speed, " ", d.spin);
            // Rounding, which collisions enlarge.
            CHECK(d.moved < 1e-11);
            CHECK(d.speed < 1e-11);
            CHECK(d.spin < 1e-11);
        }
    }
}

TEST_CASE("a sphere with another one inside runs as one alone" * doctest::skip(sanitised)) {
    // Nothing touches the inner one, but the laws are those of clumps, made at each touch.
    const shapes::Ball balls[] = {{{1.0, 2.0, 3.0}, 2e-3}, {{1.0, 2.0, 3.0}, 1e-3}};
    const auto clump = shapes::make_clump(balls);
    for (const std::string law : {"hertz", "tsuji"}) {
        const FromPlain smooth = difference_to_plain(law, laws::FrictionLaw::none, clump, 20'000);
        CHECK(smooth.moved < 1e-10);
        CHECK(smooth.speed < 1e-10);
        CHECK(smooth.spin < 1e-10);
        // Friction takes arms in the middle of the step, and Coulomb's limit cuts the spring at its
        // end: the difference goes with the step.
        const FromPlain coarse = difference_to_plain(law, laws::FrictionLaw::linear, clump, 10'000),
                        fine = difference_to_plain(law, laws::FrictionLaw::linear, clump, 40'000);
        MESSAGE(law, ": ", smooth.speed, "; ", coarse.speed, " ", coarse.spin, "; ", fine.speed,
                " ", fine.spin);
        CHECK(fine.speed < coarse.speed / 3.0);
        CHECK(fine.spin < coarse.spin / 3.0);
        CHECK(fine.speed < 1e-6);
    }
}

/// A clump of three balls, which no axis is alike, on its way to a wall.
Packing falling_clump() {
    Packing p = shaped_packing(1e9, "tsuji");
    p.friction = {.law = laws::FrictionLaw::mindlin, .coefficient = 0.3};
    p.walls.push_back({.shape = packing::Plane{{0.0, 0.0, 0.0}, {0.0, 0.6, 0.8}}});
    const shapes::Ball balls[] = {
        {{}, 2e-3}, {{2.5e-3, 0.0, 0.0}, 1.5e-3}, {{0.0, 2e-3, 0.5e-3}, 1e-3}};
    add_clump(p, shapes::make_clump(balls), 2500.0, {0.0, 0.0, 5e-3},
              shapes::normalised({0.3, -0.5, 0.7, 0.1}));
    p.velocity[0] = {0.5, 0.1, -1.0};
    p.angular_velocity[0] = {100.0, 50.0, -80.0};
    return p;
}

TEST_CASE("a wall that moves towards a clump is one that it moves towards") {
    const Packing still = falling_clump();
    Packing moving = still;
    const Vec3 drift{0.2, -0.3, -0.7};
    moving.velocity[0] += drift;
    moving.walls[0].velocity = drift;
    const auto a = make_packing_engine(still, 2e-7, 1), b = make_packing_engine(moving, 2e-7, 1);
    a->advance(30'000);
    b->advance(30'000);
    CHECK(a->totals().dissipated_tangential > 0.0);
    CHECK(std::abs(b->totals().external_work) > 0.0);
    CHECK(size_of(b->velocity()[0] - drift - a->velocity()[0]) < 1e-9);
    CHECK(largest_difference(b->angular_velocity(), a->angular_velocity()) < 1e-9);
    CHECK_RELATIVE(energy_of(b->totals()),
                   energy_of(make_packing_engine(moving, 2e-7, 1)->totals()), 1e-5);
}

TEST_CASE("a clump strikes a lid with a mass: both have the momentum of before") {
    Packing p = falling_clump();
    p.friction = {};
    p.walls[0] = {.shape = packing::Plane{{}, {0.0, 0.0, 1.0}},
                  .load = packing::Load{.mass = 3e-4}};
    const auto engine = make_packing_engine(p, 2e-7, 1);
    const double start = energy_of(engine->totals());
    engine->advance(20'000);
    const double given = p.mass[0] * (engine->velocity()[0].z + 1.0);
    CHECK(given > 1e-5);
    CHECK_RELATIVE(3e-4 * engine->walls()[0].velocity.z, -given, 1e-12);
    CHECK(engine->velocity()[0].x == 0.5);
    CHECK_RELATIVE(energy_of(engine->totals()), start, 1e-6);
}

}  // namespace
}  // namespace beadwave::validation::clump_walls_test
