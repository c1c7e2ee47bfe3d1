// Friction of mechanisms that holds bodies: a tangential spring with Coulomb's limit.
#include "largest.hpp"
#include "mechanism/simulate.hpp"
#include "relative.hpp"
#include "sanitised.hpp"
#include "scenarios.hpp"

#include <cmath>
#include <numbers>
#include <random>

namespace beadwave::validation::mechanism_friction_test {
namespace {

using namespace mechanism;

Friction holding(double coefficient, double stiffness, double damping) {
    return {.law = Friction::Law::linear,
            .coefficient = coefficient,
            .stiffness = stiffness,
            .damping = damping};
}

/// A block of 1 kg in balance on a rail that pushes back as a spring: gravity presses it on.
Mechanism block(const Vector& gravity, const Friction& friction) {
    Mechanism made;
    made.gravity = gravity;
    made.bodies = {{.name = "block", .mass = 1.0, .inertia = 1.0}};
    made.joints = {{.kind = JointKind::slider, .bodies = {ground, 1}, .axis = {1.0, 0.0}}};
    // A carriage that can only move along x carries the block, which can only move across it.
    made.bodies.push_back({.name = "carriage", .mass = 1e-6, .inertia = 1.0});
    made.joints.push_back({.kind = JointKind::slider, .bodies = {1, 0}, .axis = {0.0, 1.0}});
    const double overlap = std::pow(-gravity[1] / 1e8, 2.0 / 3.0);
    made.contacts = {{.name = "rail",
                      .bodies = {0, ground},
                      .geometry = PointLine{.point = {0.0, 0.0},
                                            .line_point = {0.0, overlap},
                                            .normal = {0.0, 1.0},
                                            .radius = 0.01},
                      .materials = Stiffness{1e8},
                      .law = validation::law_settings("hertz"),
                      .friction = friction}};
    made.accuracy = 1e-10;
    return made;
}

TEST_CASE("a block on a slope of 0.2 rad with mu = 0.3 stays, and with mu = 0.1 slides") {
    const double g = 9.81, slope = 0.2;
    const Vector gravity{g * std::sin(slope), -g * std::cos(slope)};
    Mechanism stays = block(gravity, holding(0.3, 1e6, 1e3));
    stays.end = 1.0;
    const Result rest = simulate(stays);
    const double give = g * std::sin(slope) / 1e6;  // of the spring
    CHECK_RELATIVE(rest.last.bodies[0].centre[0], give, 1e-5);
    CHECK(std::abs(rest.last.bodies[0].velocity[0]) < 1e-12);
    CHECK(rest.largest_relative_energy_error < 1e-6);

    Mechanism slides = block(gravity, holding(0.1, 1e6, 1e3));
    slides.end = 0.5;
    const Result moved = simulate(slides);
    const double acceleration = g * (std::sin(slope) - 0.1 * std::cos(slope));
    // The spring gives way within 1e-3 s; after that the speed lags by what it took.
    CHECK_RELATIVE(moved.last.bodies[0].acceleration[0], acceleration, 1e-5);
    CHECK_RELATIVE(moved.last.bodies[0].velocity[0], acceleration * 0.5, 2e-3);
    CHECK_RELATIVE(moved.last.ledger.friction_dissipation,
                   0.1 * g * std::cos(slope) * moved.last.bodies[0].centre[0], 1e-5);
}

TEST_CASE("an oscillator with friction loses 2 mu N / k of amplitude in every half period") {
    const double g = 10.0, mu = 0.2, k = 100.0, tangential = 1e7;
    Mechanism made = block({0.0, -g}, holding(mu, tangential, 200.0));
    const double reach = 0.13;  // 6.5 times mu N / k: three half periods, then it sticks
    made.springs = {{.name = "s",
                     .bodies = {ground, 0},
                     .points = {Vector{-1.0, 0.0}, Vector{0.0, 0.0}},
                     .free_length = 1.0 - reach,
                     .stiffness = k}};
    // From `reach` it swings to -(reach - 2 d), back to reach - 4 d, to -(reach - 6 d) and sticks.
    const double d = mu * g / k, half = std::numbers::pi / std::sqrt(k);
    const double stuck = -(reach - 6.0 * d) - reach;
    made.end = 5.0 * half;
    made.interval = 0.5 * half;
    std::vector<double> places;
    const Result result =
        simulate(made, [&](const Sample& sample) { places.push_back(sample.bodies[0].centre[0]); });
    const double softness = 2e-5 * reach;  // k / tangential, at three turns
    CHECK_ABSOLUTE(places[2], -2.0 * reach + 2.0 * d, softness);
    CHECK_ABSOLUTE(places[4], -4.0 * d, softness);
    CHECK_ABSOLUTE(places[6], stuck, softness);
    CHECK_ABSOLUTE(result.last.bodies[0].centre[0], stuck, softness);
    CHECK(std::abs(result.last.bodies[0].velocity[0]) < 1e-10);
    CHECK(std::abs(k * (stuck + reach)) < mu * g);  // friction can hold it
    CHECK(result.largest_relative_energy_error < 1e-6);
}

TEST_CASE("a block on a moving belt: it sticks until mu N, then oscillates and never overtakes") {
    const double g = 10.0, mu = 0.3, k = 400.0, speed = 0.05;
    Mechanism made = block({0.0, -g}, holding(mu, 1e8, 2e3));
    made.bodies.push_back({.name = "belt", .mass = 1.0, .inertia = 1.0});
    made.joints.push_back({.kind = JointKind::slider,
                           .bodies = {ground, 2},
                           .axis = {1.0, 0.0},
                           .motor = Motor{{0.0}, {speed}}});
    made.contacts[0].bodies = {0, 2};
    made.bodies[0].velocity = Vector{speed, 0.0};
    made.bodies[1].velocity = Vector{speed, 0.0};
    made.springs = {{.name = "s",
                     .bodies = {ground, 0},
                     .points = {Vector{-1.0, 0.0}, Vector{0.0, 0.0}},
                     .stiffness = k}};
    const double slip = mu * g / (k * speed), omega = std::sqrt(k);
    made.end = slip + 1.3 * std::numbers::pi / omega;
    made.interval = made.end / 40.0;
    Largest fastest;
    simulate(made, [&](const Sample& sample) {
        const double t = sample.time;
        const double expected =
            t < slip ? speed * t : mu * g / k + speed / omega * std::sin(omega * (t - slip));
        CHECK_ABSOLUTE(sample.bodies[0].centre[0], expected, 1e-6);
        fastest.enter(sample.bodies[0].velocity[0]);
    });
    CHECK(fastest < speed * (1.0 + 1e-4));
}

TEST_CASE("friction that holds never gives energy back, in oblique impacts at random") {
    std::mt19937_64 random(7);
    std::uniform_real_distribution<double> number(-1.0, 1.0);
    int reversed = 0;
    for (int trial = 0; trial < (sanitised ? 40 : 300); ++trial) {
        const double spin = 200.0 * number(random), along = 2.0 * number(random);
        Mechanism made;
        made.bodies = {{.name = "ball",
                        .mass = 0.03,
                        .inertia = 0.4 * 0.03 * 1e-4,
                        .centre = {0.0, 0.01},
                        .velocity = Vector{along, -0.2 - std::abs(number(random))},
                        .angular_velocity = spin}};
        made.contacts = {
            {.name = "floor",
             .bodies = {0, ground},
             .geometry = SphereSphere{.centres = {Vector{0.0, 0.01}, Vector{0.0, -100.0001}},
                                      .radii = {0.01, 100.0}},
             .materials = Stiffness{1e9},
             .law = validation::law_settings("flores", {{"restitution", 0.8}}),
             .friction = holding(0.5 * std::abs(number(random)), 4e6, 1.0)}};
        made.end = 2e-3;
        const Result result = simulate(made);
        const Ledger& ledger = result.last.ledger;
        CHECK(ledger.friction_dissipation > -1e-9 * ledger.initial);
        CHECK(ledger.normal_dissipation > -1e-9 * ledger.initial);
        CHECK(result.largest_relative_energy_error < 1e-6);
        const double slip = along + 0.01 * spin;
        const BodyState& after = result.last.bodies[0];
        reversed += slip * (after.velocity[0] + 0.01 * after.angular_velocity) < 0.0 ? 1 : 0;
    }
    CHECK(
        reversed >
        (sanitised ? 2 : 20));  // the spring turns the slip of spheres round (Maw, Barber, Fawcett)
}

}  // namespace
}  // namespace beadwave::validation::mechanism_friction_test
