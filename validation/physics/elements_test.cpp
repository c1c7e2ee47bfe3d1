// Springs to the ground, masses inside beads, loads and driven beads: energy, bits, what loads and
// drives do, and the two engines against each other.

#include "beadwave/argument_error.hpp"
#include "beadwave/chain/chain_arrays.hpp"
#include "beadwave/dynamics/engine.hpp"
#include "dynamics/tiled/tiled_engine.hpp"
#include "element_chains.hpp"
#include "engine_outcome.hpp"
#include "every_engine.hpp"
#include "largest.hpp"
#include "relative.hpp"
#include "scenarios.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

namespace beadwave::validation::elements_test {

namespace {

constexpr double pi = std::numbers::pi;

double relative_error(const dynamics::Totals& start, const dynamics::Totals& now) {
    const double all = now.kinetic + now.stored + now.dissipated;
    const double scale = std::max({now.kinetic, now.stored, now.dissipated, start.stored});
    return (all - start.kinetic - start.stored - now.external_work) / scale;
}

/// A chain with everything on it, for a law.
chain::Chain mixed(const char* law, bool damped, bool timed) {
    const double c = damped ? 1.0 : 0.0;
    chain::Scenario scenario = steel_chain(70, 1.77, law_settings(law), 1e-3);
    scenario.segments[1].pattern = {{.radius = 2.38e-3, .mass = {}, .material = {}},
                                    {.radius = 2e-3, .mass = 0.3e-3, .material = {}}};
    chain::Chain chain = chain::build_chain(scenario);
    chain::Elements& all = chain.elements;
    for (std::size_t i = 3; i < 40; ++i)
        all.foundations.push_back({i, {.stiffness = 2e5, .cubic = 1e14, .damping = 0.4 * c}});
    for (std::size_t i = 0; i < 70; i += 2)
        all.resonators.push_back(
            {i, 0.2e-3, {.stiffness = 3e5, .cubic = -1e13, .damping = 0.3 * c}});
    for (std::size_t i = 10; i < 30; ++i)
        all.resonators.push_back({i, 0.1e-3, {.stiffness = 5e5, .cubic = 0.0, .damping = 0.0}});
    if (timed) {
        all.loads.push_back({50, stepping::ForceSignal::sine(2e4, 8.0, 3.0)});
        all.loads.push_back({17, stepping::ForceSignal::table({0.0, 2e-5, 9e-5}, {0, 12, -3})});
        all.driven.push_back({60, stepping::Drive::sine(1.5e4, 2e-6)});
        chain.velocity[60] = all.driven[0].motion.velocity(0.0);
    }
    return chain;
}

/// The same with one resonator on some beads, and nothing else that is damped.
chain::Chain simple(const char* law, bool damped, bool timed, bool grounded) {
    chain::Chain chain = mixed(law, damped, timed);
    std::vector<bool> seen(chain.beads());
    std::erase_if(chain.elements.resonators, [&](const chain::Resonator& each) {
        const bool second = seen[each.bead];
        seen[each.bead] = true;
        return second;
    });
    for (chain::Foundation& each : chain.elements.foundations)
        each.spring.damping = 0.0;
    if (!grounded) chain.elements.foundations.clear();
    return chain;
}

/// Also of zeros.
bool same_bits(const std::vector<double>& one, const std::vector<double>& other) {
    const auto bits = [](double number) { return std::bit_cast<std::uint64_t>(number); };
    return std::ranges::equal(one, other, {}, bits, bits);
}

constexpr std::array<const char*, 4> some_laws{"hertz", "tsuji", "ma-liu", "flores"};

}  // namespace

TEST_CASE("energy is balanced in chains that carry springs, masses, loads and driven beads") {
    Largest largest;
    for (const char* law : some_laws) {
        for (const unsigned kind : {0U, 1U, 2U, 3U}) {
            const bool damped = (kind & 1U) != 0, timed = (kind & 2U) != 0;
            CAPTURE(law);
            CAPTURE(damped);
            CAPTURE(timed);
            each_engine(mixed(law, damped, timed), 1e-8, [&](dynamics::Engine& engine) {
                const dynamics::Totals start = engine.totals();
                dynamics::SensorTrace trace;
                engine.advance(20000, trace);
                const dynamics::Totals now = engine.totals();
                const double error = std::abs(relative_error(start, now));
                largest.enter(error);
                CHECK(error < 1e-6);
                if (damped) CHECK(now.dissipated > 0.05 * start.kinetic);
                CHECK((now.external_work != 0.0) == timed);
            });
        }
    }
    MESSAGE("largest energy error ", largest);
}

TEST_CASE("both engines agree on chains that carry springs, masses, loads and driven beads") {
    const auto check = [](const chain::Chain& chain, const char* law) {
        CAPTURE(law);
        Largest largest;
        dynamics::SensorTrace plain_trace, trace;
        plain_trace.beads = trace.beads = {0, 11, 17, 60};
        const auto plain = dynamics::make_plain_engine(chain, 1e-8);
        plain->advance(6000, plain_trace);
        const Outcome expected = outcome_of(*plain);
        const auto scale = [](const std::vector<double>& values) {
            Largest most;
            for (const double value : values)
                most.enter(std::abs(value));
            return most;
        };
        for (const simd::InstructionSet& set : simd::instruction_sets()) {
            for (const dynamics::TileShape shape :
                 {dynamics::TileShape{}, {.beads = 16, .steps = 9}, {.beads = 32, .steps = 31}}) {
                CAPTURE(set.name);
                const auto tiled = dynamics::make_tiled_engine(chain, 1e-8, 1, shape, set);
                tiled->advance(6000, trace);
                const Outcome found = outcome_of(*tiled);
                for (std::size_t k = 0; k < found.columns.size(); ++k) {
                    Largest worst;
                    for (std::size_t i = 0; i < found.columns[k].size(); ++i)
                        worst.enter(std::abs(found.columns[k][i] - expected.columns[k][i]));
                    largest.enter(worst / scale(expected.columns[k]));
                }
                for (std::size_t k = 0; k < found.totals.size(); ++k)
                    CHECK_ABSOLUTE(found.totals[k], expected.totals[k], 1e-11 * expected.totals[0]);
                Largest worst;
                for (std::size_t k = 0; k < trace.velocity.size(); ++k)
                    worst.enter(std::abs(trace.velocity[k] - plain_trace.velocity[k]));
                largest.enter(worst / scale(plain_trace.velocity));
                CHECK(largest < 1e-13);
            }
        }
        MESSAGE(std::string(law), ": ", largest);
    };
    for (const char* law : some_laws) {
        for (const bool damped : {false, true}) {
            CAPTURE(damped);
            check(mixed(law, damped, true), law);
            for (const bool grounded : {false, true})
                check(simple(law, damped, true, grounded), law);
        }
    }
}

TEST_CASE("tiles, threads and sleep change no bit of a chain that carries something") {
    const auto check = [](const chain::Chain& chain) {
        const auto run = [&](const dynamics::TileShape& shape, int threads,
                             const std::vector<std::int64_t>& groups) {
            return tiled_outcome(chain, 1e-8, shape, threads, groups);
        };
        const Outcome expected = run({.sleep = false}, 1, {5000});
        CHECK(run({}, 1, {5000}) == expected);
        CHECK(run({.beads = 16, .steps = 9}, 1, {5000}) == expected);
        CHECK(run({.beads = 16, .steps = 9}, 3, {1234, 1, 3765}) == expected);
        CHECK(run({.beads = 32, .steps = 31, .sleep = false}, 2, {4000, 1000}) == expected);
    };
    for (const char* law : some_laws) {
        CAPTURE(law);
        check(mixed(law, true, true));
        for (const bool grounded : {false, true})
            check(simple(law, true, true, grounded));
    }
}

TEST_CASE("elements and sensors have the same bits whether one pass or two step them") {
    // Conservative contacts and single elements are stepped in one pass, in the last step of a time
    // block in two.
    for (const char* law : {"hertz", "hooke"}) {
        for (const unsigned kind : {0U, 1U, 2U, 3U, 4U, 5U, 6U, 7U, 8U, 9U}) {
            const bool damped = (kind & 1U) != 0, inside = (kind & 2U) != 0;
            const bool differ = (kind & 4U) != 0, cubic = kind >= 8U;
            CAPTURE(law);
            CAPTURE(kind);
            chain::Chain chain = compressed({}, 3, 0.05, law);
            for (std::size_t i = 0; i < compressed_beads; ++i) {
                const double factor = differ ? 1.0 + 0.01 * static_cast<double>(i % 5) : 1.0;
                const chain::Spring spring{.stiffness = 3e5 * factor,
                                           .cubic = cubic ? 1e12 : 0.0,
                                           .damping = damped ? 2.0 * factor : 0.0};
                if (inside || cubic) {
                    chain.elements.resonators.push_back({i, 0.2e-3 * factor, spring});
                } else {
                    chain.elements.foundations.push_back({i, spring});
                }
            }
            const std::vector<std::int64_t> blocks{1234, 1, 1765}, single_steps(3000, 1);
            dynamics::SensorTrace none;
            const auto plain = dynamics::make_plain_engine(chain, 1e-8);
            plain->advance(3000, none);
            for (const simd::InstructionSet& set : simd::instruction_sets()) {
                CAPTURE(set.name);
                std::vector<double> force, velocity;
                const auto run = [&](const std::vector<std::size_t>& sensors,
                                     const std::vector<std::int64_t>& groups) {
                    auto engine =
                        dynamics::make_tiled_engine(chain, 1e-8, 1, {.beads = 16, .steps = 9}, set);
                    dynamics::SensorTrace trace{.beads = sensors, .force = {}, .velocity = {}};
                    force.clear(), velocity.clear();
                    for (const std::int64_t steps : groups) {
                        engine->advance(steps, trace);
                        force.insert(force.end(), trace.force.begin(), trace.force.end());
                        velocity.insert(velocity.end(), trace.velocity.begin(),
                                        trace.velocity.end());
                    }
                    return engine;
                };
                const std::vector<std::size_t> sensors{4, 20, 32};
                const auto passing = run({}, blocks), in_two = run(sensors, single_steps);
                const std::vector<double> expected_force = force, expected_velocity = velocity;
                const auto read = run(sensors, blocks);
                for (const auto* engine : {&in_two, &read}) {
                    CHECK(saved(*passing) == saved(**engine));
                    CHECK(passing->totals().dissipated == (*engine)->totals().dissipated);
                }
                CHECK(same_bits(force, expected_force));
                CHECK(same_bits(velocity, expected_velocity));
                for (std::size_t i = 0; i < compressed_beads; ++i)
                    CHECK_ABSOLUTE(passing->velocity()[i], plain->velocity()[i], 1e-13 * 0.05);
                if (damped)
                    CHECK_RELATIVE(passing->totals().dissipated, plain->totals().dissipated, 1e-11);
            }
        }
    }
}

TEST_CASE("threads change no bit of a long chain that carries something") {
    constexpr std::size_t many = 20000;
    for (const char* law : {"hertz", "tsuji"}) {
        CAPTURE(law);
        chain::Scenario scenario = steel_chain(many, 0.0, law_settings(law), 1e-3);
        scenario.precompression = squeeze;
        chain::Chain chain = chain::build_chain(scenario);
        for (std::size_t i = 0; i < many; ++i) {
            chain.velocity[i] = 1e-3 * std::sin(0.7 * static_cast<double>(i));
            chain.elements.resonators.push_back(
                {i, 0.2e-3, {.stiffness = 3e5, .cubic = 1e12, .damping = 0.3}});
        }
        for (const std::size_t bead : {100, 961, 15000})  // beside a border of tiles, too
            chain.elements.loads.push_back({bead, stepping::ForceSignal::sine(2e4, 0.5)});
        for (const std::size_t bead : {959, 9000}) {
            chain.elements.driven.push_back({bead, stepping::Drive::sine(1.5e4, 1e-8)});
            chain.velocity[bead] = chain.elements.driven.back().motion.velocity(0.0);
        }
        const auto run = [&](int threads) {
            const auto engine = dynamics::make_tiled_engine(chain, 1e-8, threads);
            CHECK(engine->threads() == threads);
            dynamics::SensorTrace trace;
            trace.beads = {100, 959, 960, 961};
            engine->advance(700, trace);
            Outcome outcome = outcome_of(*engine);
            outcome.columns.push_back(trace.velocity);
            return outcome;
        };
        const Outcome one = run(1);
        for (int time = 0; time < 3; ++time)
            CHECK(run(3) == one);
    }
}

TEST_CASE("a chain that carries something continues from a saved state to the bit") {
    for (const char* law : some_laws) {
        CAPTURE(law);
        check_continues(mixed(law, true, true), 1e-8, 2345, 2000, 16);
        check_continues(simple(law, true, true, false), 1e-8, 2345, 2000, 16);
    }
}

TEST_CASE("a driven bead moves as prescribed, and its work is what the chain gains") {
    // One bead between the driven one and a spring to the ground: forced oscillation far from
    // contact loss, against the closed form of the linear contact.
    constexpr double f = 5e3, amplitude = 1e-9;
    chain::Elements elements;
    elements.driven.push_back({16, stepping::Drive::sine(f, amplitude)});
    chain::Chain chain = compressed(elements, 1, 0.0);
    chain.velocity[16] = elements.driven[0].motion.velocity(0.0);
    each_engine(chain, 2e-8, [&](dynamics::Engine& engine) {
        dynamics::SensorTrace trace;
        const dynamics::Totals start = engine.totals();
        engine.advance(7000, trace);
        const double t = 7000 * 2e-8;
        CHECK_RELATIVE(engine.displacement()[16], amplitude * std::sin(2.0 * pi * f * t), 1e-14);
        CHECK_RELATIVE(engine.velocity()[16], 2.0 * pi * f * amplitude * std::cos(2.0 * pi * f * t),
                       1e-14);
        const dynamics::Totals now = engine.totals();
        const double gained = now.kinetic + now.stored - start.kinetic - start.stored;
        CHECK_ABSOLUTE(now.external_work, gained, 1e-10 * start.stored);
        // Both halves of the chain move alike.
        CHECK_RELATIVE(engine.displacement()[12], engine.displacement()[20], 1e-3);
    });
}

TEST_CASE("a load over time gives a free bead its impulse and counts its work") {
    // m u'' = F sin(wt): v = F (1 - cos wt) / (m w).
    constexpr double f = 1e4, force = 3.0, w = 2.0 * pi * f;
    chain::Scenario scenario = steel_chain(1, 0.0, law_settings("hertz"), 1e-3);
    chain::Chain chain = chain::build_chain(scenario);
    chain.elements.loads.push_back({0, stepping::ForceSignal::sine(f, force)});
    each_engine(chain, 1e-8, [&](dynamics::Engine& engine) {
        dynamics::SensorTrace trace;
        engine.advance(6000, trace);
        const double t = 6e-5, v = force * (1.0 - std::cos(w * t)) / (bead_mass * w);
        CHECK_RELATIVE(engine.velocity()[0], v, 1e-6);
        CHECK_RELATIVE(engine.totals().external_work, 0.5 * bead_mass * v * v, 1e-6);
    });
}

TEST_CASE("what elements do not go with is refused") {
    chain::Chain chain = mixed("hertz", false, false);
    CHECK_THROWS_WITH_AS(dynamics::make_tiled_engine(chain, 1e-8, 1, {.sleep_speed = 1e-3}),
                         "beads with elements cannot be put to sleep: expected no sleep_speed",
                         ArgumentError);
    const chain::Elements outside{.resonators = {{5, 1e-4, {}}, {70, 1e-4, {}}}};
    CHECK_THROWS_WITH_AS(chain::check_elements(outside, 70),
                         "resonators[1].bead = 70: expected a bead from 0 to 69", ArgumentError);
    const chain::Elements weightless{.resonators = {{5, 0.0, {}}}};
    CHECK_THROWS_WITH_AS(chain::check_elements(weightless, 70),
                         "resonators[0].mass = 0: expected a finite number above 0, in kg",
                         ArgumentError);
    const chain::Elements pushing{.foundations = {{5, {.stiffness = 1.0, .damping = -2.0}}}};
    CHECK_THROWS_WITH_AS(chain::check_elements(pushing, 70),
                         "foundations[0].damping = -2: expected a number from 0, in N s/m",
                         ArgumentError);
}

}  // namespace beadwave::validation::elements_test
