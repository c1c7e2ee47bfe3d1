// Springs to the ground, masses inside beads, loads and driven beads: dispersion against closed
// forms, energy, and the two engines against each other.

#include "beadwave/argument_error.hpp"
#include "beadwave/chain/chain_arrays.hpp"
#include "beadwave/dynamics/engine.hpp"
#include "dynamics/tiled/tiled_engine.hpp"
#include "relative.hpp"
#include "scenarios.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

using namespace beadwave;
using namespace beadwave::validation;

namespace {

constexpr double pi = std::numbers::pi;

/// Hertz contact F = A x^1.5 of two steel beads, written out.
double hertz_factor() {
    const double modulus = 193e9 / (2.0 * (1.0 - 0.3 * 0.3)), radius = 2.38e-3 / 2.0;
    return 4.0 / 3.0 * modulus * std::sqrt(radius);
}

/// A chain between two fixed beads under 20 N, whose first mode number `mode` moves slowly.
constexpr double squeeze = 20.0, bead_mass = 0.45e-3;
constexpr std::size_t beads = 33;

chain::Chain compressed(const chain::Elements& elements, int mode, double speed,
                        const char* law = "hertz") {
    chain::Scenario scenario = steel_chain(beads, 0.0, law_settings(law), 1e-3);
    scenario.left.kind = scenario.right.kind = chain::EndKind::fixed;
    scenario.precompression = squeeze;
    chain::Chain chain = chain::build_chain(scenario);
    for (std::size_t i = 1; i + 1 < beads; ++i)
        chain.velocity[i] = speed * std::sin(pi * mode * static_cast<double>(i) / (beads - 1));
    chain.elements = elements;
    return chain;
}

/// 4 k sin^2(q/2) of the mode: what the contacts return [N/m].
double contact_stiffness(int mode) {
    const double a = hertz_factor();
    const double stiffness = 1.5 * std::pow(a, 2.0 / 3.0) * std::cbrt(squeeze);
    const double q = pi * mode / (beads - 1);
    return 4.0 * stiffness * std::pow(std::sin(0.5 * q), 2);
}

/// The part of a mode in the motion.
double projection(const dynamics::Engine& engine, int mode) {
    double sum = 0.0;
    for (std::size_t i = 0; i < beads; ++i)
        sum += std::sin(pi * mode * static_cast<double>(i) / (beads - 1)) * engine.velocity()[i];
    return sum;
}

/// The frequencies [rad/s] of a sum of cosines without damping, lowest first: of the linear
/// recurrence that all its samples satisfy [Prony].
std::vector<double> frequencies(dynamics::Engine& engine, double dt, std::int64_t stride,
                                std::size_t samples, int mode, std::size_t count) {
    std::vector<double> p;
    dynamics::SensorTrace trace;
    for (std::size_t k = 0; k < samples; ++k) {
        p.push_back(projection(engine, mode));
        engine.advance(stride, trace);
    }
    const double step = dt * static_cast<double>(stride);
    if (count == 1) {  // p_(n+1) + p_(n-1) = 2 cos(w step) p_n
        double above = 0.0, below = 0.0;
        for (std::size_t n = 1; n + 1 < samples; ++n) {
            above += (p[n + 1] + p[n - 1]) * p[n];
            below += p[n] * p[n];
        }
        return {std::acos(0.5 * above / below) / step};
    }
    // p_(n+2) + p_(n-2) = a (p_(n+1) + p_(n-1)) + b p_n with the roots x + 1/x = 2 cos(w step) of
    // y^2 - a y - (b + 2) = 0.
    double xx = 0.0, xy = 0.0, yy = 0.0, xr = 0.0, yr = 0.0;
    for (std::size_t n = 2; n + 2 < samples; ++n) {
        const double x = p[n + 1] + p[n - 1], y = p[n], r = p[n + 2] + p[n - 2];
        xx += x * x, xy += x * y, yy += y * y, xr += x * r, yr += y * r;
    }
    const double det = xx * yy - xy * xy;
    const double a = (xr * yy - yr * xy) / det, b = (yr * xx - xr * xy) / det;
    const double root = std::sqrt(0.25 * a * a + b + 2.0);
    return {std::acos(0.5 * (0.5 * a + root)) / step, std::acos(0.5 * (0.5 * a - root)) / step};
}

/// Both engines, on every instruction set.
void each_engine(const chain::Chain& chain, double dt,
                 const std::function<void(dynamics::Engine&)>& check) {
    check(*dynamics::make_plain_engine(chain, dt));
    for (const simd::InstructionSet& set : simd::instruction_sets())
        check(*dynamics::make_tiled_engine(chain, dt, 1, {.beads = 16, .steps = 9}, set));
}

chain::Elements on_all(const chain::Spring& ground) {
    chain::Elements elements;
    for (std::size_t i = 0; i < beads; ++i)
        elements.foundations.push_back({i, ground});
    return elements;
}
chain::Elements in_all(double mass, const chain::Spring& spring) {
    chain::Elements elements;
    for (std::size_t i = 0; i < beads; ++i)
        elements.resonators.push_back({i, mass, spring});
    return elements;
}

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

struct Outcome {
    std::vector<std::vector<double>> columns;
    std::array<double, 5> totals;
    bool operator==(const Outcome&) const = default;
};

Outcome outcome_of(dynamics::Engine& engine) {
    Outcome outcome;
    for (const auto column : {engine.displacement(), engine.velocity(), engine.contact_force()})
        outcome.columns.emplace_back(column.begin(), column.end());
    const dynamics::Totals t = engine.totals();
    outcome.totals = {t.kinetic, t.stored, t.dissipated, t.external_work, t.momentum};
    return outcome;
}

constexpr std::array<const char*, 4> some_laws{"hertz", "tsuji", "ma-liu", "flores"};

}  // namespace

