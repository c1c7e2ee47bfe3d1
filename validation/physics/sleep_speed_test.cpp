// Which beads a sleep speed puts to sleep, and which it never does.

#include "beadwave/laws/catalogue.hpp"
#include "chain/build_chain.hpp"
#include "dynamics/tiled/tiled_engine.hpp"
#include "largest.hpp"
#include "relative.hpp"
#include "scenarios.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>
#include <string>
#include <vector>

namespace beadwave::validation::sleep_speed_test {

namespace {

/// Small tiles that are scanned often.
dynamics::TileShape sleepy(double speed) {
    return {.beads = 48, .steps = 31, .sleep_speed = speed};
}

struct Outcome {
    std::vector<double> displacement, velocity;  // of bead 0 or the sensor, after each step
    dynamics::Totals start, end;
};

Outcome run(const chain::Chain& chain, double dt, double sleep_speed, std::int64_t steps,
            std::size_t bead, int threads = 1,
            std::span<const simd::InstructionSet> sets = simd::instruction_sets()) {
    const auto engine =
        dynamics::make_tiled_engine(chain, dt, threads, sleepy(sleep_speed), sets.front());
    Outcome outcome;
    outcome.start = engine->totals();
    dynamics::SensorTrace trace{.beads = {bead}, .force = {}, .velocity = {}};
    for (std::int64_t done = 0; done < steps; done += 100) {
        engine->advance(std::min<std::int64_t>(100, steps - done), trace);
        outcome.displacement.push_back(engine->displacement()[bead]);
        outcome.velocity.push_back(engine->velocity()[bead]);
    }
    outcome.end = engine->totals();
    return outcome;
}

/// Relative energy error of the totals.
double relative_energy_error(const dynamics::Totals& start, const dynamics::Totals& end) {
    const double before = start.kinetic + start.stored;
    const double now = end.kinetic + end.stored + end.dissipated + end.sleep_loss_energy;
    return (now - before - end.external_work) / before;
}

}  // namespace

TEST_CASE("a ball at rest above the floor falls, whatever the sleep speed and the step") {
    chain::Scenario scenario = steel_chain(1, 0.0, law_settings("hertz"), 0.03);
    scenario.gravity = chain::Gravity{.acceleration = 9.81, .equilibrium = false};
    scenario.right.kind = chain::EndKind::wall;
    scenario.right.gap = 1e-3;
    const chain::Chain chain = chain::build_chain(scenario);
    for (const double dt : {1e-5, 1e-6, 5e-9}) {
        CAPTURE(dt);
        const auto steps = static_cast<std::int64_t>(std::llround(0.01 / dt));
        const Outcome asleep = run(chain, dt, 1e-3, steps, 0);
        // Velocity Verlet is exact under a constant force, except for rounding in every step.
        CHECK_RELATIVE(asleep.displacement.back(), 0.5 * 9.81 * 1e-4, 1e-9);
        CHECK(asleep.end.sleep_loss_energy == 0.0);
    }
    // It falls to the floor and rebounds like a ball that is never put to sleep.
    CHECK(run(chain, 1e-7, 1e-3, 200'000, 0).displacement ==
          run(chain, 1e-7, 0.0, 200'000, 0).displacement);
}

TEST_CASE("a standing wave keeps oscillating through its turning points, whatever the step") {
    chain::Scenario scenario = steel_chain(60, 0.0, law_settings("hertz"), 1e-2);
    scenario.precompression = 20.0;
    scenario.left.kind = scenario.right.kind = chain::EndKind::fixed;
    chain::Chain chain = chain::build_chain(scenario);
    for (std::size_t i = 1; i < 59; ++i) {
        chain.velocity[i] = 1e-4 * std::sin(std::numbers::pi * static_cast<double>(i) / 59.0);
    }
    constexpr double speed = 2e-6;
    for (const double dt : {1e-7, 2e-10}) {
        CAPTURE(dt);
        const auto steps = static_cast<std::int64_t>(std::llround(2e-3 / dt));
        const Outcome awake = run(chain, dt, 0.0, steps, 30);
        const Outcome asleep = run(chain, dt, speed, steps, 30);
        // Several periods of the wave.
        int turns = 0;
        for (std::size_t k = 1; k < awake.velocity.size(); ++k)
            turns += awake.velocity[k - 1] * awake.velocity[k] < 0.0;
        REQUIRE(turns >= 4);
        Largest worst;
        for (std::size_t k = 0; k < awake.velocity.size(); ++k)
            worst.enter(std::abs(asleep.velocity[k] - awake.velocity[k]));
        CHECK(worst < speed);  // a fiftieth of the wave's speed
        CHECK(asleep.end.sleep_loss_energy < 1e-4 * asleep.start.kinetic);
    }
}

TEST_CASE("a bead is put to sleep if and only if it can never become faster than the sleep speed") {
    constexpr double speed = 1e-3;
    for (const char* law : {"hertz", "ma-liu", "flores", "thornton"}) {
        chain::Scenario scenario = steel_chain(1, 0.0, law_settings(law), 1e-3);
        scenario.right.kind = chain::EndKind::wall;
        const chain::Chain touching = chain::build_chain(scenario);
        const auto stored = [&](double overlap) {
            chain::Chain chain = touching;
            chain.gap[1] = -overlap;
            return dynamics::make_tiled_engine(chain, 1e-8, 1, sleepy(speed))->totals().stored;
        };
        const double enough = 0.5 * touching.mass[0] * speed * speed;
        for (const double part : {0.5, 0.9, 1.1, 2.0}) {
            // Pressed against the wall and released: the stored energy of the contact is all its
            // energy.
            double low = 0.0, high = 1e-6;
            for (int k = 0; k < 100; ++k) {
                const double middle = 0.5 * (low + high);
                (stored(middle) < part * enough ? low : high) = middle;
            }
            chain::Chain chain = touching;
            chain.gap[1] = -high;
            for (const double dt : {1e-7, 1e-8}) {
                CAPTURE(law);
                CAPTURE(part);
                CAPTURE(dt);
                const Outcome outcome =
                    run(chain, dt, speed, static_cast<std::int64_t>(std::llround(2e-3 / dt)), 0);
                const double energy_error = relative_energy_error(outcome.start, outcome.end);
                CHECK(std::abs(energy_error) < 1e-4);
                if (part < 1.0) {
                    CHECK(outcome.velocity.back() == 0.0);
                    CHECK(outcome.end.sleep_loss_energy <= part * enough);
                } else if (std::string(law) == "hertz") {  // the other laws dissipate energy
                    CHECK(std::abs(outcome.velocity.back()) > speed);
                    CHECK(outcome.end.sleep_loss_energy == 0.0);
                }
            }
        }
    }
}

TEST_CASE("no law stores more than its force at rest times its overlap") {
    for (const laws::Entry& entry : laws::catalogue()) {
        if (!entry.refused.empty() || entry.family == "adhesion") continue;  // never sleeps
        const std::string name(entry.name);
        CAPTURE(name);
        const chain::Chain chain =
            chain::build_chain(steel_chain(2, 0.0, law_settings(name), 1e-4));
        const laws::AnyLaw law = chain.contacts.at(1);
        for (double largest = 1e-12; largest < 1e-3; largest *= 1.7) {
            // Loaded to this overlap, then unloaded in steps.
            auto memory = law.respond(largest, 0.0, {}).memory;
            for (int k = 100; k > 0; --k) {
                const double overlap = largest * k / 100.0;
                const auto response = law.respond(overlap, 0.0, memory);
                const double bound = response.force * overlap;
                CAPTURE(largest);
                CAPTURE(overlap);
                REQUIRE(response.force >= 0.0);
                REQUIRE(law.stored_energy(overlap, response.memory) <=
                        bound * (1.0 + 1e-12) + 1e-300);
                memory = response.memory;
            }
        }
    }
}

TEST_CASE("the sleep loss of energy and momentum is accounted for") {
    for (const char* law : {"hertz", "flores", "ma-liu", "thornton"}) {
        for (const double speed : {1e-6, 1e-3}) {
            CAPTURE(law);
            CAPTURE(speed);
            const chain::Chain chain =
                chain::build_chain(steel_chain(400, 1.77, law_settings(law), 1e-3));
            const Outcome awake = run(chain, 2e-8, 0.0, 30'000, 5);
            // Beyond the error of the steps.
            const double step_error = std::abs(relative_energy_error(awake.start, awake.end));
            const auto sets = simd::instruction_sets();
            for (std::size_t set = 0; set < sets.size(); ++set) {
                CAPTURE(std::string(sets[set].name));
                const Outcome asleep = run(chain, 2e-8, speed, 30'000, 5, 1, sets.subspan(set));
                REQUIRE(asleep.end.sleep_loss_energy > 0.0);
                MESSAGE(law, ", ", speed, " m/s: missing ",
                        relative_energy_error(asleep.start, asleep.end), ", without sleep ",
                        step_error, ", sleep loss ",
                        asleep.end.sleep_loss_energy / asleep.start.kinetic);
                CHECK(std::abs(relative_energy_error(asleep.start, asleep.end)) <
                      2.0 * step_error +
                          1e-3 * asleep.end.sleep_loss_energy / asleep.start.kinetic + 1e-13);
                CHECK_RELATIVE(asleep.end.momentum + asleep.end.sleep_loss_momentum,
                               asleep.start.momentum, 1e-12);
            }
        }
    }
}

TEST_CASE("a second wave passes through beads that sleep") {
    // Beads behind the striker's wave sleep. A second striker follows.
    chain::Scenario scenario = steel_chain(500, 1.0, law_settings("hertz"), 2e-3);
    scenario.segments.insert(scenario.segments.begin(), scenario.segments.front());
    scenario.segments[1].gap = 2e-4;  // it follows after 0.2 ms or more
    scenario.segments[0].velocity = 2.0;
    const chain::Chain chain = chain::build_chain(scenario);
    const Outcome awake = run(chain, 1e-7, 0.0, 20'000, 100);
    const Outcome asleep = run(chain, 1e-7, 1e-9, 20'000, 100);
    Largest largest, worst;
    for (std::size_t k = 0; k < awake.velocity.size(); ++k) {
        worst.enter(std::abs(asleep.velocity[k] - awake.velocity[k]));
        largest.enter(std::abs(awake.velocity[k]));
    }
    REQUIRE(largest > 1.0);
    CHECK(worst < 1e-6 * largest);
}

}  // namespace beadwave::validation::sleep_speed_test
