// Bonds between neighbouring beads: their force, speed of sound and vibrations against closed
// forms, how they break, and the two engines against each other.

#include "beadwave/argument_error.hpp"
#include "beadwave/chain/chain_arrays.hpp"
#include "beadwave/dynamics/engine.hpp"
#include "beadwave/laws/hertz.hpp"
#include "dynamics/tiled/tiled_engine.hpp"
#include "engine_outcome.hpp"
#include "every_engine.hpp"
#include "largest.hpp"
#include "relative.hpp"
#include "scenarios.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

namespace beadwave::validation::bonds_test {

namespace {

constexpr double pi = std::numbers::pi, mass = 0.45e-3, stiffness = 1e6;

/// Beads of one mass, so far apart that they never touch, with bonds at the contacts between them.
chain::Chain bonded(std::size_t beads, const chain::Bond& bond, double gap = 1e-3) {
    chain::ChainArrays arrays{.radius = std::vector<double>(beads, 2.38e-3),
                              .mass = std::vector<double>(beads, mass),
                              .gap = std::vector<double>(beads + 1, gap),
                              .laws = {laws::Hertz<double>{1e10}}};
    arrays.gap.front() = arrays.gap.back() = std::numeric_limits<double>::infinity();
    for (std::size_t c = 1; c < beads; ++c) {
        arrays.elements.bonds.push_back(bond);
        arrays.elements.bonds.back().contact = c;
    }
    return chain::make_chain(arrays);
}

/// Two beads that leave each other at `speed`.
chain::Chain parting(const chain::Bond& bond, double speed, double gap = 1e-3) {
    chain::Chain chain = bonded(2, bond, gap);
    chain.velocity = {-0.5 * speed, 0.5 * speed};
    return chain;
}

double relative_error(const dynamics::Totals& start, const dynamics::Totals& now) {
    const double all = now.kinetic + now.stored + now.dissipated;
    const double scale = std::max({now.kinetic, now.stored, now.dissipated, start.stored});
    return (all - start.kinetic - start.stored - now.external_work) / scale;
}

std::vector<double> column(dynamics::Engine& engine, const std::string& name) {
    for (const dynamics::StateColumn& each : engine.state()) {
        if (each.name == name) return {each.values.begin(), each.values.end()};
    }
    FAIL("no column ", name);
    return {};
}

/// A struck chain of two kinds of beads with bonds at most contacts, some of which break, some for
/// tension only, some with dashpots, and with resonators, a load and a driven bead.
chain::Chain mixed(const char* law, bool damped) {
    chain::Scenario scenario = steel_chain(70, 1.77, law_settings(law), 1e-3);
    scenario.segments[1].pattern = {{.radius = 2.38e-3, .mass = {}, .material = {}},
                                    {.radius = 2e-3, .mass = 0.3e-3, .material = {}}};
    chain::Chain chain = chain::build_chain(scenario);
    for (std::size_t i = 1; i < 70; ++i)
        chain.velocity[i] = 0.3 * std::sin(2.1 * static_cast<double>(i));
    chain::Elements& all = chain.elements;
    for (std::size_t c = 1; c < 70; ++c) {
        if (c % 9 == 4) continue;
        all.bonds.push_back({.contact = c,
                             .stiffness = 1e6 + 2e4 * static_cast<double>(c),
                             .damping = damped ? 0.5 : 0.0,
                             .stretch = c % 7 == 0 ? 1e-6 : 0.0,
                             .strength = 3.0 + 0.4 * static_cast<double>(c % 13),
                             .tension_only = c % 5 == 0});
    }
    for (std::size_t i = 0; i < 70; i += 3)
        all.resonators.push_back(
            {i, 0.2e-3, {.stiffness = 3e5, .cubic = 0.0, .damping = damped ? 0.3 : 0.0}});
    all.loads.push_back({50, stepping::ForceSignal::sine(2e4, 8.0, 3.0)});
    all.driven.push_back({60, stepping::Drive::sine(1.5e4, 2e-6)});
    chain.velocity[60] = all.driven[0].motion.velocity(0.0);
    return chain;
}

constexpr std::array<const char*, 4> some_laws{"hertz", "tsuji", "ma-liu", "flores"};

}  // namespace

TEST_CASE("each mode of a bonded chain vibrates at 2 sqrt(k/m) sin(q/2)") {
    // Velocity Verlet of a linear chain, in closed form: u = A sin(W t) with
    // sin(W dt/2) = w dt/2 and A = v dt / sin(W dt). Free ends: the shape cos(q (i + 1/2)).
    constexpr std::size_t n = 64;
    constexpr double dt = 1e-6, speed = 1e-3;
    constexpr int steps = 3000;
    for (const int mode : {1, 7, 30, 63}) {
        CAPTURE(mode);
        chain::Chain chain = bonded(n, {.stiffness = stiffness});
        const double q = pi * mode / static_cast<double>(n);
        const auto shape = [&](std::size_t i) {
            return std::cos(q * (static_cast<double>(i) + 0.5));
        };
        for (std::size_t i = 0; i < n; ++i)
            chain.velocity[i] = speed * shape(i);
        const double w = 2.0 * std::sqrt(stiffness / mass) * std::sin(0.5 * q);
        const double phase = 2.0 * std::asin(0.5 * w * dt);  // per step
        const double amplitude = speed * dt / std::sin(phase);
        each_engine(chain, dt, [&](dynamics::Engine& engine) {
            dynamics::SensorTrace trace;
            engine.advance(steps, trace);
            // Rounding, which is the same in all modes: that of the slowest one counts here.
            for (std::size_t i = 0; i < n; ++i)
                CHECK_ABSOLUTE(engine.displacement()[i],
                               amplitude * std::sin(phase * steps) * shape(i), 1e-11 * amplitude);
        });
    }
}

TEST_CASE("long waves in a bonded chain travel at d sqrt(k/m)") {
    // The slowest mode of a free chain of n beads: half a wave is n distances long, so the velocity
    // of its beads is zero for the first time after n d / (2 c).
    constexpr std::size_t n = 200;
    constexpr double dt = 1e-7, distance = 2.0 * 2.38e-3 + 1e-3;
    chain::Chain chain = bonded(n, {.stiffness = stiffness});
    for (std::size_t i = 0; i < n; ++i)
        chain.velocity[i] = 1e-3 * std::cos(pi * (static_cast<double>(i) + 0.5) / n);
    const auto engine = dynamics::make_tiled_engine(chain, dt, 1);
    dynamics::SensorTrace trace;
    trace.beads = {0};
    engine->advance(25000, trace);
    std::size_t k = 0;
    while (trace.velocity[k + 1] > 0.0)
        ++k;
    const double part = trace.velocity[k] / (trace.velocity[k] - trace.velocity[k + 1]);
    const double zero = dt * (static_cast<double>(k) + 1.0 + part);
    const double speed = n * distance / (2.0 * zero);
    MESSAGE("speed of sound over d sqrt(k/m): ", speed / (distance * std::sqrt(stiffness / mass)));
    // The lattice is slower by (pi/n)^2/24 = 1e-5.
    CHECK_RELATIVE(speed, distance * std::sqrt(stiffness / mass), 1.5e-5);
}

TEST_CASE("a bond with a dashpot is a damped oscillator") {
    // m/2 x'' + c x' + k x = 0, from x = 0 at speed v.
    constexpr double c = 3.0, v = 0.02, dt = 1e-8;
    const double w0 = std::sqrt(2.0 * stiffness / mass), decay = c / mass;
    const double w = std::sqrt(w0 * w0 - decay * decay), t = 9000 * dt;
    each_engine(parting({.stiffness = stiffness, .damping = c}, v), dt,
                [&](dynamics::Engine& engine) {
                    dynamics::SensorTrace trace;
                    const dynamics::Totals start = engine.totals();
                    engine.advance(9000, trace);
                    const double x = engine.displacement()[1] - engine.displacement()[0];
                    CHECK_RELATIVE(x, v / w * std::exp(-decay * t) * std::sin(w * t), 1e-6);
                    CHECK(std::abs(relative_error(start, engine.totals())) < 1e-7);
                    CHECK(engine.totals().dissipated > 0.3 * start.kinetic);
                    CHECK(engine.totals().broken_energy == 0.0);
                });
}

TEST_CASE("a bond for tension only pulls and never pushes") {
    // Half a vibration, then the beads fly towards each other at the speed at which they parted.
    constexpr double v = 0.02, dt = 1e-8;
    const double half = pi / std::sqrt(2.0 * stiffness / mass);
    for (const bool tension_only : {true, false}) {
        each_engine(parting({.stiffness = stiffness, .tension_only = tension_only}, v), dt,
                    [&](dynamics::Engine& engine) {
                        dynamics::SensorTrace trace;
                        engine.advance(9000, trace);
                        const double t = 9000 * dt;
                        const double x = engine.displacement()[1] - engine.displacement()[0];
                        const double free = -v * (t - half);
                        if (tension_only) {
                            CHECK_RELATIVE(x, free, 1e-6);
                        } else {
                            CHECK_RELATIVE(x, v * half / pi * std::sin(pi * t / half), 1e-6);
                        }
                    });
    }
}

TEST_CASE("the stated gap of a bond stretches it at the start") {
    // x = x0 cos(w t), and its energy k x0^2/2 is the initial one.
    constexpr double x0 = 2e-6, dt = 1e-8;
    const double w = std::sqrt(2.0 * stiffness / mass), t = 5000 * dt;
    each_engine(parting({.stiffness = stiffness, .stretch = x0}, 0.0), dt,
                [&](dynamics::Engine& engine) {
                    dynamics::SensorTrace trace;
                    CHECK_RELATIVE(engine.totals().stored, 0.5 * stiffness * x0 * x0, 1e-12);
                    engine.advance(5000, trace);
                    const double x = x0 + engine.displacement()[1] - engine.displacement()[0];
                    CHECK_RELATIVE(x, x0 * std::cos(w * t), 1e-6);
                });
}

TEST_CASE("a bond breaks at its strength, and what it had stored is in the ledger") {
    constexpr double v = 0.1, strength = 1.0, dt = 1e-9;
    const double w = std::sqrt(2.0 * stiffness / mass),
                 energy = 0.5 * strength * strength / stiffness;
    const double time = std::asin(w * strength / stiffness / v) / w;
    each_engine(parting({.stiffness = stiffness, .strength = strength}, v), dt,
                [&](dynamics::Engine& engine) {
                    dynamics::SensorTrace trace;
                    const dynamics::Totals start = engine.totals();
                    engine.advance(40000, trace);
                    const dynamics::Totals now = engine.totals();
                    // In the step in which the spring exceeds the strength.
                    const double at = column(engine, "bond_broken_at")[1] * dt;
                    CHECK(at > time);
                    CHECK(at < time + 1.5 * dt);
                    CHECK_RELATIVE(now.broken_energy, energy, 2.0 * v * dt * stiffness / strength);
                    // Nothing else dissipates.
                    CHECK_RELATIVE(now.dissipated, now.broken_energy, 1e-11);
                    CHECK(now.stored == 0.0);
                    CHECK(std::abs(relative_error(start, now)) < 1e-12);
                    CHECK_RELATIVE(now.kinetic, start.kinetic - now.broken_energy, 1e-11);
                    CHECK(engine.velocity()[1] == -engine.velocity()[0]);
                });
}

TEST_CASE("energy is balanced while bonds break") {
    Largest largest;
    for (const char* law : some_laws) {
        for (const bool damped : {false, true}) {
            CAPTURE(law);
            CAPTURE(damped);
            each_engine(mixed(law, damped), 1e-8, [&](dynamics::Engine& engine) {
                const dynamics::Totals start = engine.totals();
                dynamics::SensorTrace trace;
                engine.advance(20000, trace);
                const dynamics::Totals now = engine.totals();
                const double error = std::abs(relative_error(start, now));
                largest.enter(error);
                CHECK(error < 1e-6);
                CHECK(now.broken_energy > 1e-3 * start.kinetic);
                // Work is known to (dt^2/8) sum m a^2 at the two ends of the run.
                CHECK(now.dissipated > (1.0 - 1e-5) * now.broken_energy);
                const std::vector<double> at = column(engine, "bond_broken_at");
                CHECK(std::ranges::count_if(at, [](double step) { return step > 0.0; }) > 3);
                CHECK(std::ranges::count(at, 0.0) > 8);
            });
        }
    }
    MESSAGE("largest energy error ", largest);
}

TEST_CASE("both engines agree on bonded chains") {
    for (const char* law : some_laws) {
        for (const bool damped : {false, true}) {
            CAPTURE(law);
            CAPTURE(damped);
            const chain::Chain chain = mixed(law, damped);
            dynamics::SensorTrace trace;
            const auto plain = dynamics::make_plain_engine(chain, 1e-8);
            plain->advance(6000, trace);
            const Outcome expected = outcome_of(*plain);
            Largest largest;
            for (const simd::InstructionSet& set : simd::instruction_sets()) {
                for (const dynamics::TileShape shape : {dynamics::TileShape{},
                                                        {.beads = 16, .steps = 9},
                                                        {.beads = 32, .steps = 31}}) {
                    CAPTURE(set.name);
                    const auto tiled = dynamics::make_tiled_engine(chain, 1e-8, 1, shape, set);
                    tiled->advance(6000, trace);
                    const Outcome found = outcome_of(*tiled);
                    CHECK(found.columns[3] == expected.columns[3]);  // which broke, and when
                    for (std::size_t k = 0; k < found.columns.size(); ++k) {
                        Largest scale;
                        Largest worst;
                        for (std::size_t i = 0; i < found.columns[k].size(); ++i) {
                            const double e = expected.columns[k][i];
                            scale.enter(std::abs(e));
                            worst.enter(std::abs(found.columns[k][i] - e));
                        }
                        largest.enter(worst / scale);
                    }
                    for (std::size_t k = 0; k < found.totals.size(); ++k)
                        CHECK_ABSOLUTE(found.totals[k], expected.totals[k],
                                       1e-11 * expected.totals[0]);
                }
            }
            CHECK(largest < 1e-13);
            MESSAGE(std::string(law), std::string(damped ? ", damped: " : ": "), largest);
        }
    }
}

TEST_CASE("tiles, threads and sleep change no bit of a bonded chain") {
    for (const char* law : some_laws) {
        CAPTURE(law);
        const chain::Chain chain = mixed(law, true);
        const auto run = [&](const dynamics::TileShape& shape, int threads,
                             const std::vector<std::int64_t>& groups) {
            return tiled_outcome(chain, 1e-8, shape, threads, groups);
        };
        const Outcome expected = run({.sleep = false}, 1, {5000});
        CHECK(expected.totals[5] > 0.0);
        CHECK(run({}, 1, {5000}) == expected);
        CHECK(run({.beads = 16, .steps = 9}, 1, {5000}) == expected);
        CHECK(run({.beads = 16, .steps = 9}, 3, {1234, 1, 3765}) == expected);
        CHECK(run({.beads = 32, .steps = 31, .sleep = false}, 2, {4000, 1000}) == expected);
    }
}

TEST_CASE("threads change no bit of a long bonded chain, most of which sleeps") {
    constexpr std::size_t many = 20000;
    for (const bool breaks : {false, true}) {
        chain::Chain chain =
            bonded(many, {.stiffness = stiffness, .strength = breaks ? 0.3 : INFINITY});
        for (const std::size_t bead : {100, 959, 960, 15000})  // beside a border of tiles, too
            chain.velocity[bead] = 0.05;
        const auto run = [&](int threads, bool sleep) {
            const auto engine = dynamics::make_tiled_engine(chain, 1e-7, threads,
                                                            dynamics::TileShape{.sleep = sleep});
            dynamics::SensorTrace trace;
            engine->advance(1500, trace);
            return outcome_of(*engine);
        };
        const Outcome one = run(1, false);
        CHECK((one.totals[5] > 0.0) == breaks);
        CHECK(run(1, true) == one);
        CHECK(run(3, true) == one);
        CHECK(run(3, false) == one);
    }
}

TEST_CASE("a bonded chain continues from a saved state to the bit") {
    for (const char* law : some_laws) {
        CAPTURE(law);
        const Outcome at_cut = check_continues(mixed(law, true), 1e-8, 2345, 2000, 16);
        CHECK(at_cut.totals[5] > 0.0);
    }
}

TEST_CASE("bonds that a chain cannot have are refused") {
    const auto refused = [](const std::vector<chain::Bond>& bonds) -> std::string {
        try {
            chain::check_elements({.bonds = bonds}, 10);
        } catch (const ArgumentError& error) {
            return error.what();
        }
        return "accepted";
    };
    CHECK(refused({{.contact = 9, .stiffness = 1.0}}) == "accepted");
    CHECK(refused({{.contact = 0, .stiffness = 1.0}}) ==
          "bonds[0].contact = 0: expected a contact between two beads, from 1 to 9");
    CHECK(refused({{.contact = 3, .stiffness = 1.0}, {.contact = 10, .stiffness = 1.0}}) ==
          "bonds[1].contact = 10: expected a contact between two beads, from 1 to 9");
    CHECK(refused({{.contact = 3}}) == "bonds[0].stiffness = 0: expected a number above 0, in N/m");
    CHECK(refused({{.contact = 3, .stiffness = 1.0, .damping = -1.0}}) ==
          "bonds[0].damping = -1: expected a number from 0, in N s/m");
    CHECK(refused({{.contact = 3, .stiffness = 1.0, .stretch = NAN}}) ==
          "bonds[0].stretch = nan: expected a number, in m");
    CHECK(refused({{.contact = 3, .stiffness = 1.0, .strength = 0.0}}) ==
          "bonds[0].strength = 0: expected a number above 0, in N");
    CHECK(refused({{.contact = 3, .stiffness = 1.0}, {.contact = 3, .stiffness = 2.0}}) ==
          "bonds[1].contact = 3: has a bond already");
    CHECK(
        refused({{.contact = 3, .stiffness = 2.0, .stretch = 1.0, .strength = 1.5}}) ==
        "bonds[0].contact = 3: has a bond that is broken at the start: it pulls with 2 N, and its "
        "strength is 1.5 N");
}

}  // namespace beadwave::validation::bonds_test
