#include "largest.hpp"
#include "mechanism/simulate.hpp"
#include "relative.hpp"

#include <algorithm>
#include <cmath>

namespace beadwave::validation::mechanism_impulses_test {
namespace {

using namespace mechanism;

constexpr double g = 9.81;

/// A body above the floor. It touches the floor with corners at these distances from its centre.
Mechanism block(std::vector<double> corners, double height, double restitution) {
    Mechanism made;
    made.gravity = {0.0, -g};
    made.bodies = {{.name = "block", .mass = 0.5, .inertia = 1e-4, .centre = {0.0, height}}};
    for (std::size_t i = 0; i < corners.size(); ++i) {
        made.contacts.push_back({.name = "corner " + std::to_string(i),
                                 .bodies = {0, ground},
                                 .geometry = PointLine{.point = {corners[i], height},
                                                       .line_point = {0.0, 0.0},
                                                       .normal = {0.0, 1.0}},
                                 .law = Impulse{restitution}});
    }
    made.accuracy = 1e-10;
    return made;
}

TEST_CASE(
    "under impulses a falling body rebounds lower each time, and is at rest when the rebounds "
    "end") {
    constexpr double height = 0.01, e = 0.5;
    Mechanism made = block({0.0}, height, e);
    made.end = 0.3;
    made.interval = 0.3;
    const Result result = simulate(made);
    const auto& impacts = result.contact_points.at(0).impacts;
    const double fall = std::sqrt(2.0 * height / g), speed = std::sqrt(2.0 * height * g);
    REQUIRE(impacts.size() > 10);
    double start = fall, closing = speed;
    for (std::size_t i = 0; i < 10; ++i) {
        CHECK_RELATIVE(impacts[i].start, start, 1e-9);
        CHECK_RELATIVE(impacts[i].impact_speed, closing, 1e-6);
        closing *= e;
        start += 2.0 * closing / g;
    }
    // All rebounds together take as long as the first fall, times 2 e/(1 - e). The last ones, which
    // are left out, are lower than 1e-15 m and take about 1e-8 s.
    CHECK_ABSOLUTE(impacts.back().start, fall * (1.0 + 2.0 * e / (1.0 - e)), 1e-7);
    CHECK(std::isnan(impacts.back().end));
    CHECK_RELATIVE(result.last.contact_points[0].force, 0.5 * g, 1e-12);
    CHECK(std::abs(result.last.contact_points[0].overlap) < 1e-15);
    CHECK_RELATIVE(result.last.ledger.normal_dissipation, 0.5 * g * height, 1e-9);
    CHECK(std::abs(result.last.ledger.relative_energy_error) < 1e-9);
}

TEST_CASE(
    "a body that slides down a ball leaves it where the normal reaction would become tensile") {
    constexpr double reach = 0.3, mass = 0.2, speed = 0.4;
    Mechanism made;
    made.gravity = {0.0, -g};
    made.bodies = {{.name = "slides",
                    .mass = mass,
                    .inertia = 1e-5,
                    .centre = {0.0, reach},
                    .velocity = Vector{speed, 0.0}}};
    made.contacts = {{.name = "ball",
                      .bodies = {0, ground},
                      .geometry = SphereSphere{.centres = {Vector{0.0, reach}, Vector{0.0, 0.0}},
                                               .radii = {0.1, 0.2}},
                      .law = Impulse{0.3}}};
    made.accuracy = 1e-11;
    made.end = 0.5;
    made.interval = 1e-3;
    // From energy and the centripetal force: it leaves where 3 cos = 2 + v^2/(g R), with the speed
    // of that height.
    const double cosine = (2.0 + speed * speed / (g * reach)) / 3.0;
    const double left = std::sqrt(speed * speed + 2.0 * g * reach * (1.0 - cosine));
    Sample last{};
    double at = 0.0;
    Largest worst;
    const Result result = simulate(made, [&](const Sample& sample) {
        last = sample;
        if (!(sample.contact_points[0].force > 0.0)) return;
        at = sample.time;
        const Vector& centre = sample.bodies[0].centre;
        const double c = centre[1] / reach, square = speed * speed + 2.0 * g * reach * (1.0 - c);
        worst.enter(std::abs(sample.contact_points[0].force - mass * (g * c - square / reach)));
        CHECK(std::abs(length(centre) - reach) < 1e-12);
    });
    const auto& impacts = result.contact_points.at(0).impacts;
    REQUIRE(impacts.size() == 1);
    CHECK(worst < 1e-9);
    const double end = impacts[0].end;
    CHECK(at <= end);
    CHECK(end - at < 2e-3);
    // Then it falls freely. Its position at the end depends on where and how fast it left.
    const double x = last.bodies[0].centre[0], y = last.bodies[0].centre[1], t = made.end - end;
    const double sine = std::sqrt(1.0 - cosine * cosine);
    CHECK_RELATIVE(last.bodies[0].velocity[0], left * cosine, 1e-8);
    CHECK_RELATIVE(x, reach * sine + left * cosine * t, 1e-8);
    CHECK_RELATIVE(y, reach * cosine - left * sine * t - 0.5 * g * t * t, 1e-8);
    CHECK(std::abs(result.last.ledger.relative_energy_error) < 1e-9);
}

TEST_CASE("corners that strike at once share the impulse, each with its own restitution") {
    // Unequal arms: impulses one after the other would make the block rotate.
    constexpr double height = 0.02, e = 0.4;
    Mechanism made = block({-0.03, 0.05}, height, e);
    const double fall = std::sqrt(2.0 * height / g);
    made.end = fall * (1.0 + e);
    made.interval = made.end;
    const Result thrown = simulate(made);
    for (const std::size_t corner : {0, 1}) {
        REQUIRE(thrown.contact_points[corner].impacts.size() == 1);
        const Impact& hit = thrown.contact_points[corner].impacts[0];
        CHECK_RELATIVE(hit.impact_speed, g * fall, 1e-9);
        CHECK_RELATIVE(hit.separation_speed, e * g * fall, 1e-9);
    }
    CHECK(std::abs(thrown.last.bodies[0].angular_velocity) < 1e-10);
    CHECK_RELATIVE(thrown.last.bodies[0].centre[1], height * e * e, 1e-8);  // highest

    made.end = 0.3;
    const Result result = simulate(made);
    CHECK_RELATIVE(result.last.contact_points[0].force, 0.5 * g * 5.0 / 8.0, 1e-9);
    CHECK_RELATIVE(result.last.contact_points[1].force, 0.5 * g * 3.0 / 8.0, 1e-9);
    CHECK(std::abs(result.last.bodies[0].angle) < 1e-12);
    CHECK(std::abs(result.last.ledger.relative_energy_error) < 1e-9);
}

TEST_CASE("an impulse at another contact opens a contact at rest, or loads it") {
    // A plank rests on two corners; a ball falls on its middle, then on its end beyond a corner.
    for (const double place : {0.0, 0.09}) {
        CAPTURE(place);
        Mechanism made = block({-0.05, 0.05}, 0.0, 0.5);
        made.bodies[0].inertia = 1e-3;
        made.bodies.push_back(
            {.name = "ball", .mass = 0.1, .inertia = 1e-6, .centre = {place, 0.02}});
        made.contacts.push_back(
            {.name = "ball",
             .bodies = {1, 0},
             .geometry =
                 PointLine{.point = {place, 0.02}, .line_point = {0.0, 0.01}, .normal = {0.0, 1.0}},
             .law = Impulse{0.5}});
        const double fall = std::sqrt(2.0 * 0.01 / g), speed = g * fall;
        made.end = fall + 1e-4;
        made.interval = made.end;
        const Result result = simulate(made);
        const auto& hits = result.contact_points.at(2).impacts;
        REQUIRE(hits.size() == 1);
        CHECK_RELATIVE(hits[0].impact_speed, speed, 1e-9);
        CHECK_RELATIVE(hits[0].separation_speed, 0.5 * speed, 1e-9);
        REQUIRE(result.contact_points[0].impacts.size() == 1);
        REQUIRE(result.contact_points[1].impacts.size() == 1);
        CHECK(std::isnan(result.contact_points[1].impacts[0].end));
        const Vector& ball = result.last.bodies[1].velocity;
        if (place == 0.0) {  // on both corners: the plank stays
            CHECK(std::isnan(result.contact_points[0].impacts[0].end));
            CHECK_RELATIVE(ball[1], 0.5 * speed - g * 1e-4, 1e-6);
            CHECK(std::abs(result.last.bodies[0].angular_velocity) < 1e-10);
            continue;
        }
        // The plank turns about the corner that is loaded. The impulse P acts 0.04 m from it and
        // gives the plank, with the inertia 1e-3 + 0.5 0.05^2 kg m^2 about it, the angular velocity
        // w. The ball separates with 0.5 of the speed.
        const double inertia = 1e-3 + 0.5 * 0.05 * 0.05, arm = 0.04;
        const double impulse = 1.5 * speed / (1.0 / 0.1 + arm * arm / inertia);
        CHECK_RELATIVE(result.contact_points[0].impacts[0].end, hits[0].start, 1e-12);
        CHECK_RELATIVE(hits[0].mass, 1.0 / (1.0 / 0.1 + 1.0 / 0.5 + 0.09 * 0.09 / 1e-3), 1e-9);
        CHECK_RELATIVE(ball[1] + g * 1e-4, impulse / 0.1 - speed, 1e-9);
        // Gravity, on 0.5 kg at 0.05 m, turns the plank back.
        CHECK_RELATIVE(result.last.bodies[0].angular_velocity,
                       -arm * impulse / inertia + 0.5 * g * 0.05 / inertia * 1e-4, 1e-4);
        CHECK(std::abs(result.last.ledger.relative_energy_error) < 1e-9);
    }
}

}  // namespace
}  // namespace beadwave::validation::mechanism_impulses_test
