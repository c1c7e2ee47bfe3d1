// The time-stepping scheme of Moreau and Jean beside closed forms and the event-driven run.
#include "coulomb.hpp"
#include "largest.hpp"
#include "mechanism/simulate.hpp"
#include "mechanism/time_stepping.hpp"
#include "relative.hpp"
#include "scenarios.hpp"
#include "slider_crank.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <string>

namespace beadwave::validation::mechanism_time_stepping_test {
namespace {

using namespace mechanism;
using laws::RestitutionDefinition;
using validation::coulomb, validation::g;

Contact floor_under(const Vector& point, double e, double mu) {
    Contact made{
        .name = "corner",
        .bodies = {0, ground},
        .geometry = PointLine{.point = point, .line_point = {0.0, 0.0}, .normal = {0.0, 1.0}},
        .law = Impulse{.restitution = e, .definition = RestitutionDefinition::newton}};
    if (mu > 0.0) made.friction = coulomb(mu);
    return made;
}

/// A block of 2 kg, 0.2 m wide and 0.1 m high, on a floor.
Mechanism block(double mu, double speed) {
    Mechanism made;
    made.gravity = {0.0, -g};
    made.bodies = {{.name = "block",
                    .mass = 2.0,
                    .inertia = 2.0 * (0.04 + 0.01) / 12.0,
                    .centre = {0.0, 0.05},
                    .velocity = Vector{speed, 0.0}}};
    made.contacts = {floor_under({-0.1, 0.0}, 0.0, mu), floor_under({0.1, 0.0}, 0.0, mu)};
    return made;
}

/// A number of the first body at every sample.
template <class Number>
std::vector<double> history(const Mechanism& made, Number number) {
    std::vector<double> all;
    simulate(made, [&](const Sample& sample) { all.push_back(number(sample.bodies[0])); });
    return all;
}

/// The mean difference of a number from the event-driven run, for steps of three sizes, each a
/// quarter of the one before. Steps fall beside the impacts by chance: the error of each size is
/// the mean for three steps near it.
template <class Number>
std::array<double, 3> errors(Mechanism made, double longest, Number number) {
    made.accuracy = 1e-10;
    const std::vector<double> events = history(made, number);
    std::array<double, 3> found{};
    for (double& error : found) {
        for (const double part : {1.0, 0.83, 0.71}) {
            made.stepping = TimeStepping{.step = part * longest};
            const std::vector<double> steps = history(made, number);
            REQUIRE(steps.size() == events.size());
            for (std::size_t i = 0; i < steps.size(); ++i)
                error += std::abs(steps[i] - events[i]) / (3.0 * static_cast<double>(steps.size()));
        }
        longest *= 0.25;
    }
    return found;
}

/// log(e) over log(h), between the coarse and the fine steps.
double order_of(const std::array<double, 3>& errors) {
    return std::log(errors[0] / errors[2]) / std::log(16.0);
}

TEST_CASE("time stepping is of order one for a point that bounces until it rests") {
    Mechanism made;
    made.gravity = {0.0, -g};
    made.bodies = {{.name = "point", .mass = 0.5, .inertia = 1e-4, .centre = {0.0, 0.01}}};
    made.contacts = {floor_under({0.0, 0.01}, 0.6, 0.0)};
    made.end = 0.24;
    made.interval = 2e-3;
    const auto found = errors(made, 8e-4, [](const BodyState& body) { return body.centre[1]; });
    CAPTURE(found[0]);
    CAPTURE(found[1]);
    CAPTURE(found[2]);
    CHECK_ABSOLUTE(order_of(found), 1.0, 0.25);
    CHECK(found[2] < 8e-6);
    // At rest all of the energy is gone, and the force is the weight.
    made.stepping = TimeStepping{.step = 5e-5};
    const Result result = simulate(made);
    CHECK_RELATIVE(result.last.contact_points[0].force, 0.5 * g, 1e-12);
    CHECK_RELATIVE(result.last.ledger.normal_dissipation, -result.last.ledger.potential, 1e-10);
    CHECK(result.largest_relative_energy_error < 1e-10);  // rounding of 4800 steps
    // A body that falls at v overlaps by v times the step at most.
    CHECK(result.penetration.depth > 0.0);
    CHECK(result.penetration.depth < std::sqrt(2.0 * g * 0.01) * 5e-5);
    const auto& impacts = result.contact_points[0].impacts;
    REQUIRE(impacts.size() > 5);
    CHECK_RELATIVE(impacts[0].separation_speed, 0.6 * impacts[0].impact_speed, 1e-12);
    CHECK(std::isnan(impacts.back().end));
}

TEST_CASE("time stepping is of order one for a block that rocks on its corners") {
    const double half_width = 0.02, half_height = 0.1, tilt = 0.05;
    Mechanism made;
    made.gravity = {0.0, -g};
    const Vector pivot{half_width, 0.0};
    made.bodies = {{.name = "block",
                    .mass = 1.0,
                    .inertia = (half_width * half_width + half_height * half_height) / 3.0,
                    .centre = pivot + rotated({-half_width, half_height}, -tilt)}};
    made.contacts = {floor_under(pivot, 0.0, 1.0),
                     floor_under(pivot + rotated({-2.0 * half_width, 0.0}, -tilt), 0.0, 1.0)};
    made.end = 0.5;
    made.interval = 5e-3;
    const auto found = errors(made, 2e-3, [](const BodyState& body) { return body.angle; });
    CAPTURE(found[0]);
    CAPTURE(found[1]);
    CAPTURE(found[2]);
    CHECK_ABSOLUTE(order_of(found), 1.0, 0.25);
    CHECK(found[2] < 2e-4);
}

TEST_CASE("a block slides in time steps until friction has taken its energy, and then sticks") {
    constexpr double mu = 0.3, speed = 1.0, step = 1e-3;
    Mechanism made = block(mu, speed);
    made.end = 0.5;
    made.interval = 0.05;
    made.stepping = TimeStepping{.step = step};
    std::size_t slides = 0;
    const Result result = simulate(made, [&](const Sample& sample) {
        if (sample.time >= speed / (mu * g)) return;
        ++slides;
        CHECK_ABSOLUTE(sample.bodies[0].velocity[0], speed - mu * g * sample.time, 1e-12);
        CHECK_ABSOLUTE(sample.bodies[0].centre[0],
                       speed * sample.time - 0.5 * mu * g * sample.time * sample.time, 1e-12);
    });
    CHECK(slides == 7);
    // In the step in which it stops the force is less than mu N all along.
    CHECK_ABSOLUTE(result.last.bodies[0].centre[0], 0.5 * speed * speed / (mu * g),
                   mu * g * step * step);
    CHECK(std::abs(result.last.bodies[0].velocity[0]) < 1e-14);
    CHECK_RELATIVE(result.last.ledger.friction_dissipation, 0.5 * 2.0 * speed * speed, 1e-12);
    CHECK_RELATIVE(result.last.contact_points[0].dissipation.sliding +
                       result.last.contact_points[1].dissipation.sliding,
                   result.last.ledger.friction_dissipation, 1e-12);
    CHECK_RELATIVE(result.last.contact_points[0].force + result.last.contact_points[1].force,
                   2.0 * g, 1e-12);
    CHECK(result.largest_relative_energy_error < 1e-12);
    CHECK(result.penetration.depth < 1e-15);
}

TEST_CASE("a column of ten boxes comes to rest in time steps, and each force is a weight") {
    constexpr std::size_t boxes = 10;
    constexpr double m = 0.5, size = 0.1, gap = 1e-4, step = 1e-3;
    // The uppermost box falls through all gaps; bodies overlap by impact speed times step.
    const double tolerance = std::sqrt(2.0 * g * boxes * gap) * step;
    for (const double e : {0.0, 0.4, 1.0}) {
        CAPTURE(e);
        Mechanism made;
        made.gravity = {0.0, -g};
        for (std::size_t k = 0; k < boxes; ++k) {
            const double bottom = static_cast<double>(k) * size + static_cast<double>(k + 1) * gap;
            made.bodies.push_back({.name = "box " + std::to_string(k),
                                   .mass = m,
                                   .inertia = m * size * size / 6.0,
                                   .centre = {0.0, bottom + 0.5 * size}});
            for (const double x : {-0.05, 0.05}) {
                Contact contact = floor_under({x, bottom}, e, 0.4);
                contact.bodies = {k, k == 0 ? ground : k - 1};
                std::get<PointLine>(contact.geometry).line_point = {0.0,
                                                                    k == 0 ? 0.0 : bottom - gap};
                made.contacts.push_back(contact);
            }
        }
        made.end = 0.25;
        made.interval = 0.05;
        made.stepping = TimeStepping{.step = step, .penetration_tolerance = tolerance};
        const Result result = simulate(made);
        CHECK(result.largest_relative_energy_error < 1e-10);
        if (e == 1.0) {  // which never rests, nor gains energy
            CHECK(std::abs(result.last.ledger.dissipated) < 1e-10 * result.last.ledger.scale);
            continue;
        }
        for (std::size_t k = 0; k < boxes; ++k) {
            const double above = static_cast<double>(boxes - k) * m * g;
            for (const std::size_t corner : {0, 1})
                CHECK_RELATIVE(result.last.contact_points[2 * k + corner].force, 0.5 * above,
                               1e-10);
            CHECK(length(result.last.bodies[k].velocity) < 1e-12);
        }
        CHECK(result.penetration.depth < tolerance);
        CHECK(result.warnings.empty());
    }
}

/// A slider-crank with a motor that turns ever slower, a force over time, wear and a pin that
/// strikes its bearing.
Mechanism slider_crank() {
    validation::SliderCrank given;
    given.end = 2e-3;
    Mechanism made = given.mechanism();
    made.contacts[0].law = Impulse{.restitution = 0.3, .definition = RestitutionDefinition::newton};
    made.contacts[0].friction = coulomb(0.1);
    made.contacts[0].wear = Wear{.law = {.coefficient = 1e-4, .hardness = 1e9}, .width = 0.02};
    made.wear_bins = 36;
    made.interval = made.end / 20.0;
    made.joints[0].motor = Motor{.times = {0.0, 0.3 * made.end, 0.6 * made.end},
                                 .speeds = {given.speed, 600.0, 400.0}};
    made.forces = {{.body = made.bodies.size() - 1,
                    .point = made.bodies.back().centre,
                    .times = {0.0, made.end},
                    .forces = {{0.0, 0.0}, {-200.0, 0.0}},
                    .oscillation = {.frequency = 500.0}}};
    return made;
}

TEST_CASE("a slider-crank with a motor and a load over time moves in time steps as with events") {
    Mechanism made = slider_crank();
    const auto last = [&](std::optional<double> step) {
        made.stepping.reset();
        made.accuracy = 1e-10;
        if (step) made.stepping = TimeStepping{.step = *step};
        return simulate(made);
    };
    const Result events = last({});
    const double exact = events.last.bodies.back().velocity[0];
    const Result middle = last(2e-6), fine = last(5e-7);
    const double coarse_error = std::abs(middle.last.bodies.back().velocity[0] - exact);
    const double fine_error = std::abs(fine.last.bodies.back().velocity[0] - exact);
    CHECK(fine_error < 1e-3 * std::abs(exact));
    CHECK(coarse_error > 2.0 * fine_error);
    CHECK_RELATIVE(fine.last.ledger.external_work, events.last.ledger.external_work, 0.02);
    CHECK_RELATIVE(fine.last.ledger.dissipated, events.last.ledger.dissipated, 0.05);
    CHECK_RELATIVE(fine.last.contact_points[0].worn, events.last.contact_points[0].worn, 0.1);
    CHECK(fine.largest_relative_energy_error < 1e-3);
}

TEST_CASE("a time-stepping run continues from any step to the same bits") {
    Mechanism made = slider_crank();
    made.stepping = TimeStepping{.step = 7e-6, .theta = 0.6};
    struct Seen {
        std::vector<double> numbers;
        std::vector<std::vector<double>> states;
        std::vector<std::size_t> before;
    };
    const auto run = [&](const std::vector<double>* from) {
        Seen seen;
        int steps = 0;
        Sinks sinks;
        sinks.sample = [&](const Sample& sample) {
            const ContactSample& at = sample.contact_points[0];
            for (const BodyState& body : sample.bodies) {
                seen.numbers.insert(seen.numbers.end(),
                                    {body.centre[0], body.centre[1], body.velocity[0],
                                     body.acceleration[0], body.angle, body.angular_velocity});
            }
            seen.numbers.insert(
                seen.numbers.end(),
                {sample.time, at.overlap, at.force, at.friction, at.worn, at.dissipation.normal,
                 at.dissipation.sliding, sample.ledger.energy_error, sample.ledger.external_work});
        };
        sinks.impact = [&](std::size_t, const Impact& impact) {
            for (double Impact::*number : impact_numbers)
                seen.numbers.push_back(impact.*number);
        };
        sinks.checkpoint_due = [&](std::int64_t) { return ++steps % 50 == 0; };
        sinks.checkpoint = [&](std::int64_t, const std::vector<double>& state) {
            seen.before.push_back(seen.numbers.size());
            seen.states.push_back(state);
        };
        const Result result = simulate(made, sinks, from);
        seen.numbers.push_back(static_cast<double>(result.steps));
        seen.numbers.push_back(result.penetration.depth);
        seen.numbers.push_back(result.largest_relative_energy_error);
        return seen;
    };
    const Seen whole = run(nullptr);
    REQUIRE(whole.states.size() > 3);
    for (std::size_t i = 0; i < whole.states.size(); ++i) {
        const Seen resumed = run(&whole.states[i]);
        REQUIRE(resumed.numbers.size() == whole.numbers.size() - whole.before[i]);
        std::size_t different = 0;
        for (std::size_t k = 0; k < resumed.numbers.size(); ++k) {
            different += std::bit_cast<std::uint64_t>(resumed.numbers[k]) !=
                         std::bit_cast<std::uint64_t>(whole.numbers[whole.before[i] + k]);
        }
        CHECK(different == 0);
    }
    std::vector<double> damaged = whole.states[0];
    damaged.pop_back();
    CHECK_THROWS_AS(run(&damaged), std::length_error);
}

TEST_CASE("time stepping refuses what it cannot do") {
    const auto refused = [](auto change) {
        Mechanism made = block(0.3, 0.0);
        made.end = 1.0;
        made.stepping = TimeStepping{.step = 1e-3};
        check(made);
        change(made);
        try {
            check(made);
        } catch (const PartError& error) {
            return error.key();
        }
        return std::string("nothing");
    };
    CHECK(refused([](Mechanism& m) { m.stepping->step = 0.0; }) == "time.step");
    CHECK(refused([](Mechanism& m) { m.stepping->step = 2.0; }) == "time.step");
    for (const double tiny : {1e-18, 1e-300, 1e-320})
        CHECK(refused([&](Mechanism& m) { m.stepping->step = tiny; }) == "time.step");
    CHECK(refused([](Mechanism& m) { m.stepping->theta = 0.4; }) == "integrator.theta");
    CHECK(refused([](Mechanism& m) { m.stepping->penetration_tolerance = -1.0; }) ==
          "integrator.penetration_tolerance");
    CHECK(refused([](Mechanism& m) {
              m.forces = {{.body = 0,
                           .times = {0.0},
                           .forces = {{1.0, 0.0}},
                           .oscillation = {.frequency = 200.0}}};
          }) == "time.step");
    CHECK(refused([](Mechanism& m) {
              m.contacts[1].law = Impulse{.definition = RestitutionDefinition::stronge};
          }) == "contact.1.law.definition");
    CHECK(refused([](Mechanism& m) {
              m.contacts[1].law = validation::law_settings("hertz");
              m.contacts[1].materials = Stiffness{1e8};
              m.contacts[1].friction.reset();
              std::get<PointLine>(m.contacts[1].geometry).radius = 0.01;
          }) == "contact.1.law");
    CHECK(refused([](Mechanism& m) { m.contacts[1].friction->static_coefficient = 0.4; }) ==
          "contact.1.friction");
    CHECK(refused([](Mechanism& m) { m.contacts[1].friction->viscous_coefficient = 0.1; }) ==
          "contact.1.friction");
    // A spring that is faster than the step.
    Mechanism fast = block(0.3, 0.1);
    fast.end = 0.1;
    fast.springs = {{.name = "spring",
                     .bodies = {ground, 0},
                     .points = {Vector{-0.5, 0.05}, Vector{0.0, 0.05}},
                     .stiffness = 1e9}};
    fast.stepping = TimeStepping{.step = 1e-3};
    CHECK_THROWS_WITH_AS(simulate(fast), doctest::Contains("time.step"), std::runtime_error);
}

}  // namespace
}  // namespace beadwave::validation::mechanism_time_stepping_test