TEST_CASE("a chain on linear springs to the ground has the dispersion of Klein and Gordon") {
    constexpr double ground = 3e5;
    for (const int mode : {1, 5, 16, 30}) {
        CAPTURE(mode);
        const double expected = std::sqrt((contact_stiffness(mode) + ground) / bead_mass);
        const double dt = 2.0 * pi / expected / 2000.0;
        each_engine(compressed(on_all({.stiffness = ground}), mode, 1e-5), dt,
                    [&](dynamics::Engine& engine) {
                        const auto found = frequencies(engine, dt, 200, 60, mode, 1);
                        CHECK_RELATIVE(found[0], expected, 1e-5);
                    });
    }
}

TEST_CASE("masses inside the beads give the two branches of local resonance") {
    constexpr double inner = 0.3e-3, spring = 4e5;
    for (const int mode : {2, 7, 16, 29}) {
        CAPTURE(mode);
        // m w^2 (1 + (M/m) w_r^2 / (w_r^2 - w^2)) = K
        const double k = contact_stiffness(mode), resonance = spring / inner;
        const double middle = 0.5 * (k / bead_mass + resonance * (1.0 + inner / bead_mass));
        const double root = std::sqrt(middle * middle - k / bead_mass * resonance);
        const double low = std::sqrt(middle - root), high = std::sqrt(middle + root);
        const double dt = 2.0 * pi / high / 2000.0;
        each_engine(compressed(in_all(inner, {.stiffness = spring}), mode, 1e-5), dt,
                    [&](dynamics::Engine& engine) {
                        const auto found = frequencies(engine, dt, 300, 80, mode, 2);
                        CHECK_RELATIVE(found[0], low, 1e-5);
                        CHECK_RELATIVE(found[1], high, 1e-5);
                    });
    }
}

