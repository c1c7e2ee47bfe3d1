#include "beadwave/argument_error.hpp"
#include "largest.hpp"
#include "mechanism/multibody.hpp"
#include "mechanism/simulate.hpp"
#include "relative.hpp"
#include "slider_crank.hpp"
#include "three_cranks.hpp"

#include <algorithm>

namespace beadwave::validation::mechanism_joints_test {
namespace {

using namespace mechanism;
using validation::SliderCrank;

/// The slider-crank with a fourth joint in place of the bearing: a loop.
Mechanism ideal_slider_crank(const SliderCrank& given) {
    Mechanism made = given.mechanism();
    made.contacts.clear();
    made.joints.push_back(
        {.kind = JointKind::revolute, .bodies = {1, 2}, .point = {given.crank + given.rod, 0.0}});
    return made;
}

TEST_CASE("a slider-crank without clearance agrees with its closed form") {
    SliderCrank given;
    given.end = 0.012;
    given.accuracy = 1e-10;
    Mechanism made = ideal_slider_crank(given);
    made.interval = 1e-4;
    made.bodies[1].velocity = {};  // not given: it follows from the joints
    made.bodies[1].angular_velocity = {};
    Largest worst_acceleration;
    Largest worst_place, worst_error;
    simulate(made, [&](const Sample& sample) {
        const auto ideal = [&](double time) { return given.ideal_place(time); };
        const double t = sample.time, h = 1e-6;
        const double acceleration =  // fourth order; rounding 1e-4 m/s^2 of 1e4
            (-ideal(t + 2 * h) + 16 * ideal(t + h) - 30 * ideal(t) + 16 * ideal(t - h) -
             ideal(t - 2 * h)) /
            (12 * h * h);
        worst_place.enter(std::abs(sample.bodies[2].centre[0] - ideal(t)));
        worst_acceleration.enter(std::abs(sample.bodies[2].acceleration[0] - acceleration));
        worst_error.enter(std::abs(sample.ledger.relative_energy_error));
    });
    CHECK(worst_place < 1e-10);        // of 0.17 m
    CHECK(worst_acceleration < 1e-2);  // of 2e4 m/s^2
    CHECK(worst_error < 1e-9);
}

TEST_CASE("with the clearance going to zero the slider moves like the ideal mechanism") {
    SliderCrank given;
    given.law = validation::law_settings(
        "flores", {{"restitution", 0.5}, {"impact_speed", std::string("initial")}});
    given.end = 0.012;
    double last = 0.0;
    for (const double clearance : {8e-4, 2e-4, 5e-5}) {
        CAPTURE(clearance);
        given.clearance = clearance;
        Mechanism made = given.mechanism();
        made.interval = 2e-5;
        Largest worst;
        simulate(made, [&](const Sample& sample) {
            worst.enter(std::abs(sample.bodies[2].centre[0] - given.ideal_place(sample.time)));
        });
        // The distance of the centres of pin and bearing stays below clearance plus overlap.
        CHECK(worst < 2.0 * clearance);
        if (last > 0.0) CHECK_ABSOLUTE(std::log(last / worst) / std::log(4.0), 1.0, 0.15);
        last = worst;
    }
}

TEST_CASE(
    "a motor with a table of speeds turns by the integral of the table, and its work is the "
    "kinetic energy") {
    Mechanism made;
    made.bodies = {{.name = "wheel", .mass = 2.0, .inertia = 0.3, .centre = {0.1, 0.0}}};
    made.joints = {{.kind = JointKind::revolute,
                    .bodies = {0, ground},  // the wheel turns opposite to the motor
                    .point = {0.0, 0.0},
                    .motor = Motor{.times = {0.0, 0.5, 2.0}, .speeds = {0.0, 6.0, -3.0}}}};
    made.end = 3.0;
    const Result result = simulate(made);
    const double area = 0.5 * 0.5 * 6.0 + 1.5 * 0.5 * (6.0 - 3.0) - 3.0;
    CHECK_RELATIVE(result.last.bodies[0].angle, -area, 1e-12);
    CHECK_RELATIVE(result.last.bodies[0].angular_velocity, 3.0, 1e-12);
    CHECK_RELATIVE(result.last.ledger.external_work, 0.5 * (0.3 + 2.0 * 0.01) * 9.0, 1e-9);
}

TEST_CASE("a free body thrown up moves on a parabola") {
    Mechanism made;
    made.gravity = {0.0, -9.81};
    made.bodies = {{.name = "stone",
                    .mass = 2.0,
                    .inertia = 0.3,
                    .centre = {1.0, 2.0},
                    .velocity = Vector{3.0, 4.0},
                    .angular_velocity = 5.0}};
    made.end = 1.5;
    const Result result = simulate(made);
    CHECK_RELATIVE(result.last.bodies[0].centre[0], 1.0 + 3.0 * 1.5, 1e-12);
    CHECK_RELATIVE(result.last.bodies[0].centre[1], 2.0 + 4.0 * 1.5 - 0.5 * 9.81 * 1.5 * 1.5,
                   1e-12);
    CHECK_RELATIVE(result.last.bodies[0].angle, 7.5, 1e-12);
    CHECK(std::abs(result.last.ledger.relative_energy_error) < 1e-12);
}

TEST_CASE(
    "a given velocity that the joints do not allow is refused, and the error states the velocity "
    "that they give") {
    Mechanism made = ideal_slider_crank({});
    made.bodies[1].angular_velocity = 100.0;
    CHECK_THROWS_WITH_AS(Multibody(made).initial_speeds(),
                         doctest::Contains("its joints, which make"), ArgumentError);
}

TEST_CASE("two motors on one loop of joints are refused") {
    Mechanism made = ideal_slider_crank({});
    const Motor motor{.times = {0.0}, .speeds = {1.0}};
    for (Joint& joint : made.joints)
        joint.motor = motor;
    CHECK_THROWS_WITH_AS(Multibody{made}, doctest::Contains("closes a loop"), ArgumentError);
}

}  // namespace
TEST_CASE("a block that friction has stopped stays, though its load is rounding") {
    // Gravity presses the block against its slider, which has any direction: the components along
    // it cancel up to rounding, by which the block started and stopped for ever.
    for (int k = 0; k < 40; ++k) {
        const double tilt = 0.1 + 0.15 * k, mu = 0.3, gravity = 9.81, speed = 1.0;
        CAPTURE(tilt);
        Mechanism made;
        const Vector along{std::cos(tilt), std::sin(tilt)};
        made.bodies = {{.name = "block",
                        .mass = 0.7,
                        .inertia = 0.02,
                        .centre = {},
                        .velocity = speed * along}};
        made.joints = {{.kind = JointKind::slider,
                        .bodies = {ground, 0},
                        .axis = along,
                        .friction = JointFriction{.coefficient = mu, .length = 0.1}}};
        made.gravity = {gravity * along[1], -gravity * along[0]};
        made.end = 2.0;
        int steps = 0;
        Sinks sinks;
        sinks.stop = [&] { return ++steps > 1000; };
        const Result result = simulate(made, sinks);
        CHECK(result.steps < 20);
        CHECK_RELATIVE(dot(along, result.last.bodies[0].centre),
                       speed * speed / (2.0 * mu * gravity), 1e-9);
    }
}

TEST_CASE(
    "friction in a joint of loops that repeat conditions takes its energy, also where they turn") {
    for (const std::size_t joint : {0, 3}) {
        CAPTURE(joint);
        Mechanism made = three_cranks();
        made.joints[joint].friction = JointFriction{.coefficient = 0.3, .radius = 0.05};
        made.end = 2.5;
        made.interval = 0.05;
        double before = 0.0;
        int turns = 0;
        const Result result = simulate(made, [&](const Sample& now) {
            const double speed = now.bodies[1].angular_velocity;
            turns += before * speed < 0.0;
            before = speed;
        });
        CHECK(turns == 1);
        CHECK(result.last.ledger.friction_dissipation > 1.0);
        // The friction's work and the fall are integrated apart; the accuracy of a step is 1e-8.
        CHECK(result.largest_relative_energy_error < 1e-7);
        // The torque is at its limit: coefficient times radius times the force of the joint.
        CHECK_RELATIVE(std::abs(result.last.joint_frictions[0].force),
                       0.3 * 0.05 * length(result.last.joints[joint].force), 1e-9);
    }
}

}  // namespace beadwave::validation::mechanism_joints_test
