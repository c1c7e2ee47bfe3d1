// Contacts that feel each other and close together, under each definition of restitution, beside
// closed forms: with the 2 x 2 matrix D from impulses to speeds and approach speeds v, compression
// takes P = D^-1 v. Newton's restitution ends at e_i v_i; Poisson's adds e_i P_i; Stronge's adds x
// with x_i (D x)_i = e_i^2 P_i v_i, which is a quadratic equation for x_2 / x_1.
#include "coulomb.hpp"
#include "largest.hpp"
#include "mechanism/simulate.hpp"
#include "relative.hpp"
#include "sanitised.hpp"

#include <array>
#include <cmath>
#include <random>

namespace beadwave::validation::mechanism_simultaneous_test {
namespace {

using namespace mechanism;
namespace shapes = mechanism::shapes;
using laws::RestitutionDefinition;
using validation::coulomb, validation::g;

using Pair = std::array<double, 2>;
using Square = std::array<Pair, 2>;
constexpr RestitutionDefinition all_definitions[] = {
    RestitutionDefinition::newton, RestitutionDefinition::poisson, RestitutionDefinition::stronge};

Pair solve(const Square& d, const Pair& v) {
    const double determinant = d[0][0] * d[1][1] - d[0][1] * d[1][0];
    return {(d[1][1] * v[0] - d[0][1] * v[1]) / determinant,
            (d[0][0] * v[1] - d[1][0] * v[0]) / determinant};
}

Pair times(const Square& d, const Pair& p) {
    return {d[0][0] * p[0] + d[0][1] * p[1], d[1][0] * p[0] + d[1][1] * p[1]};
}

/// Both impulses, where both contacts push in compression and part in restitution.
Pair impulses(const Square& d, const Pair& v, const Pair& e, RestitutionDefinition definition) {
    const Pair pressed = solve(d, v);
    Pair more{};
    switch (definition) {
        case RestitutionDefinition::newton:
            more = solve(d, {e[0] * v[0], e[1] * v[1]});
            break;
        case RestitutionDefinition::poisson:
            more = {e[0] * pressed[0], e[1] * pressed[1]};
            break;
        case RestitutionDefinition::stronge: {
            const Pair work{e[0] * e[0] * pressed[0] * v[0], e[1] * e[1] * pressed[1] * v[1]};
            const double a = work[0] * d[1][1], b = work[0] * d[1][0] - work[1] * d[0][1],
                         c = -work[1] * d[0][0];
            const double ratio = (-b + std::sqrt(b * b - 4.0 * a * c)) / (2.0 * a);
            more[0] = std::sqrt(work[0] / (d[0][0] + d[0][1] * ratio));
            more[1] = ratio * more[0];
            break;
        }
    }
    return {pressed[0] + more[0], pressed[1] + more[1]};
}

Contact corner(const Vector& point, double e, RestitutionDefinition definition, double mu) {
    Contact made{
        .name = "corner",
        .bodies = {0, ground},
        .geometry = PointLine{.point = point, .line_point = {0.0, 0.0}, .normal = {0.0, 1.0}},
        .law = Impulse{.restitution = e, .definition = definition}};
    if (mu > 0.0) made.friction = coulomb(mu);
    return made;
}

TEST_CASE("a box that lands flat on two corners rebounds as each definition says") {
    constexpr double m = 0.8, inertia = 2e-3, drop = 1e-3, fall = 2.0, slide = 9.0, high = 0.03;
    const Pair arm{-0.05, 0.08}, e{0.7, 0.4};
    for (const double mu : {0.0, 0.2}) {
        for (const auto definition : all_definitions) {
            CAPTURE(mu);
            CAPTURE(definition);
            Mechanism made;
            made.bodies = {{.name = "box",
                            .mass = m,
                            .inertia = inertia,
                            .centre = {0.0, high + drop},
                            .velocity = Vector{slide, -fall}}};
            for (const std::size_t k : {0, 1})
                made.contacts.push_back(corner({arm[k], drop}, e[k], definition, mu));
            made.accuracy = 1e-11;
            made.end = 6e-4;
            // The box slides to the right all through the impact: friction is mu P to the left, at
            // the height -high.
            Square d{};
            for (const std::size_t i : {0, 1}) {
                for (const std::size_t j : {0, 1})
                    d[i][j] = 1.0 / m + arm[i] * (arm[j] - mu * high) / inertia;
            }
            const Pair p = impulses(d, {fall, fall}, e, definition);
            const Pair after = times(d, p);
            const Result result = simulate(made);
            const BodyState& box = result.last.bodies[0];
            CHECK_RELATIVE(box.velocity[1], -fall + (p[0] + p[1]) / m, 1e-10);
            CHECK_RELATIVE(box.velocity[0], slide - mu * (p[0] + p[1]) / m, 1e-10);
            CHECK_RELATIVE(box.angular_velocity,
                           (p[0] * (arm[0] - mu * high) + p[1] * (arm[1] - mu * high)) / inertia,
                           1e-9);
            const Pair pressed = solve(d, {fall, fall});
            for (const std::size_t k : {0, 1}) {
                REQUIRE(result.contact_points[k].impacts.size() == 1);
                const Impact& hit = result.contact_points[k].impacts[0];
                CHECK_RELATIVE(hit.separation_speed, after[k] - fall, 1e-9);
                if (definition == RestitutionDefinition::newton) continue;
                CHECK_RELATIVE(hit.poisson_restitution, p[k] / pressed[k] - 1.0, 1e-9);
                if (definition == RestitutionDefinition::stronge)
                    CHECK_RELATIVE(hit.stronge_restitution, e[k], 1e-9);
            }
            CHECK(result.largest_relative_energy_error < 1e-12);
            if (definition != RestitutionDefinition::newton)
                CHECK(result.last.ledger.dissipated > 0.0);
        }
    }
}

/// Three equal discs in a row; the second and the third touch, and a force presses them together.
Mechanism cradle(double mass, double speed, double press, const Pair& e,
                 RestitutionDefinition definition) {
    constexpr double radius = 0.01, gap = 1e-3;
    Mechanism made;
    const double at[] = {-2.0 * radius - gap, 0.0, 2.0 * radius};
    for (const std::size_t k : {0, 1, 2}) {
        made.bodies.push_back({.name = "ball " + std::to_string(k),
                               .mass = mass,
                               .inertia = 1e-5,
                               .centre = {at[k], 0.0},
                               .velocity = Vector{k == 0 ? speed : 0.0, 0.0}});
    }
    for (const std::size_t k : {0, 1}) {
        made.contacts.push_back(
            {.name = "pair " + std::to_string(k),
             .bodies = {k, k + 1},
             .geometry = SphereSphere{.centres = {made.bodies[k].centre, made.bodies[k + 1].centre},
                                      .radii = {radius, radius}},
             .law = Impulse{.restitution = e[k], .definition = definition}});
    }
    if (press > 0.0) {
        made.forces = {
            {.body = 1, .point = {0.0, 0.0}, .times = {0.0}, .forces = {{press, 0.0}}},
            {.body = 2, .point = {2.0 * radius, 0.0}, .times = {0.0}, .forces = {{-press, 0.0}}}};
    }
    made.accuracy = 1e-11;
    made.end = 1.5 * gap / speed;
    return made;
}

TEST_CASE("Newton's cradle of three: balls that are pressed together share the impact") {
    constexpr double m = 0.1, v = 1.0, press = 1e-7;
    for (const Pair& e : {Pair{1.0, 1.0}, Pair{0.8, 0.3}, Pair{0.5, 0.9}}) {
        for (const auto definition : all_definitions) {
            CAPTURE(e[0]);
            CAPTURE(definition);
            const Result result = simulate(cradle(m, v, press, e, definition));
            // Compression leaves all at v/3, with impulses of 2/3 and 1/3 of m v. The contact that
            // rests approaches at no speed and takes up no work: Newton's and Stronge's restitution
            // keep it closed; Poisson's gives its part back, or what keeps the balls apart.
            double first = 2.0 / 3.0 * e[0], second = 0.5 * first;
            if (definition == RestitutionDefinition::poisson) second = std::max(second, e[1] / 3.0);
            const double expected[] = {v / 3.0 - first * v, v / 3.0 + (first - second) * v,
                                       v / 3.0 + second * v};
            for (const std::size_t k : {0, 1, 2})
                CHECK_ABSOLUTE(result.last.bodies[k].velocity[0], expected[k], 1e-8);
            CHECK(result.last.ledger.dissipated > -1e-12);
            CHECK(result.largest_relative_energy_error < 1e-9);
        }
    }
    // Without a force nothing tells that they touch: one impact after the other.
    for (const auto definition : all_definitions) {
        const Result result = simulate(cradle(m, v, 0.0, {1.0, 1.0}, definition));
        CHECK_ABSOLUTE(result.last.bodies[0].velocity[0], 0.0, 1e-12);
        CHECK_ABSOLUTE(result.last.bodies[1].velocity[0], 0.0, 1e-12);
        CHECK_ABSOLUTE(result.last.bodies[2].velocity[0], v, 1e-12);
    }
}

TEST_CASE("a double pendulum strikes two stops at once, with each definition") {
    // Two rods in line turn about the origin and meet stops where they hang down.
    constexpr double m1 = 0.6, m2 = 0.4, l1 = 0.3, l2 = 0.2, speed = 3.0, tilt = 0.01;
    constexpr double s1 = 0.25, s2 = 0.15;  // of the stops, from the origin and from the joint
    const Pair e{0.6, 0.9};
    const Vector along{-std::sin(tilt), -std::cos(tilt)}, left{std::cos(tilt), -std::sin(tilt)};
    for (const auto definition : all_definitions) {
        CAPTURE(definition);
        Mechanism made;
        made.bodies = {{.name = "upper",
                        .mass = m1,
                        .inertia = m1 * l1 * l1 / 12.0,
                        .centre = 0.5 * l1 * along,
                        .velocity = 0.5 * l1 * speed * left,
                        .angular_velocity = speed},
                       {.name = "lower",
                        .mass = m2,
                        .inertia = m2 * l2 * l2 / 12.0,
                        .centre = (l1 + 0.5 * l2) * along,
                        .velocity = (l1 + 0.5 * l2) * speed * left,
                        .angular_velocity = speed}};
        made.joints = {{.bodies = {ground, 0}, .point = {0.0, 0.0}},
                       {.bodies = {0, 1}, .point = l1 * along}};
        for (const std::size_t k : {0, 1}) {
            made.contacts.push_back(
                {.name = "stop " + std::to_string(k),
                 .bodies = {k, ground},
                 .geometry = PointLine{.point = (k == 0 ? s1 : l1 + s2) * along,
                                       .line_point = {0.0, 0.0},
                                       .normal = {-1.0, 0.0}},
                 .law = Impulse{.restitution = e[k], .definition = definition}});
        }
        made.accuracy = 1e-11;
        made.end = 1.1 * tilt / speed;
        // Masses of the two angles where the rods are in line, and speeds at the stops.
        const Square mass{{{m1 * l1 * l1 / 3.0 + m2 * l1 * l1, 0.5 * m2 * l1 * l2},
                           {0.5 * m2 * l1 * l2, m2 * l2 * l2 / 3.0}}};
        const Square arms{{{s1, 0.0}, {l1, s2}}};
        Square d{};
        Square responses{};  // of the angular velocities to each impulse
        for (const std::size_t j : {0, 1}) {
            responses[j] = solve(mass, arms[j]);
            for (const std::size_t i : {0, 1})
                d[i][j] = arms[i][0] * responses[j][0] + arms[i][1] * responses[j][1];
        }
        const Pair p = impulses(d, {s1 * speed, (l1 + s2) * speed}, e, definition);
        const Result result = simulate(made);
        // After it nothing acts but the rods on each other, for a thousandth of a radian.
        for (const std::size_t k : {0, 1}) {
            REQUIRE(result.contact_points[k].impacts.size() == 1);
            const double turned = speed - p[0] * responses[0][k] - p[1] * responses[1][k];
            const Pair v{s1 * speed, (l1 + s2) * speed};
            CHECK_RELATIVE(result.contact_points[k].impacts[0].separation_speed,
                           times(d, p)[k] - v[k], 1e-7);
            CHECK_ABSOLUTE(result.last.bodies[k].angular_velocity, turned, 2e-3 * speed);
        }
        CHECK(result.last.ledger.dissipated > 0.0);
        CHECK(result.largest_relative_energy_error < 1e-9);
    }
}

TEST_CASE(
    "no definition but Newton's with friction creates energy, at any corners and restitutions") {
    std::mt19937_64 random(11);
    const auto number = [&](double low, double high) {
        return std::uniform_real_distribution(low, high)(random);
    };
    std::size_t impacts = 0;
    for (int i = 0; i < (sanitised ? 30 : 120); ++i) {
        const auto definition = all_definitions[i % 3];
        const double mu = i % 2 == 0 ? 0.0 : number(0.1, 1.0);
        Mechanism made;
        made.gravity = {0.0, -g};
        made.bodies = {{.name = "box",
                        .mass = number(0.1, 2.0),
                        .inertia = number(1e-4, 1e-2),
                        .centre = {0.0, 0.06},
                        .velocity = Vector{number(-3.0, 3.0), -1.0}}};
        const int corners = 2 + i % 4;
        for (int k = 0; k < corners; ++k)
            made.contacts.push_back(
                corner({number(-0.1, 0.1), 0.01}, number(0.0, 1.0), definition, mu));
        made.accuracy = 1e-8;
        made.end = 0.02;
        const Result result = simulate(made);
        const double initial = result.last.ledger.initial;
        CHECK(result.largest_relative_energy_error < 1e-9);
        if (definition != RestitutionDefinition::newton || mu == 0.0)
            CHECK(result.last.ledger.dissipated > -1e-9 * initial);
        for (const ContactImpacts& point : result.contact_points) {
            for (const Impact& hit : point.impacts) {
                ++impacts;
                if (definition == RestitutionDefinition::stronge)
                    CHECK(hit.dissipated > -1e-9 * initial);
            }
        }
    }
    CHECK(impacts > (sanitised ? 30 : 200));
}

}  // namespace
}  // namespace beadwave::validation::mechanism_simultaneous_test