TEST_CASE("drag makes a mode of the chain decay as the damped oscillator does") {
    constexpr double drag = 2.0;
    constexpr int mode = 6;
    const double rate = 0.5 * drag / bead_mass;
    const double square = contact_stiffness(mode) / bead_mass - rate * rate;
    const double dt = 2.0 * pi / std::sqrt(square) / 2000.0;
    each_engine(
        compressed(on_all({.damping = drag}), mode, 1e-5), dt, [&](dynamics::Engine& engine) {
            // v(t) = v0 exp(-r t) (cos wt - (r/w) sin wt): after whole periods exp(-r t).
            dynamics::SensorTrace trace;
            const double before = projection(engine, mode);
            engine.advance(4000, trace);
            CHECK_RELATIVE(projection(engine, mode) / before, std::exp(-rate * 4000 * dt), 1e-5);
        });
}

TEST_CASE("a bead on a cubic spring and one that holds a mass move as a plain integration says") {
    // Fourth-order Runge-Kutta of m u'' = -k u - k3 u^3 - c u' - K (u - y), M y'' = K (u - y).
    constexpr double m = 0.45e-3, inner = 0.2e-3, v0 = 1.0;
    const chain::Spring ground{.stiffness = 1e5, .cubic = 3e14, .damping = 1.2};
    const chain::Spring own{.stiffness = 2e5, .cubic = -2e13, .damping = 0.7};
    const auto slope = [&](const std::array<double, 4>& s) {
        const auto force = [](const chain::Spring& k, double x, double v) {
            return k.stiffness * x + k.cubic * x * x * x + k.damping * v;
        };
        const double pull = force(own, s[0] - s[2], s[1] - s[3]);
        return std::array{s[1], (-force(ground, s[0], s[1]) - pull) / m, s[3], pull / inner};
    };
    constexpr double end = 4e-4;
    constexpr int steps = 40000;
    std::array<double, 4> state{0.0, v0, 0.0, v0};
    for (int k = 0; k < steps; ++k) {
        const double h = end / steps;
        std::array<std::array<double, 4>, 4> slopes{};
        constexpr std::array part{0.0, 0.5, 0.5, 1.0};
        for (std::size_t stage = 0; stage < 4; ++stage) {
            std::array<double, 4> at = state;
            for (std::size_t i = 0; i < 4 && stage > 0; ++i)
                at[i] += part[stage] * h * slopes[stage - 1][i];
            slopes[stage] = slope(at);
        }
        for (std::size_t i = 0; i < 4; ++i)
            state[i] +=
                h / 6.0 * (slopes[0][i] + 2.0 * slopes[1][i] + 2.0 * slopes[2][i] + slopes[3][i]);
    }
    chain::Scenario scenario = steel_chain(1, v0, law_settings("hertz"), end);
    chain::Chain chain = chain::build_chain(scenario);
    chain.elements.foundations.push_back({0, ground});
    chain.elements.resonators.push_back({0, inner, own});
    each_engine(chain, end / steps, [&](dynamics::Engine& engine) {
        dynamics::SensorTrace trace;
        engine.advance(steps, trace);
        CHECK_ABSOLUTE(engine.displacement()[0], state[0], 1e-6 * 1e-5);
        CHECK_ABSOLUTE(engine.velocity()[0], state[1], 1e-6 * v0);
        // The motion of the mass inside shows in the momentum.
        CHECK_ABSOLUTE(engine.totals().momentum, m * state[1] + inner * state[3],
                       1e-6 * v0 * (m + inner));
    });
}

TEST_CASE("energy is balanced in chains that carry springs, masses, loads and driven beads") {
    double largest = 0.0;
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
                largest = std::max(largest, error);
                CHECK(error < 1e-6);
                if (damped) CHECK(now.dissipated > 0.05 * start.kinetic);
                CHECK((now.external_work != 0.0) == timed);
            });
        }
    }
    MESSAGE("largest energy error ", largest);
}

