// Impacts of rigid bodies with friction against closed forms, and against a plain integration over
// the normal impulse.
#include "laws/rigid_impact.hpp"

#include "beadwave/argument_error.hpp"
#include "laws/planar_body.hpp"
#include "relative.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace beadwave::validation::rigid_impact_test {
namespace {

using namespace laws;
using Kind = ImpactPhase::Kind;
using Definition = RestitutionDefinition;

constexpr Definition definitions[] = {Definition::newton, Definition::poisson, Definition::stronge};
constexpr double infinity = std::numeric_limits<double>::infinity();
const PlanarBody plane{.mass = infinity, .inertia = infinity};

PlanarBody sphere(double mass, double radius) {
    return {.mass = mass, .inertia = 0.4 * mass * radius * radius, .contact = {0.0, -radius}};
}

/// A uniform rod that touches the plane with its lower end, at this angle to the plane.
PlanarBody rod(double mass, double length, double angle) {
    return {.mass = mass,
            .inertia = mass * length * length / 12.0,
            .contact = {-0.5 * length * std::cos(angle), -0.5 * length * std::sin(angle)}};
}

std::vector<Kind> kinds(const RigidImpact& impact) {
    std::vector<Kind> all;
    for (const ImpactPhase& phase : impact.phases) {
        if (all.empty() || all.back() != phase.kind) all.push_back(phase.kind);
    }
    return all;
}

TEST_CASE("an oblique sphere slips through, or rolls on with 5/7 of its speed") {
    constexpr double m = 0.3, v = 2.0, mu = 0.1, e = 0.6;
    const RigidContact contact = rigid_contact(sphere(m, 0.05), plane, mu);
    CHECK_RELATIVE(contact.tangential, 3.5 / m, 1e-14);
    const double limit = 3.5 * mu * (1.0 + e) * v;  // of the speed up to which it sticks
    for (const Definition definition : definitions) {
        const RigidImpact slips =
            collide(contact, {.approach = v, .slip = 1.5 * limit}, e, definition);
        CHECK_RELATIVE(slips.normal_impulse, (1.0 + e) * m * v, 1e-13);
        CHECK_RELATIVE(slips.tangential_impulse, -mu * (1.0 + e) * m * v, 1e-13);
        CHECK_RELATIVE(slips.after.slip, 0.5 * limit, 1e-13);
        CHECK_RELATIVE(slips.after.approach, -e * v, 1e-13);
        CHECK(kinds(slips) == std::vector{Kind::slip});
        CHECK_RELATIVE(slips.normal_dissipation(), 0.5 * m * v * v * (1.0 - e * e), 1e-12);

        const double slow = -0.8 * limit;
        const RigidImpact sticks = collide(contact, {.approach = v, .slip = slow}, e, definition);
        CHECK_RELATIVE(sticks.tangential_impulse, -2.0 / 7.0 * m * slow, 1e-13);
        CHECK(sticks.after.slip == 0.0);
        CHECK(sticks.sticks);
        CHECK(kinds(sticks) == std::vector{Kind::slip, Kind::stick});
        CHECK_RELATIVE(sticks.friction_dissipation(), m * slow * slow / 7.0, 1e-12);
    }
}

TEST_CASE("a rod that strikes with one end sticks where friction holds it") {
    constexpr double m = 2.0, v = 1.5, e = 0.5, angle = 1.0;
    const double s = std::sin(angle), c = std::cos(angle);
    const RigidContact contact = rigid_contact(rod(m, 0.7, angle), plane, 1.0);
    CHECK_RELATIVE(contact.normal, (1.0 + 3.0 * c * c) / m, 1e-13);
    CHECK_RELATIVE(contact.tangential, (1.0 + 3.0 * s * s) / m, 1e-13);
    CHECK_RELATIVE(contact.coupling, -3.0 * s * c / m, 1e-13);
    REQUIRE(3.0 * s * c < 1.0 + 3.0 * s * s);
    for (const Definition definition : definitions) {
        const RigidImpact impact = collide(contact, {.approach = v, .slip = 0.0}, e, definition);
        // The end is a hinge: the rod turns about it, with (1 + e) of the moment of the approach.
        const double turning = 3.0 * c * v * (1.0 + e) / (2.0 * 0.7);
        const MotionChange change =
            motion_change(rod(m, 0.7, angle), {impact.tangential_impulse, impact.normal_impulse});
        CHECK(impact.sticks);
        CHECK(kinds(impact) == std::vector{Kind::stick});
        CHECK_RELATIVE(impact.normal_impulse, m * v * (1.0 + e) * (1.0 - 0.75 * c * c), 1e-13);
        CHECK_RELATIVE(std::abs(change.angular_velocity), turning, 1e-13);
        CHECK_RELATIVE(impact.after.approach, -e * v, 1e-13);
    }
}

TEST_CASE("the slip of a rod turns, and the three definitions part") {
    constexpr double m = 1.0, v = 1.0, e = 0.7, angle = 1.0, mu = 0.1, slip = 0.05;
    const RigidContact c = rigid_contact(rod(m, 1.0, angle), plane, mu);
    REQUIRE(-c.coupling > mu * c.tangential);
    // Slip at +0.05 until p1, then at the other side; separation speed over p: slopes k1, then k2.
    const double k1 = c.normal - mu * c.coupling, k2 = c.normal + mu * c.coupling;
    const double p1 = slip / (mu * c.tangential - c.coupling);
    const double u1 = v - k1 * p1;  // still approaching
    REQUIRE(u1 > 0.0);
    const double pc = p1 + u1 / k2;
    const double taken = 0.5 * (v + u1) * p1 + 0.5 * u1 * u1 / k2;
    const double expected[] = {pc + e * v / k2, (1.0 + e) * pc,
                               pc + e * std::sqrt(2.0 * taken / k2)};
    for (std::size_t i = 0; i < 3; ++i) {
        const RigidImpact impact = collide(c, {.approach = v, .slip = slip}, e, definitions[i]);
        CHECK(kinds(impact) == std::vector{Kind::slip, Kind::reverse_slip});
        CHECK_RELATIVE(impact.normal_impulse, expected[i], 1e-13);
        CHECK_RELATIVE(impact.tangential_impulse, -mu * p1 + mu * (expected[i] - p1), 1e-13);
        CHECK_RELATIVE(impact.compression_work, taken, 1e-13);
        CHECK(impact.after.slip < 0.0);
    }
    CHECK(std::abs(expected[0] - expected[1]) > 1e-3 * expected[0]);
    CHECK(std::abs(expected[1] - expected[2]) > 2e-5 * expected[1]);
}

TEST_CASE("a rod jams from mu = 4/3 on, and then stops even without an approach speed") {
    // Painleve: the smallest friction is at the angle whose tangent is 2.
    const double angle = std::atan(2.0);
    CHECK_FALSE(jams(rigid_contact(rod(1.0, 1.0, angle), plane, 4.0 / 3.0 - 1e-9), -1.0));
    CHECK(jams(rigid_contact(rod(1.0, 1.0, angle), plane, 4.0 / 3.0 + 1e-9), -1.0));
    CHECK_FALSE(jams(rigid_contact(rod(1.0, 1.0, angle), plane, 10.0), 1.0));
    const RigidContact contact = rigid_contact(rod(1.0, 1.0, angle), plane, 1.6);
    for (const Definition definition : definitions) {
        const RigidImpact impact =
            collide(contact, {.approach = 0.0, .slip = -1.0}, 0.5, definition);
        CHECK(kinds(impact) == std::vector{Kind::jam, Kind::stick});
        // The slip ends where its own impulse stops it; friction takes 1.6 of the normal one.
        CHECK_RELATIVE(impact.phases[0].normal_impulse,
                       1.0 / (1.6 * contact.tangential + contact.coupling), 1e-12);
        CHECK(impact.after.slip == 0.0);
        CHECK(impact.dissipated > 0.0);
    }
    const RigidImpact gentle = collide(rigid_contact(rod(1.0, 1.0, angle), plane, 0.5),
                                       {.approach = 0.0, .slip = -1.0}, 0.5, Definition::poisson);
    CHECK(gentle.normal_impulse == 0.0);
}

/// Two random bodies at a contact, in units of 1.
struct Random {
    std::mt19937_64 generator{30};
    double number(double low, double high) {
        return std::uniform_real_distribution(low, high)(generator);
    }
    PlanarBody body() {
        return {.mass = std::exp(number(-2.0, 2.0)),
                .inertia = std::exp(number(-4.0, 1.0)),
                .contact = {number(-1.0, 1.0), number(-1.0, 1.0)}};
    }
};

TEST_CASE("of 100,000 random impacts none creates energy, but some under Newton's definition") {
    Random random;
    int created = 0, jammed = 0, reversed = 0, stuck = 0;
    for (int i = 0; i < 100'000; ++i) {
        const RigidContact contact = rigid_contact(
            random.body(), i % 3 == 0 ? plane : random.body(), random.number(0.0, 2.5));
        const ContactVelocity before{.approach = random.number(0.0, 2.0),
                                     .slip = i % 10 == 0 ? 0.0 : random.number(-2.0, 2.0)};
        const double e = i % 7 == 0 ? 1.0 : random.number(0.0, 1.0);
        for (const Definition definition : definitions) {
            const RigidImpact impact = collide(contact, before, e, definition);
            const double size = impact.compression_work + std::abs(impact.dissipated);
            REQUIRE(impact.after.approach <= 1e-12 * (before.approach + std::abs(before.slip)));
            REQUIRE(std::abs(impact.tangential_impulse) <=
                    (1.0 + 1e-12) * contact.friction * impact.normal_impulse);
            REQUIRE(impact.friction_dissipation() >= -1e-11 * size);
            if (definition != Definition::newton)
                REQUIRE(impact.dissipated >= -1e-11 * size);
            else if (impact.dissipated < -1e-6 * size)
                ++created;
            if (definition != Definition::poisson) continue;
            const auto seen = kinds(impact);
            jammed += !seen.empty() && seen.front() == Kind::jam;
            reversed += !seen.empty() && seen.back() == Kind::reverse_slip;
            stuck += impact.sticks;
        }
    }
    MESSAGE("jam ", jammed, ", stick ", stuck, ", reverse slip ", reversed, ", Newton creates ",
            created);
    CHECK(created > 0);
    CHECK(jammed > 100);
    CHECK(reversed > 1000);
    CHECK(stuck > 1000);
}

TEST_CASE("random impacts agree with an integration over the normal impulse in small steps") {
    Random random;
    constexpr int steps = 200'000;
    for (int i = 0; i < 60; ++i) {
        const RigidContact c = rigid_contact(random.body(), random.body(), random.number(0.0, 1.5));
        const ContactVelocity before{.approach = random.number(0.1, 2.0),
                                     .slip = random.number(-2.0, 2.0)};
        const RigidImpact impact = collide(c, before, 0.8, Definition::poisson);
        const double dp = impact.normal_impulse / steps;
        double separation = -before.approach, slip = before.slip, tangential = 0.0;
        for (int step = 0; step < steps; ++step) {
            // The smallest tangential impulse that stops the slip, within mu dp.
            const double needed = -(slip + c.coupling * dp) / c.tangential;
            const double taken = std::clamp(needed, -c.friction * dp, c.friction * dp);
            separation += c.normal * dp + c.coupling * taken;
            slip += c.coupling * dp + c.tangential * taken;
            tangential += taken;
        }
        const double scale = before.approach + std::abs(before.slip);
        CHECK(std::abs(separation + impact.after.approach) < 1e-3 * scale);
        CHECK(std::abs(slip - impact.after.slip) < 1e-3 * scale);
        CHECK(std::abs(tangential - impact.tangential_impulse) < 1e-3 * impact.normal_impulse);
    }
}

TEST_CASE("numbers that no pair of bodies has are refused") {
    const auto impact = [](const RigidContact& contact, double e) {
        return collide(contact, {.approach = 1.0, .slip = 0.0}, e, Definition::stronge);
    };
    CHECK_THROWS_AS(impact({.normal = 0.0, .tangential = 1.0}, 0.5), ArgumentError);
    CHECK_THROWS_AS(impact({.normal = 1.0, .tangential = 1.0, .coupling = 1.1}, 0.5),
                    ArgumentError);
    CHECK_THROWS_AS(impact({.normal = 1.0, .tangential = 1.0, .friction = -0.1}, 0.5),
                    ArgumentError);
    CHECK_THROWS_AS(impact({.normal = 1.0, .tangential = 1.0}, 1.5), ArgumentError);
}

}  // namespace
}  // namespace beadwave::validation::rigid_impact_test
