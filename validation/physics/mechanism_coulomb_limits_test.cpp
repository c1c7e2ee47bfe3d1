// Where impacts with Coulomb friction have no end, too many contacts, or energy from nowhere.
#include "coulomb.hpp"
#include "mechanism/simulate.hpp"
#include "relative.hpp"
#include "sanitised.hpp"
#include "scenarios.hpp"

#include <cmath>
#include <string>

namespace beadwave::validation::mechanism_coulomb_limits_test {
namespace {

using namespace mechanism;
using validation::coulomb, validation::g;

TEST_CASE("a block that rests in a V-groove or falls into it is computed, and gains no energy") {
    // Two contacts, four directions of impulses, three of motion: with enough friction they jam the
    // block, and their speeds after the compression are rounding.
    for (int tenth = 2; tenth <= 20; ++tenth) {
        for (const double restitution : {0.0, 0.3, 0.8}) {
            for (const double fall : {0.0, 1.0}) {
                CAPTURE(tenth);
                CAPTURE(restitution);
                CAPTURE(fall);
                Mechanism made;
                made.gravity = {0.0, -g};
                made.bodies = {{.name = "bar", .mass = 1.0, .inertia = 1e-3, .centre = {0.0, 0.0}}};
                made.bodies[0].velocity = Vector{0.0, -fall};
                for (const double side : {-1.0, 1.0}) {
                    const Vector at{0.05 * side, 0.01 * side};
                    made.contacts.push_back(
                        {.name = side < 0.0 ? "left" : "right",
                         .bodies = {0, ground},
                         .geometry =
                             PointLine{.point = at, .line_point = at, .normal = {-0.8 * side, 0.6}},
                         .law = Impulse{.restitution = restitution},
                         .friction = coulomb(0.1 * tenth)});
                }
                made.end = 0.1;
                const Result result = simulate(made);
                const recording::Ledger& ledger = result.last.ledger;
                CHECK(ledger.kinetic + ledger.potential <= 0.5 * fall * fall + 1e-9);
                CHECK(!result.contact_points[0].impacts.empty());
            }
        }
    }
}

TEST_CASE("a block that rocks comes to rest after finitely many impacts" *
          doctest::skip(sanitised)) {
    const double half_width = 0.02, half_height = 0.1, tilt = 0.05;
    const double square = half_width * half_width + half_height * half_height;
    const Vector pivot{half_width, 0.0};
    const Vector centre = pivot + rotated({-half_width, half_height}, -tilt);
    const Vector other = pivot + rotated({-2.0 * half_width, 0.0}, -tilt);
    for (const double friction : {1.0, 0.0}) {
        CAPTURE(friction);
        Mechanism made;
        made.gravity = {0.0, -g};
        made.bodies = {{.name = "block", .mass = 1.0, .inertia = square / 3.0, .centre = centre}};
        for (const Vector& corner : {pivot, other}) {
            made.contacts.push_back(
                {.name = corner == pivot ? "right" : "left",
                 .bodies = {0, ground},
                 .geometry =
                     PointLine{.point = corner, .line_point = {0.0, 0.0}, .normal = {0.0, 1.0}},
                 .law = Impulse{.restitution = 0.0}});
            if (friction > 0.0) made.contacts.back().friction = coulomb(friction);
        }
        made.end = 5.0;
        const Result result = simulate(made);
        const BodyState& block = result.last.bodies[0];
        CHECK(length(block.velocity) < 1e-12);
        CHECK(std::abs(block.angular_velocity) < 1e-12);
        CHECK_RELATIVE(block.centre[1], half_height, 1e-10);
        for (const ContactSample& corner : result.last.contact_points)
            CHECK_RELATIVE(corner.force, 0.5 * g, 1e-3);
        CHECK_RELATIVE(result.last.ledger.dissipated, g * (centre[1] - half_height), 1e-6);
        const std::size_t count =
            result.contact_points[0].impacts.size() + result.contact_points[1].impacts.size();
        // Each impact leaves this part of the speed, or less without friction. Below 1e-8 m/s a
        // rebound is lower than rounding.
        const double ratio = 1.0 - 1.5 * half_width * half_width / square;
        const double first = result.contact_points[1].impacts[0].impact_speed;
        CHECK(static_cast<double>(count) < std::log(first / 1e-8) / -std::log(ratio));
        if (friction > 0.0)
            CHECK(static_cast<double>(count) > std::log(first / 1e-6) / -std::log(ratio));
    }
}

TEST_CASE("a run warns of impacts that create energy, and says how much") {
    // T. R. Kane and D. A. Levinson, "Dynamics: Theory and Applications", 1985: a rod that strikes
    // the floor and slides; Newton's restitution gives it more energy than it had.
    for (const auto definition :
         {laws::RestitutionDefinition::newton, laws::RestitutionDefinition::poisson,
          laws::RestitutionDefinition::stronge}) {
        const double angle = std::atan(2.0), fall = 0.01;
        const Vector arm{-0.5 * std::cos(angle), -0.5 * std::sin(angle)};
        Mechanism made;
        made.bodies = {{.name = "rod",
                        .mass = 1.0,
                        .inertia = 1.0 / 12.0,
                        .centre = Vector{0.0, fall} - arm,
                        .velocity = Vector{0.5, -1.0}}};
        made.contacts = {
            {.name = "end",
             .bodies = {0, ground},
             .geometry =
                 PointLine{.point = {0.0, fall}, .line_point = {0.0, 0.0}, .normal = {0.0, 1.0}},
             .law = Impulse{.restitution = 1.0, .definition = definition},
             .friction = coulomb(0.5)}};
        made.end = 0.02;
        const Result result = simulate(made);
        const double before = 0.5 * (1.0 + 0.25), gain = result.last.ledger.kinetic - before;
        if (definition != laws::RestitutionDefinition::newton) {
            CHECK(gain <= 0.0);
            CHECK(result.warnings.empty());
            continue;
        }
        REQUIRE(gain > 1e-3);
        REQUIRE(result.warnings.size() == 1);
        const std::string start = "an impact created energy, ";
        REQUIRE(result.warnings[0].starts_with(start));
        CHECK_RELATIVE(std::stod(result.warnings[0].substr(start.size())), gain, 1e-2);
    }
}

}  // namespace
}  // namespace beadwave::validation::mechanism_coulomb_limits_test
