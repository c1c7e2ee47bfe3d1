#include "largest.hpp"
#include "line_contacts.hpp"
#include "mechanism/simulate.hpp"
#include "relative.hpp"
#include "sanitised.hpp"
#include "scenarios.hpp"
#include "slider_crank.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace beadwave::validation::mechanism_conservation_test {
namespace {

using namespace mechanism;

const laws::Elasticity steel{.youngs_modulus = 207e9, .poisson_ratio = 0.3, .yield_stress = 600e6};

/// A pin in a ring, both free: the pin strikes the ring again and again. Both stay near the origin:
/// the overlap is a difference of coordinates, and its rounding grows with them.
Mechanism pin_in_ring(const laws::Settings& law) {
    Mechanism made;
    made.bodies = {{.name = "pin",
                    .mass = 0.2,
                    .inertia = 1e-5,
                    .centre = {0.0, 0.0},
                    .velocity = Vector{1.0, 0.3},
                    .angular_velocity = 20.0},
                   {.name = "ring",
                    .mass = 0.5,
                    .inertia = 1e-4,
                    .centre = {0.01, -0.02},
                    .velocity = Vector{-0.39, -0.11},
                    .angular_velocity = -1.0}};
    made.contacts = {
        {.name = "ring",
         .bodies = {0, 1},
         .geometry = Journal{.point = {0.0, 0.0}, .bearing_radius = 0.01, .clearance = 0.5e-3},
         .materials = Materials{{steel, steel}},
         .law = law}};
    return made;
}

/// The largest change of energy, momentum and angular momentum over a run, relative.
struct Kept {
    std::size_t impacts = 0;
    Largest energy, momentum, turn;
};

Kept kept(const Mechanism& made) {
    Kept worst;
    std::array<double, 3> first{};
    bool has_first = false;
    const auto on_sample = [&](const Sample& sample) {
        std::array<double, 3> now{};
        for (std::size_t i = 0; i < 2; ++i) {
            const BodyState& body = sample.bodies[i];
            const Body& given = made.bodies[i];
            now[0] += given.mass * body.velocity[0];
            now[1] += given.mass * body.velocity[1];
            now[2] += given.mass * cross(body.centre, body.velocity) +
                      given.inertia * body.angular_velocity;
        }
        if (!has_first) first = now;
        has_first = true;
        const double momentum = std::hypot(first[0], first[1]);
        worst.momentum.enter(std::hypot(now[0] - first[0], now[1] - first[1]) / momentum);
        worst.turn.enter(std::abs(now[2] / first[2] - 1.0));
        const Ledger& l = sample.ledger;
        worst.energy.enter(std::abs((l.kinetic + l.stored) / l.initial - 1.0));
    };
    worst.impacts = simulate(made, on_sample).contact_points.at(0).impacts.size();
    return worst;
}

TEST_CASE("a free mechanism with elastic contacts keeps energy and momentum") {
    // 1000 impacts of a hundred steps each take half a minute. The test runs a tenth of them and
    // allows a tenth of the error of 1000.
    Mechanism made = pin_in_ring(validation::law_settings("hertz"));
    made.accuracy = 1e-10;
    made.end = 0.08;
    made.interval = 1e-3;
    const Kept worst = kept(made);
    CHECK(worst.impacts >= 100);
    CHECK(worst.energy < 1e-9);
    CHECK(worst.momentum < 1e-11);
    CHECK(worst.turn < 1e-10);
}

TEST_CASE("a free mechanism keeps energy and momentum over 1000 elastic impulses" *
          doctest::skip(sanitised)) {
    Mechanism made = pin_in_ring(validation::law_settings("hertz"));
    made.contacts[0].law = Impulse{1.0};
    made.accuracy = 1e-10;
    made.end = 0.8;
    made.interval = 1e-2;
    const Kept worst = kept(made);
    CHECK(worst.impacts >= 1000);
    CHECK(worst.energy < 1e-10);
    CHECK(worst.momentum < 1e-11);
    CHECK(worst.turn < 1e-10);
}

TEST_CASE("the ledger of a mechanism balances under every law") {
    for (const laws::Entry& entry : laws::catalogue()) {
        if (!entry.refused.empty() || entry.family == "adhesion") continue;  // mechanisms refuse it
        CAPTURE(entry.name);
        validation::SliderCrank given;
        given.law = validation::law_settings(entry.name);
        if (given.law.values.contains("impact_speed"))
            given.law.values["impact_speed"] = std::string("initial");
        given.end = 2e-3;
        const Result result = simulate(given.mechanism());
        CHECK(!result.contact_points.at(0).impacts.empty());
        CHECK(std::abs(result.last.ledger.relative_energy_error) < 1e-6);
    }
}

TEST_CASE("the ledger of a mechanism balances under every line law") {
    for (const laws::LineEntry& entry : laws::line_catalogue()) {
        CAPTURE(entry.name);
        validation::SliderCrank given;
        given.law = validation::line_settings(entry.name, {{"restitution", 0.8}});
        given.end = 2e-3;
        Mechanism made = given.mechanism();
        std::get<Journal>(made.contacts[0].geometry).length = 0.02;
        const Result result = simulate(made);
        CHECK(!result.contact_points.at(0).impacts.empty());
        CHECK(std::abs(result.last.ledger.relative_energy_error) < 1e-6);
    }
}

}  // namespace
}  // namespace beadwave::validation::mechanism_conservation_test
