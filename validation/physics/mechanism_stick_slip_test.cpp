// Static and kinetic friction of mechanisms, Stribeck's curve and its viscous part: closed forms,
// and integrations of the test's own.
#include "beadwave/argument_error.hpp"
#include "largest.hpp"
#include "mechanism/simulate.hpp"
#include "relative.hpp"
#include "scenarios.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <numbers>
#include <random>
#include <string>
#include <vector>

namespace beadwave::validation::mechanism_stick_slip_test {
namespace {

using namespace mechanism;

constexpr double g = 9.81, mass = 2.0, load = mass * g;

/// The coefficient over the slip speed, written out again.
double curve(double slides, double sticks, double v_s, double d, double c, double v) {
    return slides + (v_s > 0.0 ? (sticks - slides) * std::exp(-std::pow(v / v_s, d)) : 0.0) + c * v;
}

/// A carriage of almost no mass along x carries the block up and down; the block lies on a belt,
/// body 2, which a motor moves. Under "impulse" it rests there, otherwise a spring carries it.
Mechanism block_on_belt(const Friction& friction, double belt_speed) {
    constexpr double stiffness = 1e9;
    const bool impulse = friction.law == Friction::Law::coulomb;
    const double overlap = impulse ? 0.0 : std::pow(load / stiffness, 2.0 / 3.0);
    Mechanism made;
    made.gravity = {0.0, -g};
    made.bodies = {{.name = "block", .mass = mass, .inertia = 1.0},
                   {.name = "carriage", .mass = 1e-9, .inertia = 1.0},
                   {.name = "belt", .mass = 1.0, .inertia = 1.0}};
    made.joints = {{.kind = JointKind::slider, .bodies = {ground, 1}, .axis = {1.0, 0.0}},
                   {.kind = JointKind::slider, .bodies = {1, 0}, .axis = {0.0, 1.0}},
                   {.kind = JointKind::slider,
                    .bodies = {ground, 2},
                    .axis = {1.0, 0.0},
                    .motor = Motor{{0.0}, {belt_speed}}}};
    made.contacts = {{.name = "belt",
                      .bodies = {0, 2},
                      .geometry = PointLine{.point = {0.0, 0.0},
                                            .line_point = {0.0, overlap},
                                            .normal = {0.0, 1.0},
                                            .radius = 0.01},
                      .materials = Stiffness{stiffness},
                      .law = validation::law_settings("hertz"),
                      .friction = friction}};
    if (impulse) made.contacts[0].law = Impulse{.restitution = 0.0};
    made.accuracy = 1e-10;
    return made;
}

/// The block in a guide of the belt: its weight presses on the guide.
Mechanism block_in_guide(const JointFriction& friction, double belt_speed) {
    Mechanism made;
    made.gravity = {0.0, -g};
    made.bodies = {{.name = "block", .mass = mass, .inertia = 1.0},
                   {.name = "belt", .mass = 1.0, .inertia = 1.0}};
    made.joints = {
        {.kind = JointKind::slider,
         .bodies = {ground, 1},
         .axis = {1.0, 0.0},
         .motor = Motor{{0.0}, {belt_speed}}},
        {.kind = JointKind::slider, .bodies = {1, 0}, .axis = {1.0, 0.0}, .friction = friction}};
    made.accuracy = 1e-10;
    return made;
}

void hold_by_spring(Mechanism& made, double stiffness) {
    made.springs = {{.name = "spring",
                     .bodies = {ground, 0},
                     .points = {Vector{-1.0, 0.0}, Vector{0.0, 0.0}},
                     .stiffness = stiffness}};
}

/// The block sticks from x = 0 at the belt's speed V until k x = mu_s N, and slides about
/// mu N / k until its speed is V again. [m]
double stick_slip(double time, double k, double speed, double slides, double sticks) {
    const double w = std::sqrt(k / mass), about = slides * load / k;
    const double a = (sticks - slides) * load / k, first = sticks * load / k / speed;
    if (time < first) return speed * time;
    const double slipping = 2.0 * (std::numbers::pi - std::atan(a * w / speed)) / w;
    const double sticking = 2.0 * a / speed;
    const double t = std::fmod(time - first, slipping + sticking);
    if (t < slipping) return about + a * std::cos(w * t) + speed / w * std::sin(w * t);
    return about - a + speed * (t - slipping);
}

constexpr double slides = 0.3, sticks = 0.45;

TEST_CASE("a block on a belt sticks and slips in the exact cycle, in a joint and under impulses") {
    const double k = 400.0, speed = 0.1, cycles = 3.2;
    const double a = (sticks - slides) * load / k, w = std::sqrt(k / mass);
    const double cycle = 2.0 * a / speed + 2.0 * (std::numbers::pi - std::atan(a * w / speed)) / w;
    std::vector<Mechanism> all{
        block_in_guide({.coefficient = slides, .length = 0.5, .static_coefficient = sticks}, speed),
        block_on_belt(
            {.law = Friction::Law::coulomb, .coefficient = slides, .static_coefficient = sticks},
            speed)};
    for (Mechanism& made : all) {
        hold_by_spring(made, k);
        made.bodies[0].velocity = Vector{speed, 0.0};
        if (made.bodies.size() == 3) made.bodies[1].velocity = Vector{speed, 0.0};
        made.end = sticks * load / k / speed + cycles * cycle;
        made.interval = made.end / 200.0;
        Largest difference;
        const Result result = simulate(made, [&](const Sample& now) {
            difference.enter(
                std::abs(now.bodies[0].centre[0] - stick_slip(now.time, k, speed, slides, sticks)));
        });
        MESSAGE("largest difference ", static_cast<double>(difference), " m of ",
                sticks * load / k);
        // Each instant at which it sticks or slips is found to some 1e-10 of a step.
        CHECK(difference < 1e-8);
        CHECK(result.last.ledger.friction_dissipation > 0.0);
        CHECK(result.largest_relative_energy_error < 1e-8);
    }
}

TEST_CASE("a block on a belt sticks and slips on a stiff tangential spring") {
    const double k = 400.0, speed = 0.1, tangential = 1e8;
    const double a = (sticks - slides) * load / k, w = std::sqrt(k / mass);
    Mechanism made = block_on_belt({.law = Friction::Law::linear,
                                    .coefficient = slides,
                                    .stiffness = tangential,
                                    .damping = 0.1 * std::sqrt(tangential * mass),
                                    .static_coefficient = sticks},
                                   speed);
    hold_by_spring(made, k);
    made.bodies[0].velocity = made.bodies[1].velocity = Vector{speed, 0.0};
    made.accuracy = 1e-8;
    made.end = sticks * load / k / speed +
               1.2 * (2.0 * a / speed + 2.0 * (std::numbers::pi - std::atan(a * w / speed)) / w);
    made.interval = made.end / 100.0;
    Largest difference;
    const Result result = simulate(made, [&](const Sample& now) {
        difference.enter(
            std::abs(now.bodies[0].centre[0] - stick_slip(now.time, k, speed, slides, sticks)));
    });
    MESSAGE("largest difference ", static_cast<double>(difference), " m of ", sticks * load / k);
    CHECK(difference <
          1e-4 * sticks * load / k);  // the springs' stiffnesses are 4e-6 of each other
    CHECK(result.largest_relative_energy_error < 1e-6);
}

TEST_CASE("a contact that slides evenly has the coefficient of the curve") {
    const double v_s = 0.02, c = 0.7;
    for (const double d : {0.5, 1.0, 2.0}) {
        for (const double v : {0.003, 0.02, 0.11}) {
            const double expected = curve(slides, sticks, v_s, d, c, v);
            for (const Friction::Law law :
                 {Friction::Law::ambrosio, Friction::Law::linear, Friction::Law::coulomb}) {
                Mechanism made = block_on_belt({.law = law,
                                                .coefficient = slides,
                                                .stiffness = 1e6,
                                                .static_coefficient = sticks,
                                                .stribeck_speed = v_s,
                                                .stribeck_exponent = d,
                                                .viscous_coefficient = c},
                                               0.0);
                made.joints[0].motor = Motor{{0.0}, {v}};
                made.end = 0.01 + 2e-5 / v;
                made.interval = made.end / 4.0;
                const Result result = simulate(made);
                const ContactSample& contact = result.last.contact_points[0];
                CHECK_RELATIVE(std::abs(contact.friction) / contact.force, expected, 1e-9);
            }
        }
    }
}

TEST_CASE("the modified Coulomb law has its coefficients at its speeds, and cubics between") {
    const Friction friction{.law = Friction::Law::modified_coulomb,
                            .coefficient = slides,
                            .stiction_speed = 0.01,
                            .dynamic_speed = 0.05,
                            .static_coefficient = sticks,
                            .viscous_coefficient = 0.2};
    const auto step = [](double x) { return x * x * (3.0 - 2.0 * x); };
    const std::vector<std::pair<double, double>> expected{
        {0.0, 0.0},     {0.004, -sticks + 2.0 * sticks * step(0.7)},
        {0.01, sticks}, {0.03, sticks + (slides - sticks) * step(0.5)},
        {0.05, slides}, {0.4, slides}};
    for (const auto& [v, coefficient] : expected) {
        Mechanism made = block_on_belt(friction, 0.0);
        made.joints[0].motor = Motor{{0.0}, {v}};
        made.end = 1e-3;
        const Result result = simulate(made);
        const ContactSample& contact = result.last.contact_points[0];
        CHECK_ABSOLUTE(std::abs(contact.friction) / contact.force, coefficient + 0.2 * v, 1e-12);
    }
}

/// v' = a(t, v) by the classical method of Runge and Kutta, 20000 steps.
double integrated(const std::function<double(double, double)>& a, double v, double end) {
    constexpr int steps = 20'000;
    const double h = end / steps;
    for (int i = 0; i < steps; ++i) {
        const double t = i * h, k1 = a(t, v), k2 = a(t + 0.5 * h, v + 0.5 * h * k1),
                     k3 = a(t + 0.5 * h, v + 0.5 * h * k2), k4 = a(t + h, v + h * k3);
        v += h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
    }
    return v;
}

TEST_CASE("a slider under a load that varies follows a plain integration") {
    // It slides throughout: 3 N + 4 N sin(2 pi 5 Hz t) push it, from 0.5 m/s.
    const double v_s = 0.1, d = 1.3, c = 0.4, frequency = 5.0, end = 0.5;
    const auto push = [&](double t) {
        return 3.0 + 4.0 * std::sin(2.0 * std::numbers::pi * frequency * t);
    };
    const Force steady{.body = 0, .times = {0.0}, .forces = {{3.0, 0.0}}},
        varies{.body = 0,
               .times = {0.0},
               .forces = {{4.0, 0.0}},
               .oscillation = {.frequency = frequency}};
    const auto check = [&](Mechanism made, double tolerance, auto coefficient) {
        made.forces = {steady, varies};
        made.bodies[0].velocity = Vector{0.5, 0.0};
        if (made.bodies.size() == 3) made.bodies[1].velocity = Vector{0.5, 0.0};
        made.end = end;
        const Result result = simulate(made);
        const double expected = integrated(
            [&](double t, double v) {
                return push(t) / mass - std::copysign(coefficient(std::abs(v)) * g, v);
            },
            0.5, end);
        MESSAGE("difference ", result.last.bodies[0].velocity[0] / expected - 1.0);
        CHECK_RELATIVE(result.last.bodies[0].velocity[0], expected, tolerance);
        CHECK(result.largest_relative_energy_error < 1e-6);
    };
    // Light friction, so that it never stops.
    const auto light = [&](double v) { return curve(0.1, 0.13, v_s, d, c, v) * 0.2; };
    const double sticking = 0.026, sliding = 0.02, viscous = 0.08;
    check(block_in_guide({.coefficient = sliding,
                          .length = 0.5,
                          .static_coefficient = sticking,
                          .stribeck_speed = v_s,
                          .stribeck_exponent = d,
                          .viscous_coefficient = viscous},
                         0.0),
          1e-8, light);
    Friction friction{.law = Friction::Law::coulomb,
                      .coefficient = sliding,
                      .static_coefficient = sticking,
                      .stribeck_speed = v_s,
                      .stribeck_exponent = d,
                      .viscous_coefficient = viscous};
    check(block_on_belt(friction, 0.0), 1e-7, light);  // steps of 1e-10 each
    friction.law = Friction::Law::linear;
    friction.stiffness = 1e7;
    check(block_on_belt(friction, 0.0), 1e-4, light);  // the spring takes up its length first
    // The modified Coulomb law through rest, forth and back.
    check(block_on_belt({.law = Friction::Law::modified_coulomb,
                         .coefficient = slides,
                         .stiction_speed = 0.05,
                         .dynamic_speed = 0.2,
                         .static_coefficient = sticks},
                        0.0),
          1e-6, [](double v) {
              const auto step = [](double x) { return x * x * (3.0 - 2.0 * x); };
              if (v < 0.05) return -sticks + 2.0 * sticks * step(0.5 + v / 0.1);
              return v < 0.2 ? sticks + (slides - sticks) * step((v - 0.05) / 0.15) : slides;
          });
}

TEST_CASE("friction with two coefficients never gives energy back, in impacts at random") {
    std::mt19937_64 random(11);
    std::uniform_real_distribution<double> number(0.0, 1.0);
    for (int trial = 0; trial < 20; ++trial) {
        const double kinetic = 0.4 * number(random);
        Friction friction{
            .law = trial % 2 == 0 ? Friction::Law::linear : Friction::Law::modified_coulomb,
            .coefficient = kinetic,
            .stiffness = 4e6,
            .damping = 1.0,
            .stiction_speed = 0.01,
            .dynamic_speed = 0.03 + number(random),
            .static_coefficient = kinetic + 0.4 * number(random),
            .viscous_coefficient = 0.1 * number(random)};
        if (friction.law == Friction::Law::linear) friction.stribeck_speed = number(random) + 1e-3;
        Mechanism made;
        made.bodies = {{.name = "ball",
                        .mass = 0.03,
                        .inertia = 0.4 * 0.03 * 1e-4,
                        .centre = {0.0, 0.01},
                        .velocity = Vector{4.0 * number(random) - 2.0, -0.2 - number(random)},
                        .angular_velocity = 400.0 * number(random) - 200.0}};
        made.contacts = {
            {.name = "floor",
             .bodies = {0, ground},
             .geometry = SphereSphere{.centres = {Vector{0.0, 0.01}, Vector{0.0, -100.0001}},
                                      .radii = {0.01, 100.0}},
             .materials = Stiffness{1e9},
             .law = validation::law_settings("flores", {{"restitution", 0.8}}),
             .friction = friction}};
        made.end = 2e-3;
        const Result result = simulate(made);
        const Ledger& ledger = result.last.ledger;
        REQUIRE(result.last.bodies[0].velocity[1] > 0.0);  // it bounced
        CHECK(ledger.friction_dissipation > -1e-9 * ledger.initial);
        CHECK(ledger.normal_dissipation > -1e-9 * ledger.initial);
        CHECK(result.largest_relative_energy_error < 1e-6);
        CHECK_RELATIVE(result.last.contact_points[0].dissipation.sliding,
                       ledger.friction_dissipation, 1e-12);
    }
}

TEST_CASE("stick and slip continue from a saved state to the same bits") {
    Mechanism made = block_on_belt({.law = Friction::Law::linear,
                                    .coefficient = slides,
                                    .stiffness = 1e6,
                                    .damping = 400.0,
                                    .static_coefficient = sticks,
                                    .stribeck_speed = 0.03},
                                   0.1);
    hold_by_spring(made, 4000.0);
    made.bodies[0].velocity = made.bodies[1].velocity = Vector{0.1, 0.0};
    made.end = 0.06;  // from 0.02 s on it slips
    std::vector<std::vector<double>> states;
    int step = 0;
    Sinks sinks;
    sinks.checkpoint_due = [&](std::int64_t) { return ++step % 5 == 0; };
    sinks.checkpoint = [&](std::int64_t, const std::vector<double>& state) {
        states.push_back(state);
    };
    const Result whole = simulate(made, sinks);
    REQUIRE(states.size() > 5);
    std::size_t different = 0;
    const auto bits = [](double x) { return std::bit_cast<std::uint64_t>(x); };
    for (std::size_t i = 0; i < states.size(); i += states.size() / 5) {
        const Result resumed = simulate(made, Sinks{}, &states[i]);
        different +=
            bits(resumed.last.bodies[0].centre[0]) != bits(whole.last.bodies[0].centre[0]) ||
            bits(resumed.last.ledger.dissipated) != bits(whole.last.ledger.dissipated);
    }
    CHECK(different == 0);
}

TEST_CASE("coefficients of friction that contradict each other are refused") {
    const auto fault = [](const Friction& friction) -> std::string {
        try {
            simulate(block_on_belt(friction, 0.0));
        } catch (const ArgumentError& error) {
            return error.what();
        }
        return "nothing";
    };
    using Law = Friction::Law;
    const auto says = [](const std::string& text, const char* part) {
        INFO(text);
        CHECK(text.find(part) != std::string::npos);
    };
    says(fault(
             {.law = Law::linear, .coefficient = 0.3, .stiffness = 1e6, .static_coefficient = 0.2}),
         "static_coefficient is 0.2; expected the coefficient, 0.3, or larger");
    says(fault({.law = Law::linear, .coefficient = 0.3, .stiffness = 1e6, .stribeck_speed = 0.2}),
         "expected a static_coefficient beside it");
    says(fault({.coefficient = 0.3, .static_coefficient = 0.4}),
         "under \"ambrosio\" nothing sticks");
    says(fault({.law = Law::modified_coulomb, .coefficient = 0.3}),
         "expected a stiction_speed above 0 and a larger dynamic_speed");
    says(fault({.law = Law::modified_coulomb,
                .coefficient = 0.3,
                .stiction_speed = 0.01,
                .dynamic_speed = 0.02,
                .static_coefficient = 0.4,
                .stribeck_speed = 0.1}),
         "has a curve of its own");
    says(fault({.law = Law::coulomb, .coefficient = 0.0, .static_coefficient = 0.4}),
         "needs a coefficient above 0");
    says(fault({.law = Law::linear,
                .coefficient = 0.3,
                .stiffness = 1e6,
                .viscous_coefficient = -1.0}),
         "viscous_coefficient is -1; expected a number of 0 or more, in s/m");
}

}  // namespace
}  // namespace beadwave::validation::mechanism_stick_slip_test
