// Masses inside beads have a weight: at the start they hang on their springs.

#include "largest.hpp"
#include "plain_chain.hpp"
#include "relative.hpp"
#include "scenarios.hpp"

#include <array>
#include <cmath>
#include <vector>

namespace beadwave::validation::hanging_masses_test {

namespace {

constexpr std::size_t beads = 5;
constexpr double mass = 0.45e-3, inner = 0.3e-3, spring = 400.0, gravity = 9.81;

chain::Scenario column() {
    chain::Scenario scenario = steel_chain(beads, 0.0, law_settings("hertz"), 1e-3);
    scenario.right.kind = chain::EndKind::wall;
    scenario.gravity = chain::Gravity{.acceleration = gravity, .equilibrium = true};
    scenario.elements.resonators.push_back({.beads = {}, .mass = inner, .spring = {spring}});
    return scenario;
}

}  // namespace

TEST_CASE("a column with hanging masses rests, and its contacts carry their weight") {
    const auto finished = run(column());
    const auto force = finished.engine->contact_force();
    for (std::size_t c = 1; c <= beads; ++c)
        CHECK_RELATIVE(force[c], static_cast<double>(c) * (mass + inner) * gravity, 1e-10);
    for (const double velocity : finished.engine->velocity())
        CHECK(std::abs(velocity) < 1e-12);
}

TEST_CASE("hanging masses move as with gravity on every mass and springs stretched by M g / k") {
    const double speed = 1e-3;
    chain::Scenario scenario = column();
    chain::Chain chain = chain::build_chain(scenario);
    std::vector<double> start(beads), overlap(beads + 1);
    chain.velocity[0] = start[0] = speed;
    constexpr double step = 2e-8;
    constexpr int steps = 40000;
    const auto engine = dynamics::make_tiled_engine(chain, step, 1);
    dynamics::SensorTrace trace;
    engine->advance(steps, trace);

    // Plain velocity Verlet with all forces.
    const double a = hertz_spheres(2.38e-3, 2.38e-3, 193e9, 0.3);
    const double wall = a * std::sqrt(2.0);
    const auto factor = [&](std::size_t c) { return c < beads ? a : wall; };
    for (std::size_t c = 1; c <= beads; ++c)
        overlap[c] =
            std::pow(static_cast<double>(c) * (mass + inner) * gravity / factor(c), 2.0 / 3.0);
    std::vector<double> x(2 * beads), v(2 * beads), f(2 * beads);
    v[0] = v[beads] = speed;
    for (std::size_t i = 0; i < beads; ++i)
        x[beads + i] = inner * gravity / spring;
    const auto set_forces = [&] {
        for (std::size_t i = 0; i < beads; ++i) {
            const double pull = spring * (x[beads + i] - x[i]);
            f[i] = mass * gravity + pull;
            f[beads + i] = inner * gravity - pull;
        }
        for (std::size_t c = 1; c <= beads; ++c) {
            const double closer = overlap[c] + x[c - 1] - (c < beads ? x[c] : 0.0);
            const double push = closer > 0.0 ? factor(c) * std::pow(closer, 1.5) : 0.0;
            f[c - 1] -= push;
            if (c < beads) f[c] += push;
        }
    };
    const auto kick = [&] {
        for (std::size_t i = 0; i < 2 * beads; ++i)
            v[i] += 0.5 * step * f[i] / (i < beads ? mass : inner);
    };
    set_forces();
    for (int n = 0; n < steps; ++n) {
        kick();
        for (std::size_t i = 0; i < 2 * beads; ++i)
            x[i] += step * v[i];
        set_forces();
        kick();
    }
    const auto moved = engine->displacement();
    Largest largest;
    for (std::size_t i = 0; i < beads; ++i)
        largest.enter(std::abs(x[i]));
    for (std::size_t i = 0; i < beads; ++i)
        CHECK_ABSOLUTE(moved[i], x[i], 1e-6 * largest);
}

}  // namespace beadwave::validation::hanging_masses_test
