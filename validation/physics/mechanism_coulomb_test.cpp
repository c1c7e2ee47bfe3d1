// Mechanisms under impulses with Coulomb friction: bodies that rest stick exactly, slip and stop,
// roll and rock; impacts follow laws::collide().
#include "coulomb.hpp"
#include "largest.hpp"
#include "laws/planar_body.hpp"
#include "mechanism/simulate.hpp"
#include "relative.hpp"
#include "sanitised.hpp"
#include "scenarios.hpp"

#include <cmath>
#include <random>

namespace beadwave::validation::mechanism_coulomb_test {
namespace {

using namespace mechanism;
namespace shapes = mechanism::shapes;
using validation::coulomb, validation::g;

/// A block of 2 kg, 0.2 m wide and 0.1 m high, with two corners on a floor or above it.
Mechanism block(double friction, double restitution, double slope, double height = 0.0) {
    Mechanism made;
    made.gravity = {g * std::sin(slope), -g * std::cos(slope)};
    made.bodies = {{.name = "block",
                    .mass = 2.0,
                    .inertia = 2.0 * (0.04 + 0.01) / 12.0,
                    .centre = {0.0, 0.05 + height}}};
    for (const double x : {-0.1, 0.1}) {
        made.contacts.push_back(
            {.name = x < 0.0 ? "left" : "right",
             .bodies = {0, ground},
             .geometry =
                 PointLine{.point = {x, height}, .line_point = {0.0, 0.0}, .normal = {0.0, 1.0}},
             .law = Impulse{.restitution = restitution},
             .friction = coulomb(friction)});
    }
    made.accuracy = 1e-10;
    made.end = 1.0;
    return made;
}

/// A ball of radius 0.1 m that touches an endless floor, or is above it.
Mechanism ball(double friction, double restitution, double slope, double height = 0.0) {
    Mechanism made;
    made.gravity = {g * std::sin(slope), -g * std::cos(slope)};
    made.bodies = {
        {.name = "ball", .mass = 0.5, .inertia = 0.4 * 0.5 * 0.01, .centre = {0.0, 0.1 + height}}};
    made.contacts = {{.name = "floor",
                      .bodies = {0, ground},
                      .geometry = Shapes{.first = shapes::Circle{{0.0, 0.1 + height}, 0.1},
                                         .second = shapes::Segment{{-50.0, 0.0}, {50.0, 0.0}}},
                      .law = Impulse{.restitution = restitution},
                      .friction = coulomb(friction)}};
    made.accuracy = 1e-10;
    made.end = 1.0;
    return made;
}

double friction_of(const Result& result) {
    double sum = 0.0;
    for (const ContactSample& at : result.last.contact_points)
        sum += at.friction;
    return sum;
}

TEST_CASE("a block on a slope of 0.2 rad sticks exactly with mu = 0.3, and slips with mu = 0.1") {
    const double slope = 0.2, s = std::sin(slope), c = std::cos(slope);
    const Result rest = simulate(block(0.3, 0.0, slope));
    CHECK(std::abs(rest.last.bodies[0].centre[0]) < 1e-13);
    CHECK(std::abs(rest.last.bodies[0].velocity[0]) < 1e-15);
    CHECK(std::abs(rest.last.bodies[0].angle) < 1e-13);
    CHECK_RELATIVE(std::abs(friction_of(rest)), 2.0 * g * s, 1e-12);
    CHECK(rest.steps < 100);

    const double a = g * (s - 0.1 * c);
    const Result moved = simulate(block(0.1, 0.0, slope));
    CHECK_RELATIVE(moved.last.bodies[0].acceleration[0], a, 1e-12);
    CHECK_RELATIVE(moved.last.bodies[0].velocity[0], a, 1e-6);
    CHECK_RELATIVE(moved.last.bodies[0].centre[0], 0.5 * a, 1e-6);
    CHECK_RELATIVE(moved.last.ledger.friction_dissipation, 0.1 * 2.0 * g * c * 0.5 * a, 1e-6);
    CHECK(moved.largest_relative_energy_error < 1e-3);  // at the start: of rounding
    CHECK(std::abs(moved.last.ledger.relative_energy_error) < 1e-8);
}

TEST_CASE("a block that slides up a slope stops, and slides back only if friction lets it") {
    const double slope = 0.2, s = std::sin(slope), c = std::cos(slope), v = 1.2;
    Mechanism up = block(0.3, 0.0, slope);
    up.bodies[0].velocity = Vector{-v, 0.0};
    const Result stays = simulate(up);
    CHECK_RELATIVE(stays.last.bodies[0].centre[0], -v * v / (2.0 * g * (s + 0.3 * c)), 1e-6);
    CHECK(std::abs(stays.last.bodies[0].velocity[0]) < 1e-14);

    Mechanism returns = block(0.1, 0.0, slope);
    returns.bodies[0].velocity = Vector{-v, 0.0};
    const Result back = simulate(returns);
    const double stop = v / (g * (s + 0.1 * c));
    REQUIRE(stop < 1.0);
    CHECK_RELATIVE(back.last.bodies[0].velocity[0], g * (s - 0.1 * c) * (1.0 - stop), 1e-6);
    CHECK(back.largest_relative_energy_error < 1e-8);
}

TEST_CASE("a block begins to slip when the force on it passes mu N") {
    Mechanism pulled = block(0.25, 0.0, 0.0);
    // At the height of the floor: it does not tip the block.
    pulled.forces = {{.body = 0,
                      .point = {0.0, 0.0},
                      .times = {0.0, 1.0},
                      .forces = {Vector{0.0, 0.0}, Vector{10.0, 0.0}}}};
    const double limit = 0.25 * 2.0 * g, start = limit / 10.0;
    const Result result = simulate(pulled);
    CHECK_RELATIVE(result.last.bodies[0].velocity[0], 10.0 * std::pow(1.0 - start, 2) / 4.0, 1e-6);
    pulled.end = 0.999 * start;
    const Result held = simulate(pulled);
    CHECK(std::abs(held.last.bodies[0].velocity[0]) < 1e-14);
}

TEST_CASE("a ball on a slope rolls with 5/7 of g sin a, or slips at g (sin a - mu cos a)") {
    const double slope = 0.5, s = std::sin(slope), c = std::cos(slope);
    const Result rolls = simulate(ball(0.3, 0.0, slope));
    REQUIRE(0.3 > 2.0 / 7.0 * s / c);
    const BodyState& rolling = rolls.last.bodies[0];
    CHECK_RELATIVE(rolling.acceleration[0], 5.0 / 7.0 * g * s, 1e-9);
    CHECK_RELATIVE(rolling.velocity[0], 5.0 / 7.0 * g * s, 1e-6);
    CHECK_RELATIVE(rolling.velocity[0], -0.1 * rolling.angular_velocity, 1e-10);
    CHECK(std::abs(rolls.last.ledger.friction_dissipation) < 1e-6);

    const Result slips = simulate(ball(0.1, 0.0, slope));
    CHECK_RELATIVE(slips.last.bodies[0].acceleration[0], g * (s - 0.1 * c), 1e-9);
    CHECK_RELATIVE(slips.last.bodies[0].angular_acceleration, -0.1 * g * c / (0.4 * 0.1), 1e-9);
}

TEST_CASE("a ball that slides first rolls from the time on at which its speed is 5/7") {
    Mechanism thrown = ball(0.2, 0.0, 0.0);
    thrown.bodies[0].velocity = Vector{1.4, 0.0};
    thrown.end = 0.5;  // rolls after 2 v / (7 mu g) = 0.204 s
    const Result result = simulate(thrown);
    CHECK_RELATIVE(result.last.bodies[0].velocity[0], 1.0, 1e-6);
    CHECK_RELATIVE(result.last.ledger.friction_dissipation, 0.5 * 0.5 * 1.4 * 1.4 * 2.0 / 7.0,
                   1e-6);
    CHECK(std::abs(friction_of(result)) < 1e-10);
}

TEST_CASE("an oblique impact of a mechanism is that of laws::collide, in each definition") {
    for (const auto definition :
         {laws::RestitutionDefinition::newton, laws::RestitutionDefinition::poisson,
          laws::RestitutionDefinition::stronge}) {
        // A rod that falls on one end and slides: reverse slip.
        constexpr double m = 1.0, length = 1.0, angle = 1.0, mu = 0.1, e = 0.7, fall = 0.01;
        const Vector arm{-0.5 * length * std::cos(angle), -0.5 * length * std::sin(angle)};
        Mechanism made;
        made.bodies = {{.name = "rod",
                        .mass = m,
                        .inertia = m * length * length / 12.0,
                        .centre = Vector{0.0, fall} - arm,
                        .velocity = Vector{0.05, -1.0}}};
        made.contacts = {
            {.name = "end",
             .bodies = {0, ground},
             .geometry =
                 PointLine{.point = {0.0, fall}, .line_point = {0.0, 0.0}, .normal = {0.0, 1.0}},
             .law = Impulse{.restitution = e, .definition = definition},
             .friction = coulomb(mu)}};
        made.accuracy = 1e-10;
        made.end = 0.02;
        const Result result = simulate(made);
        const laws::PlanarBody rod{
            .mass = m, .inertia = m * length * length / 12.0, .contact = {arm[0], arm[1]}};
        // The tangent is left_of(normal), to the left; mirrored it is the x axis.
        const laws::PlanarBody mirrored{
            .mass = rod.mass, .inertia = rod.inertia, .contact = {-arm[0], arm[1]}};
        const laws::PlanarBody floor{.mass = 1e300, .inertia = 1e300};
        const laws::RigidImpact impact =
            laws::collide(laws::rigid_contact(mirrored, floor, mu),
                          {.approach = 1.0, .slip = -0.05}, e, definition);
        REQUIRE(result.contact_points[0].impacts.size() == 1);
        const Impact& seen = result.contact_points[0].impacts[0];
        CHECK_RELATIVE(seen.separation_speed, -impact.after.approach, 1e-10);
        CHECK_RELATIVE(seen.dissipated, impact.normal_dissipation(), 1e-10);
        CHECK_RELATIVE(seen.poisson_restitution,
                       impact.normal_impulse / impact.compression_impulse - 1.0, 1e-9);
        CHECK_RELATIVE(result.last.bodies[0].velocity[1], -1.0 + impact.normal_impulse / m, 1e-10);
        CHECK_RELATIVE(result.last.bodies[0].velocity[0], 0.05 - impact.tangential_impulse / m,
                       1e-10);
        CHECK_RELATIVE(result.last.ledger.friction_dissipation, impact.friction_dissipation(),
                       1e-9);
        CHECK(result.largest_relative_energy_error < 1e-10);
    }
}

TEST_CASE("a block that rocks keeps 1 - 3/2 sin^2 a of its angular velocity in each impact") {
    // G. W. Housner, Bull. Seismol. Soc. Am. 53 (1963) 403-417: a is the angle of the diagonal.
    const double half_width = 0.02, half_height = 0.1, tilt = 0.05;
    const double ratio =
        1.0 - 1.5 * half_width * half_width / (half_width * half_width + half_height * half_height);
    Mechanism made;
    made.gravity = {0.0, -g};
    const Vector pivot{half_width, 0.0};
    const Vector centre = pivot + rotated({-half_width, half_height}, -tilt);
    const Vector other = pivot + rotated({-2.0 * half_width, 0.0}, -tilt);
    made.bodies = {{.name = "block",
                    .mass = 1.0,
                    .inertia = (half_width * half_width + half_height * half_height) / 3.0,
                    .centre = centre}};
    for (const Vector& corner : {pivot, other}) {
        made.contacts.push_back(
            {.name = corner == pivot ? "right" : "left",
             .bodies = {0, ground},
             .geometry = PointLine{.point = corner, .line_point = {0.0, 0.0}, .normal = {0.0, 1.0}},
             .law = Impulse{.restitution = 0.0},
             .friction = coulomb(1.0)});
    }
    made.accuracy = 1e-10;
    made.end = 0.5;
    const Result result = simulate(made);
    const auto& left = result.contact_points[1].impacts;
    const auto& right = result.contact_points[0].impacts;
    REQUIRE(left.size() >= 1);
    REQUIRE(right.size() >= 2);
    // The next corner strikes as fast as the block turned about the one before.
    const double first = left[0].impact_speed, second = right[1].impact_speed;
    CHECK_RELATIVE(second, ratio * first, 1e-6);
    CHECK(std::abs(result.last.ledger.relative_energy_error) < 1e-8);
}

TEST_CASE("a rod that slides into Painleve's paradox stops in an impact without approach speed") {
    const double angle = std::atan(2.0);
    const Vector arm{-0.5 * std::cos(angle), -0.5 * std::sin(angle)};
    Mechanism made;
    made.gravity = {0.0, -g};
    made.bodies = {{.name = "rod", .mass = 1.0, .inertia = 1.0 / 12.0, .centre = -arm}};
    // In this direction friction presses the end into the floor.
    made.bodies[0].velocity = Vector{-1.0, 0.0};
    made.contacts = {
        {.name = "end",
         .bodies = {0, ground},
         .geometry = PointLine{.point = {0.0, 0.0}, .line_point = {0.0, 0.0}, .normal = {0.0, 1.0}},
         .law = Impulse{.restitution = 0.0},
         .friction = coulomb(1.6)}};
    made.accuracy = 1e-10;
    made.end = 1e-3;
    const Result result = simulate(made);
    REQUIRE(!result.contact_points[0].impacts.empty());
    CHECK(result.contact_points[0].impacts[0].impact_speed < 1e-6);
    const BodyState& rod = result.last.bodies[0];
    CHECK(std::abs(rod.velocity_at(rod.at(arm))[0]) < 1e-9);
    CHECK(result.last.ledger.friction_dissipation > 0.1);
    CHECK(result.largest_relative_energy_error < 1e-8);
}

TEST_CASE("Coulomb's friction and the law impulse need each other") {
    Mechanism regularised = block(0.3, 0.0, 0.0);
    regularised.contacts[0].friction->law = Friction::Law::ambrosio;
    CHECK_THROWS_AS(check(regularised), PartError);
    Mechanism negative = block(-0.3, 0.0, 0.0);
    CHECK_THROWS_AS(check(negative), PartError);
    Mechanism elastic = block(0.3, 0.0, 0.0);
    elastic.contacts[0].law = validation::law_settings("hertz");
    elastic.contacts[0].materials = Stiffness{1e8};
    CHECK_THROWS_AS(check(elastic), PartError);
}

TEST_CASE("random blocks that fall with friction never gain energy") {
    std::mt19937_64 random(7);
    const auto number = [&](double low, double high) {
        return std::uniform_real_distribution(low, high)(random);
    };
    std::size_t impacts = 0;
    for (int i = 0; i < (sanitised ? 8 : 40); ++i) {
        Mechanism made = block(number(0.0, 1.5), number(0.0, 0.9), number(-0.3, 0.3), 0.05);
        const bool flat = i % 4 == 0;
        made.bodies[0].velocity = Vector{number(-2.0, 2.0), flat ? 0.0 : number(-2.0, 1.0)};
        if (!flat) made.bodies[0].angular_velocity = number(-10.0, 10.0);
        made.end = 0.6;
        made.accuracy = 1e-8;
        made.interval = 0.01;
        double before = 1e300;
        Largest largest;
        const Result result = simulate(made, [&](const Sample& sample) {
            const double energy = sample.ledger.kinetic + sample.ledger.potential;
            largest.enter(sample.ledger.kinetic);
            CHECK(energy <= before + 1e-7 * largest);
            before = energy;
        });
        CHECK(result.largest_relative_energy_error < 1e-6);
        for (const ContactImpacts& contact : result.contact_points)
            impacts += contact.impacts.size();
    }
    CHECK(impacts > (sanitised ? 40 : 200));
}

}  // namespace
}  // namespace beadwave::validation::mechanism_coulomb_test
