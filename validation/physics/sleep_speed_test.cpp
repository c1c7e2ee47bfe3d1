// What a sleep speed puts to rest, and what it never does.

#include "beadwave/laws/catalogue.hpp"
#include "chain/build_chain.hpp"
#include "dynamics/tiled/tiled_engine.hpp"
#include "relative.hpp"
#include "scenarios.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>
#include <string>
#include <vector>

using namespace beadwave;
using namespace beadwave::validation;

namespace {

/// Tiles small and looked at often.
dynamics::TileShape sleepy(double speed) {
    return {.beads = 48, .steps = 31, .sleep_speed = speed};
}

struct Outcome {
    std::vector<double> displacement, velocity;  // of bead 0 or the sensor, after each step
    dynamics::Totals start, end;
};

Outcome run(const chain::Chain& chain, double dt, double sleep_speed, std::int64_t steps,
            std::size_t bead, int threads = 1,
            std::span<const dynamics::InstructionSet> sets = dynamics::instruction_sets()) {
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

/// Energy that the books miss, and momentum, relative to what there was.
double missing_energy(const dynamics::Totals& start, const dynamics::Totals& end) {
    const double before = start.kinetic + start.stored;
    const double now = end.kinetic + end.stored + end.dissipated + end.discarded;
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
        // Velocity Verlet is exact under a constant force, but for the roundings of all steps.
        CHECK_RELATIVE(asleep.displacement.back(), 0.5 * 9.81 * 1e-4, 1e-9);
        CHECK(asleep.end.discarded == 0.0);
    }
    // On to the floor and back: like the ball that nothing ever puts to sleep.
    CHECK(run(chain, 1e-7, 1e-3, 200'000, 0).displacement ==
          run(chain, 1e-7, 0.0, 200'000, 0).displacement);
}

TEST_CASE("a standing wave goes on swinging through its turning points, whatever the step") {
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
        // Several periods of it.
        int turns = 0;
        for (std::size_t k = 1; k < awake.velocity.size(); ++k)
            turns += awake.velocity[k - 1] * awake.velocity[k] < 0.0;
        REQUIRE(turns >= 4);
        double worst = 0.0;
        for (std::size_t k = 0; k < awake.velocity.size(); ++k)
            worst = std::max(worst, std::abs(asleep.velocity[k] - awake.velocity[k]));
        CHECK(worst < speed);  // a fiftieth of the wave
        CHECK(asleep.end.discarded < 1e-4 * asleep.start.kinetic);
    }
}

TEST_CASE(
    "a bead is put to rest if it could never become faster than the sleep speed, and else not") {
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
            // Held against the wall and let go: what the contact stores is all that it ever has.
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
                const double residual = missing_energy(outcome.start, outcome.end);
                CHECK(std::abs(residual) < 1e-4);
                if (part < 1.0) {
                    CHECK(outcome.velocity.back() == 0.0);
                    CHECK(outcome.end.discarded <= part * enough);
                } else if (std::string(law) == "hertz") {  // the others lose energy themselves
                    CHECK(std::abs(outcome.velocity.back()) > speed);
                    CHECK(outcome.end.discarded == 0.0);
                }
            }
        }
    }
}

TEST_CASE("no law stores more than its force at rest times its overlap") {
    for (const laws::Entry& entry : laws::catalogue()) {
        if (!entry.refused.empty()) continue;
        const std::string name(entry.name);
        CAPTURE(name);
        const chain::Chain chain =
            chain::build_chain(steel_chain(2, 0.0, law_settings(name), 1e-4));
        std::visit(
            [&]<class Law>(const Law& law) {
                for (double largest = 1e-12; largest < 1e-3; largest *= 1.7) {
                    // Loaded to there, then brought back by steps.
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
            },
            chain.contacts.at(1));
    }
}

TEST_CASE("what a sleep speed takes stands in the books, of energy and of momentum") {
    for (const char* law : {"hertz", "flores", "ma-liu", "thornton"}) {
        for (const double speed : {1e-6, 1e-3}) {
            CAPTURE(law);
            CAPTURE(speed);
            const chain::Chain chain =
                chain::build_chain(steel_chain(400, 1.77, law_settings(law), 1e-3));
            const Outcome awake = run(chain, 2e-8, 0.0, 30'000, 5);
            // Beyond what the steps' own error leaves open.
            const double step_error = std::abs(missing_energy(awake.start, awake.end));
            const auto sets = dynamics::instruction_sets();
            for (std::size_t set = 0; set < sets.size(); ++set) {
                CAPTURE(std::string(sets[set].name));
                const Outcome asleep = run(chain, 2e-8, speed, 30'000, 5, 1, sets.subspan(set));
                REQUIRE(asleep.end.discarded > 0.0);
                MESSAGE(law, ", ", speed, " m/s: missing ",
                        missing_energy(asleep.start, asleep.end), ", without sleep ", step_error,
                        ", discarded ", asleep.end.discarded / asleep.start.kinetic);
                CHECK(std::abs(missing_energy(asleep.start, asleep.end)) <
                      2.0 * step_error + 1e-3 * asleep.end.discarded / asleep.start.kinetic +
                          1e-13);
                CHECK_RELATIVE(asleep.end.momentum + asleep.end.discarded_momentum,
                               asleep.start.momentum, 1e-12);
            }
        }
    }
}

TEST_CASE("beads that sleep let a second wave pass") {
    // The striker's wave leaves beads behind that sleep; a second striker follows.
    chain::Scenario scenario = steel_chain(500, 1.0, law_settings("hertz"), 2e-3);
    scenario.segments.insert(scenario.segments.begin(), scenario.segments.front());
    scenario.segments[1].gap = 2e-4;  // behind by 0.2 ms and more
    scenario.segments[0].velocity = 2.0;
    const chain::Chain chain = chain::build_chain(scenario);
    const Outcome awake = run(chain, 1e-7, 0.0, 20'000, 100);
    const Outcome asleep = run(chain, 1e-7, 1e-9, 20'000, 100);
    double worst = 0.0, largest = 0.0;
    for (std::size_t k = 0; k < awake.velocity.size(); ++k) {
        worst = std::max(worst, std::abs(asleep.velocity[k] - awake.velocity[k]));
        largest = std::max(largest, std::abs(awake.velocity[k]));
    }
    REQUIRE(largest > 1.0);
    CHECK(worst < 1e-6 * largest);
}
