// Energy and momentum: conserved quantities do not change, and the ledger balances.

#include "beadwave/laws/catalogue.hpp"
#include "relative.hpp"
#include "scenarios.hpp"

#include <algorithm>
#include <cmath>

namespace beadwave::validation::energy_test {

TEST_CASE("an elastic chain keeps its energy to 1e-9 and its momentum to 1e-13") {
    chain::Scenario scenario = steel_chain(71, 1.77, law_settings("hertz"), 700e-6);
    scenario.time.step = 4e-9;
    const auto result = run(scenario).result;
    MESSAGE("relative energy drift ", result.ledger.relative_energy_error,
            ", largest swing within a collision ", result.largest_relative_energy_error,
            ", relative momentum drift ", result.momentum / result.initial_momentum - 1.0);
    CHECK(result.ledger.dissipated == 0.0);
    CHECK(std::abs(result.ledger.relative_energy_error) < 1e-9);
    CHECK_RELATIVE(result.momentum, result.initial_momentum, 1e-13);
}

TEST_CASE("the ledger of every law balances to 1e-6 at the automatic time step") {
    for (const laws::Entry& entry : laws::catalogue()) {
        if (!entry.refused.empty()) continue;
        chain::Scenario scenario =
            steel_chain(71, 1.77, law_settings(entry.name, {{"impact_speed", 1.77}}), 700e-6);
        const auto result = run(scenario).result;
        MESSAGE(entry.name, ": energy error ", result.ledger.relative_energy_error, ", at most ",
                result.largest_relative_energy_error);
        CHECK_MESSAGE(std::abs(result.ledger.relative_energy_error) < 1e-6, entry.name);
        CHECK_MESSAGE(result.largest_relative_energy_error < 1e-6, entry.name);
        CHECK_MESSAGE(std::abs(result.momentum / result.initial_momentum - 1.0) < 1e-13,
                      entry.name);
        // DMT's force jumps and loses nothing: what a step makes of the jump has either sign.
        const double jumps = entry.family == "adhesion" ? 1e-8 * result.ledger.initial : 0.0;
        CHECK_MESSAGE(result.ledger.dissipated >= -jumps, entry.name);
    }
}

TEST_CASE("the largest energy error of every law falls with the second power of the time step") {
    for (const laws::Entry& entry : laws::catalogue()) {
        if (!entry.refused.empty()) continue;
        const auto error_of = [&](double step) {
            chain::Scenario scenario =
                steel_chain(21, 1.77, law_settings(entry.name, {{"impact_speed", 1.77}}), 100e-6);
            scenario.time.step = step;
            scenario.energy_interval = 0.5e-6;  // the same times with any step
            return run(scenario).result.largest_relative_energy_error;
        };
        const double order = std::log2(error_of(8e-8) / error_of(2e-8)) / 2.0;
        MESSAGE(entry.name, ": order of the energy error ", order);
        CHECK_MESSAGE(order >= 1.9, entry.name);
    }
}

TEST_CASE("dissipated energy is the work of the damping force, integrated independently") {
    // Two beads under Hunt-Crossley; the reference is a plain midpoint integration of the
    // collision.
    const double speed = 1.0;
    const double restitution = 0.7;
    chain::Scenario scenario = steel_chain(
        2, speed,
        law_settings("hunt-crossley", {{"restitution", restitution}, {"impact_speed", speed}}),
        40e-6);
    scenario.time.step = 2e-9;
    const auto result = run(scenario).result;

    const double E = 193e9 / (2.0 * (1.0 - 0.3 * 0.3));
    const double K = 4.0 / 3.0 * E * std::sqrt(2.38e-3 / 2.0);
    const double m = 0.45e-3 / 2.0;
    const double chi = 1.5 * (1.0 - restitution) / speed;
    double x = 0.0, v = speed, dissipated = 0.0;
    const double h = 1e-10;
    const auto damping = [&](double d, double w) {
        return K * std::pow(std::max(d, 0.0), 1.5) * chi * w;
    };
    const auto force = [&](double d, double w) {
        return K * std::pow(std::max(d, 0.0), 1.5) + damping(d, w);
    };
    while (x >= 0.0) {
        const double x_mid = x + 0.5 * h * v;
        const double v_mid = v - 0.5 * h * force(x, v) / m;
        dissipated += h * damping(x_mid, v_mid) * v_mid;
        x += h * v_mid;
        v -= h * force(x_mid, v_mid) / m;
    }
    CHECK_RELATIVE(result.ledger.dissipated, dissipated, 1e-6);
    CHECK_RELATIVE(result.ledger.kinetic, result.ledger.initial - dissipated, 1e-6);
}

TEST_CASE("gravity's work is in the ledger of a falling and bouncing bead") {
    chain::Scenario scenario = steel_chain(1, 0.0, law_settings("hertz"), 0.03);
    scenario.gravity = chain::Gravity{.acceleration = 9.81, .equilibrium = false};
    scenario.right = {.kind = chain::EndKind::wall, .material = {}, .gap = 1e-3};
    const auto result = run(scenario).result;
    CHECK(result.ledger.initial == 0.0);
    CHECK(result.ledger.external_work > 0.0);
    CHECK(result.largest_relative_energy_error < 1e-6);
}

}  // namespace beadwave::validation::energy_test
