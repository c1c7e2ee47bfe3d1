// Solitary waves: their speed, their reflection, and two waves that pass through each other.

#include "relative.hpp"
#include "scenarios.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace beadwave::validation::solitary_wave_test {

namespace {

/// 60 steel beads, R = 5 mm, E = 203 GPa, nu = 0.3, rho = 7780 kg/m^3, all at rest except bead 0.
chain::Scenario sixty_beads(double end) {
    chain::Scenario scenario = steel_chain(60, 1.0, law_settings("hertz"), end);
    scenario.materials["steel"] = {.elasticity = {.youngs_modulus = 203e9, .poisson_ratio = 0.3},
                                   .density = 7780.0};
    for (chain::Segment& segment : scenario.segments) {
        segment.radius = 5e-3;
        segment.mass.reset();
    }
    scenario.time.step = 2e-8;
    return scenario;
}

}  // namespace

TEST_CASE("a solitary wave runs at Nesterenko's speed") {
    chain::Scenario scenario = sixty_beads(9e-4);
    scenario.sensors = scenario::Sensors{.ids = {}, .interval = 1e-6};
    for (std::int64_t bead = 20; bead <= 50; bead += 5)
        scenario.sensors->ids.push_back(bead);
    const auto sensors = run(scenario).result.sensors;

    const double theta = 3.0 * (1.0 - 0.3 * 0.3) / (4.0 * 203e9);
    const double largest = sensors.front().peak_velocity;
    const double nesterenko =
        std::pow(6.0 / (5.0 * std::numbers::pi * 7780.0 * theta), 0.4) * std::pow(largest, 0.2);
    const double measured = observers::wave_speed(sensors.front(), sensors.back());
    MESSAGE("wave speed ", measured, " m/s, Nesterenko ", nesterenko, " m/s, Vm ", largest, " m/s");
    CHECK_RELATIVE(largest, 0.6816, 1e-4);
    CHECK_RELATIVE(nesterenko, 680.0, 1e-4);
    // The discrete chain is 0.78 % below the long-wave formula.
    CHECK_RELATIVE(measured, 674.66, 2e-5);
    CHECK_RELATIVE(measured / nesterenko, 1.0 - 0.0078, 1e-4);
    for (std::size_t i = 1; i < sensors.size(); ++i) {
        CHECK_RELATIVE(observers::wave_speed(sensors[i - 1], sensors[i]), measured, 1e-4);
    }
}

TEST_CASE("a wall reflects the wave") {
    chain::Scenario scenario = sixty_beads(2.2e-3);
    scenario.right.kind = chain::EndKind::wall;
    const Finished finished = run(scenario);
    // The reflected wave throws the first beads back; the beads near the wall are then almost at
    // rest.
    CHECK(finished.engine->velocity()[0] < -0.9);
    const auto& ledger = finished.result.ledger;
    CHECK_RELATIVE(ledger.kinetic + ledger.stored, ledger.initial, 1e-6);
    CHECK(finished.result.momentum < -0.95 * finished.result.initial_momentum);
    CHECK(std::abs(finished.engine->velocity()[50]) < 0.05);
}

TEST_CASE("two counter-propagating waves pass through each other") {
    // The wave meets its mirror image in an even chain; it is compared with a single wave in an odd
    // chain.
    const auto arrivals = [](bool opposed) {
        chain::Scenario scenario = sixty_beads(8e-4);
        if (opposed) {
            chain::Segment last = scenario.segments.front();
            last.velocity = -1.0;
            scenario.segments[1].beads -= 1;
            scenario.segments.push_back(last);
        }
        scenario.sensors = scenario::Sensors{.ids = {45}, .interval = 1e-6};
        double late_peak = 0.0, late_time = 0.0;
        running::Sinks sinks;
        sinks.sensors = [&](auto, double time, auto force, auto) {
            if (time > 5e-4 && force[0] > late_peak) {
                late_peak = force[0];
                late_time = time;
            }
        };
        run(scenario, sinks);
        return std::pair(late_peak, late_time);
    };
    const auto [alone_peak, alone_time] = arrivals(false);
    const auto [met_peak, met_time] = arrivals(true);
    MESSAGE("alone ", alone_peak, " N at ", alone_time, " s; after the meeting ", met_peak,
            " N at ", met_time, " s");
    // Hertz chains are not integrable: the collision advances the waves and takes a little energy.
    CHECK_RELATIVE(met_peak, alone_peak, 0.02);
    CHECK(std::abs(met_time - alone_time) < 1.0e-5);
}

}  // namespace beadwave::validation::solitary_wave_test
