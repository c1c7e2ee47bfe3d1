// Ends that swallow waves: how much energy they send back.

#include "config_runs.hpp"
#include "dynamics/tiled_engine.hpp"
#include "largest.hpp"
#include "relative.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace beadwave::validation::absorbing_ends_test {

namespace {

constexpr double pi = std::numbers::pi, mass = 0.45e-3;

double kinetic(const dynamics::Engine& engine, std::size_t begin, std::size_t end) {
    double sum = 0.0;
    for (std::size_t i = begin; i < end; ++i)
        sum += 0.5 * mass * engine.velocity()[i] * engine.velocity()[i];
    return sum;
}

chain::Scenario with_absorbing_ends(std::int64_t beads, double speed) {
    chain::Scenario scenario = steel_chain(beads, speed, law_settings("hertz"), 1e-3);
    scenario.right.kind = chain::EndKind::absorbing;
    return scenario;
}

/// A packet of waves of small amplitude in a compressed chain between two absorbing ends: it splits
/// into two that run to either end. Energy that comes back over the energy of both; `part`: of the
/// cut-off frequency.
double packet_reflection(double part, double width) {
    constexpr std::size_t n = 1400, tail = 100;
    chain::Scenario scenario = with_absorbing_ends(n, 0.0);
    scenario.left.kind = chain::EndKind::absorbing;
    scenario.precompression = 20.0;
    chain::Chain chain = chain::build_chain(scenario);
    const double q = 2.0 * std::asin(part);
    for (std::size_t i = 0; i < n; ++i) {
        const double x = static_cast<double>(i) - 0.5 * (n - 1);
        chain.velocity[i] = 1e-6 * std::exp(-0.5 * x * x / (width * width)) * std::cos(q * x);
    }
    // The group velocity [beads/s], from k = 3/2 A^(2/3) F^(1/3), A = 4/3 E* sqrt(R*).
    const double a = 4.0 / 3.0 * 193e9 / (2.0 * (1.0 - 0.3 * 0.3)) * std::sqrt(0.5 * 2.38e-3);
    const double k = 1.5 * std::pow(a, 2.0 / 3.0) * std::cbrt(20.0);
    const double group = std::sqrt(k / mass) * std::cos(0.5 * q);
    const double dt = 1.0 / std::sqrt(k / mass) / 40.0;
    const auto engine = dynamics::make_tiled_engine(chain, dt, 1);
    const double start = kinetic(*engine, 0, n);
    dynamics::SensorTrace trace;
    // Until the packets are in the middle of the chain again, if they came back. Kinetic and stored
    // energy of a running wave are equal on the average; the average is over a period and more.
    const double back = (n - tail) / group;
    engine->advance(static_cast<std::int64_t>(0.9 * back / dt), trace);
    double sum = 0.0;
    constexpr int samples = 400;
    for (int s = 0; s < samples; ++s) {
        engine->advance(static_cast<std::int64_t>(0.2 * back / samples / dt) + 1, trace);
        sum += 2.0 * kinetic(*engine, tail, n - tail);
    }
    return sum / samples / start;
}

}  // namespace

TEST_CASE("an absorbing end of a compressed chain reflects less than 1e-4 within the band") {
    for (const auto& [part, width] : {std::pair{0.06, 120.0},
                                      {0.08, 100.0},
                                      {0.1, 80.0},
                                      {0.2, 50.0},
                                      {0.4, 40.0},
                                      {0.6, 40.0},
                                      {0.8, 40.0},
                                      {0.9, 40.0},
                                      {0.95, 40.0}}) {
        const double reflected = packet_reflection(part, width);
        MESSAGE("at ", part, " of the cut-off: ", reflected);
        CHECK(reflected < 1e-4);
    }
}

TEST_CASE("an absorbing end of a loose chain reflects less than 1e-2 of a solitary wave") {
    for (const double speed : {0.01, 1.0, 5.0}) {
        chain::Scenario scenario = with_absorbing_ends(300, speed);
        const chain::Chain chain = chain::build_chain(scenario);
        const stepping::TimeStep step = running::choose_time_step(scenario, chain);
        const auto engine = dynamics::make_tiled_engine(chain, step.step, 1);
        dynamics::SensorTrace trace;
        // The wave runs at Vs/2R = 0.87 (v ...)^(1/5): until half of it has left the free part.
        Largest incident;
        const auto free_part = [&] { return kinetic(*engine, 100, 200); };
        incident.enter(free_part());
        while (free_part() >= 0.05 * incident || incident == 0.0) {
            engine->advance(200, trace);
            incident.enter(free_part());
        }
        const std::int64_t passage = engine->step();
        // As long again as five times the way there.
        Largest back;
        for (int k = 0; k < 50; ++k) {
            engine->advance(passage / 10, trace);
            if (k > 10) back.enter(kinetic(*engine, 50, 200));
        }
        MESSAGE("at ", speed, " m/s: ", back / incident);
        CHECK(incident > 0.3 * 0.5 * mass * speed * speed);
        CHECK(back < 1e-2 * incident);
        // And not because the wave is still on its way.
        CHECK(kinetic(*engine, 0, 300) < 2e-2 * incident);
    }
}

TEST_CASE("absorbing: a burst goes into the end and does not come back") {
    const Finished finished = run_config("absorbing");
    const dynamics::Totals now = finished.engine->totals();
    MESSAGE("kinetic ", now.kinetic, " J of ", now.external_work, " J");
    CHECK_RELATIVE(now.external_work, 14.5e-9, 1e-2);
    CHECK(now.kinetic < 2e-4 * now.external_work);
    const Finished wall = run_config("absorbing", {"boundary.right=wall", "time.end=4e-3"});
    const dynamics::Totals kept = wall.engine->totals();
    CHECK_RELATIVE(kept.kinetic / kept.external_work, 0.5, 5e-2);
}

}  // namespace beadwave::validation::absorbing_ends_test