TEST_CASE("both engines agree on chains that carry springs, masses, loads and driven beads") {
    for (const char* law : some_laws) {
        for (const bool damped : {false, true}) {
            CAPTURE(law);
            CAPTURE(damped);
            double largest = 0.0;
            const chain::Chain chain = mixed(law, damped, true);
            dynamics::SensorTrace plain_trace, trace;
            plain_trace.beads = trace.beads = {0, 11, 17, 60};
            const auto plain = dynamics::make_plain_engine(chain, 1e-8);
            plain->advance(6000, plain_trace);
            const Outcome expected = outcome_of(*plain);
            const auto scale = [](const std::vector<double>& values) {
                double most = 0.0;
                for (const double value : values)
                    most = std::max(most, std::abs(value));
                return most;
            };
            for (const simd::InstructionSet& set : simd::instruction_sets()) {
                for (const dynamics::TileShape shape : {dynamics::TileShape{},
                                                        {.beads = 16, .steps = 9},
                                                        {.beads = 32, .steps = 31}}) {
                    CAPTURE(set.name);
                    const auto tiled = dynamics::make_tiled_engine(chain, 1e-8, 1, shape, set);
                    tiled->advance(6000, trace);
                    const Outcome found = outcome_of(*tiled);
                    for (std::size_t k = 0; k < found.columns.size(); ++k) {
                        double worst = 0.0;
                        for (std::size_t i = 0; i < found.columns[k].size(); ++i)
                            worst = std::max(
                                worst, std::abs(found.columns[k][i] - expected.columns[k][i]));
                        largest = std::max(largest, worst / scale(expected.columns[k]));
                    }
                    for (std::size_t k = 0; k < found.totals.size(); ++k)
                        CHECK_ABSOLUTE(found.totals[k], expected.totals[k],
                                       1e-11 * expected.totals[0]);
                    double worst = 0.0;
                    for (std::size_t k = 0; k < trace.velocity.size(); ++k)
                        worst =
                            std::max(worst, std::abs(trace.velocity[k] - plain_trace.velocity[k]));
                    largest = std::max(largest, worst / scale(plain_trace.velocity));
                    CHECK(largest < 1e-13);
                }
            }
            MESSAGE(std::string(law), ": ", largest);
        }
    }
}

TEST_CASE("tiles, threads and sleep change no bit of a chain that carries something") {
    for (const char* law : some_laws) {
        CAPTURE(law);
        chain::Chain chain = mixed(law, true, true);
        const auto run = [&](const dynamics::TileShape& shape, int threads,
                             const std::vector<std::int64_t>& groups) {
            const auto engine = dynamics::make_tiled_engine(chain, 1e-8, threads, shape);
            dynamics::SensorTrace trace;
            for (const std::int64_t steps : groups)
                engine->advance(steps, trace);
            return outcome_of(*engine);
        };
        const Outcome expected = run({.sleep = false}, 1, {5000});
        CHECK(run({}, 1, {5000}) == expected);
        CHECK(run({.beads = 16, .steps = 9}, 1, {5000}) == expected);
        CHECK(run({.beads = 16, .steps = 9}, 3, {1234, 1, 3765}) == expected);
        CHECK(run({.beads = 32, .steps = 31, .sleep = false}, 2, {4000, 1000}) == expected);
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
        for (const bool plain : {false, true}) {
            CAPTURE(law);
            CAPTURE(plain);
            const chain::Chain chain = mixed(law, true, true);
            const auto make = [&] {
                return plain
                           ? dynamics::make_plain_engine(chain, 1e-8)
                           : dynamics::make_tiled_engine(chain, 1e-8, 1, {.beads = 16, .steps = 9});
            };
            const auto whole = make(), piece = make();
            dynamics::SensorTrace trace;
            whole->advance(2345, trace);
            std::vector<std::vector<double>> saved;
            for (const auto& column : whole->state())
                saved.emplace_back(column.values.begin(), column.values.end());
            const auto columns = piece->state();
            REQUIRE(columns.size() == saved.size());
            for (std::size_t k = 0; k < columns.size(); ++k)
                std::ranges::copy(saved[k], columns[k].values.begin());
            piece->continue_at(whole->step());
            whole->advance(2000, trace);
            piece->advance(2000, trace);
            CHECK(outcome_of(*whole) == outcome_of(*piece));
        }
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
