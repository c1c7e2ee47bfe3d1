// Forces between beads without contact: two magnets, energy, bits, and the engines against each
// other. Their waves: pair_forces_waves_test.cpp.

#include "beadwave/argument_error.hpp"
#include "engine_outcome.hpp"
#include "every_engine.hpp"
#include "largest.hpp"
#include "magnet_chains.hpp"
#include "relative.hpp"
#include "sanitised.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numbers>
#include <string>
#include <vector>

namespace beadwave::validation::pair_forces_test {

namespace {

/// Neighbours of three kinds at once: a power law with a range, magnets of two moments, and a
/// long tail; with drag, a resonator, a load and a driven bead beside them.
chain::Chain crowded(const char* law, bool damped, bool timed, std::size_t count = 70) {
    constexpr double mu0 = 4e-7 * std::numbers::pi;
    const double c = damped ? 1.0 : 0.0;
    chain::Chain chain = magnets(count, 2.0 * magnet_radius + 1e-4,
                                 {power_law(count, 60.0, 0.01, 2.73, 3, 0.025),
                                  {.first = 5,
                                   .last = count - 8,
                                   .law = laws::PairLaw(1.0, 4.0),
                                   .force = -1.5 * mu0 / std::numbers::pi,
                                   .moments = {0.9, -1.1, 0.7},
                                   .neighbours = 2},
                                  power_law(count, 0.3, 0.01, 1.0, 16)},
                                 true, law);
    chain.elements.resonators.push_back({30, 1e-3, {.stiffness = 1e4, .damping = 0.2 * c}});
    for (std::size_t i = 12; i < 40; ++i)
        chain.elements.foundations.push_back({i, {.stiffness = 2e3, .damping = 0.3 * c}});
    chain.gap[20] = chain.gap[41] = -1e-6;  // contacts that are closed
    for (std::size_t contact = 2; contact + 1 < count; contact += 3) {
        chain.elements.bonds.push_back({.contact = contact,
                                        .stiffness = 2e3,
                                        .damping = 0.1 * c,
                                        .strength = contact % 2 == 0 ? 0.05 : 1e9,
                                        .tension_only = contact % 4 == 1});
    }
    for (std::size_t i = 1; i + 1 < count; ++i)
        chain.velocity[i] = 0.3 * std::sin(1.7 * static_cast<double>(i));
    if (timed) {
        chain.elements.loads.push_back({50, stepping::ForceSignal::sine(2e3, 8.0, 3.0)});
        chain.elements.driven.push_back({60, stepping::Drive::sine(1e3, 2e-5)});
        chain.velocity[60] = chain.elements.driven[0].motion.velocity(0.0);
    }
    return chain;
}

constexpr double step = 2e-7;
constexpr std::array<const char*, 3> some_laws{"hertz", "tsuji", "ma-liu"};

/// Integral of f from a to b, by Gauss and Legendre with 16 points on many panels.
double integral(const std::function<double(double)>& f, double a, double b) {
    constexpr std::array<double, 4> x{0.1834346424956498, 0.5255324099163290, 0.7966664774136267,
                                      0.9602898564975363};
    constexpr std::array<double, 4> w{0.3626837833783620, 0.3137066458778873, 0.2223810344533745,
                                      0.1012285362903763};
    constexpr int panels = 200;
    double sum = 0.0;
    for (int k = 0; k < panels; ++k) {
        const double h = 0.5 * (b - a) / panels, middle = a + (2 * k + 1) * h;
        for (std::size_t j = 0; j < x.size(); ++j)
            sum += h * w[j] * (f(middle - h * x[j]) + f(middle + h * x[j]));
    }
    return sum;
}

}  // namespace

TEST_CASE("two magnets turn where the energy says, and after the time of the quadrature") {
    // Written out: A ((r0/r)^p - (r0/R)^p), and its energy.
    struct Case {
        double exponent, range;
    };
    constexpr double force = 0.8, distance = 0.02, start = 0.03, speed = 0.4;
    const double infinite = laws::PairLaw::no_range;
    for (const Case& each : std::vector<Case>{
             {2.73, infinite}, {4.0, infinite}, {1.0, infinite}, {7.0, infinite}, {2.5, 0.026}}) {
        CAPTURE(each.exponent);
        const double p = each.exponent, range = each.range;
        const auto potential = [&](double r) {
            const auto bare = [&](double s) {
                return p == 1.0 ? -force * distance * std::log(s / distance)
                                : force * distance / (p - 1.0) * std::pow(distance / s, p - 1.0);
            };
            if (range == infinite) return bare(r);
            return r < range
                       ? bare(r) - bare(range) - force * std::pow(distance / range, p) * (range - r)
                       : 0.0;
        };
        const double mass = 0.5 * magnet_mass,
                     energy = potential(start) + 0.5 * mass * speed * speed;
        double low = 2.0 * magnet_radius, high = start;
        for (int k = 0; k < 200; ++k)
            (potential(0.5 * (low + high)) > energy ? low : high) = 0.5 * (low + high);
        const double turn = high;
        REQUIRE(turn > 2.0 * magnet_radius);
        // With r = turn + s^2 the integrand is smooth, but at the range.
        const auto slowness = [&](double s) {
            const double r = turn + s * s;
            const double left = std::max(energy - potential(r), 1e-300);
            return 2.0 * s / std::sqrt(2.0 * left / mass);
        };
        const double at_range = std::sqrt(std::min(range, start) - turn);
        const double until_turn = integral(slowness, 0.0, at_range) +
                                  integral(slowness, at_range, std::sqrt(start - turn));

        chain::Chain chain = magnets(2, start, {power_law(2, force, distance, p, 1, range)}, false);
        chain.velocity[0] = speed;
        constexpr int steps = 40000;
        each_engine(chain, until_turn / steps, [&](dynamics::Engine& engine) {
            dynamics::SensorTrace trace;
            engine.advance(steps, trace);
            const double apart = start + engine.displacement()[1] - engine.displacement()[0];
            CHECK_RELATIVE(apart, turn, 1e-8);
            // The time from one turn to the other end: the motion is symmetric about the turn.
            CHECK_ABSOLUTE(engine.velocity()[0] - engine.velocity()[1], 0.0, 1e-6 * speed);
            engine.advance(steps, trace);
            CHECK_RELATIVE(start + engine.displacement()[1] - engine.displacement()[0], start,
                           1e-8);
            CHECK_RELATIVE(engine.velocity()[1], speed, 1e-8);
        });
    }
}

TEST_CASE("energy is balanced in chains with forces without contact") {
    Largest largest;
    for (const char* law : some_laws) {
        for (const unsigned kind : {0U, 1U, 2U, 3U}) {
            const bool damped = (kind & 1U) != 0, timed = (kind & 2U) != 0;
            if (sanitised && damped != timed) continue;
            CAPTURE(law);
            CAPTURE(damped);
            CAPTURE(timed);
            // The contacts are stiff: the error of a collision that goes on falls with dt^2.
            each_engine(crowded(law, damped, timed), 2e-8, [&](dynamics::Engine& engine) {
                const dynamics::Totals start = engine.totals();
                dynamics::SensorTrace trace;
                engine.advance(20000, trace);
                const dynamics::Totals now = engine.totals();
                const double gained = now.kinetic + now.stored + now.dissipated - start.kinetic -
                                      start.stored - now.external_work;
                const double error = std::abs(gained) / start.kinetic;
                largest.enter(error);
                CHECK(error < 5e-5);
                // The forces act: the energy stored in them is exchanged.
                CHECK(std::abs(now.kinetic - start.kinetic) > 0.05 * start.kinetic);
                if (damped) CHECK(now.dissipated > 0.01 * start.kinetic);
            });
        }
    }
    MESSAGE("largest energy error over the kinetic energy ", largest);
}

TEST_CASE("both engines agree on chains with forces without contact") {
    for (const char* law : some_laws) {
        for (const bool damped : {false, true}) {
            CAPTURE(law);
            CAPTURE(damped);
            const chain::Chain chain = crowded(law, damped, true);
            dynamics::SensorTrace trace;
            const auto plain = dynamics::make_plain_engine(chain, step);
            plain->advance(500, trace);
            const Outcome expected = outcome_of(*plain);
            Largest largest;
            for (const simd::InstructionSet& set : simd::instruction_sets()) {
                for (const dynamics::TileShape shape : {dynamics::TileShape{},
                                                        {.beads = 16, .steps = 9},
                                                        {.beads = 32, .steps = 2}}) {
                    CAPTURE(set.name);
                    const auto tiled = dynamics::make_tiled_engine(chain, step, 1, shape, set);
                    tiled->advance(500, trace);
                    const Outcome found = outcome_of(*tiled);
                    for (std::size_t k = 0; k < found.columns.size(); ++k) {
                        Largest worst, scale;
                        for (std::size_t i = 0; i < found.columns[k].size(); ++i) {
                            worst.enter(std::abs(found.columns[k][i] - expected.columns[k][i]));
                            scale.enter(std::abs(expected.columns[k][i]));
                        }
                        // The contact forces take the rounding of displacements a thousand times
                        // as large as the overlaps.
                        if (k < 2) largest.enter(worst / scale);
                    }
                    for (std::size_t k = 0; k < found.totals.size(); ++k)
                        CHECK_ABSOLUTE(found.totals[k], expected.totals[k],
                                       1e-11 * std::abs(expected.totals[1]));
                    CHECK(largest < 1e-13);
                }
            }
            MESSAGE(std::string(law), ": ", largest);
        }
    }
}

TEST_CASE("tiles, threads and sleep change no bit of a chain with forces without contact") {
    for (const char* law : some_laws) {
        CAPTURE(law);
        const chain::Chain chain = crowded(law, true, true, 200);
        const auto run = [&](const dynamics::TileShape& shape, int threads,
                             const std::vector<std::int64_t>& groups) {
            return tiled_outcome(chain, step, shape, threads, groups);
        };
        const Outcome expected = run({.sleep = false}, 1, {2000});
        CHECK(run({}, 1, {2000}) == expected);
        CHECK(run({.beads = 16, .steps = 9}, 1, {2000}) == expected);
        CHECK(run({.beads = 64, .steps = 9}, 3, {1234, 1, 765}) == expected);
        CHECK(run({.beads = 96, .steps = 31, .sleep = false}, 2, {1000, 1000}) == expected);
    }
    // A wave into a uniform chain, most of which rests to the bit.
    for (const std::size_t neighbours : {1, 3}) {
        const std::size_t count = 3000;
        chain::Chain chain =
            magnets(count, 0.02, {power_law(count, 0.5, 0.02, 4.0, neighbours)}, true);
        chain.velocity[1500] = 1e-2;
        const auto run = [&](bool sleep, int threads) {
            const auto engine = dynamics::make_tiled_engine(
                chain, 5e-4, threads, {.beads = 160, .steps = 20, .sleep = sleep});
            dynamics::SensorTrace trace;
            engine->advance(3000, trace);
            return outcome_of(*engine);
        };
        const Outcome awake = run(false, 1);
        CHECK(run(true, 1) == awake);
        CHECK(run(true, 3) == awake);
        CHECK(awake.columns[1][1300] != 0.0);
        CHECK(awake.columns[1][500] == 0.0);
    }
}

TEST_CASE("threads change no bit of a long chain with forces without contact") {
    constexpr std::size_t many = 20000;
    chain::Chain chain = magnets(many, 0.02, {power_law(many, 0.5, 0.02, 2.73, 2)}, true);
    for (std::size_t i = 1; i + 1 < many; ++i)
        chain.velocity[i] = 1e-2 * std::sin(0.7 * static_cast<double>(i));
    const auto run = [&](int threads) {
        const auto engine = dynamics::make_tiled_engine(chain, 1e-5, threads);
        CHECK(engine->threads() == threads);
        dynamics::SensorTrace trace;
        engine->advance(300, trace);
        return outcome_of(*engine);
    };
    const Outcome one = run(1);
    CHECK(run(3) == one);
}

TEST_CASE("a chain with forces without contact continues from a saved state to the bit") {
    check_continues(crowded("ma-liu", true, true), step, 1234, 1000, 32);
}

TEST_CASE("forces without contact out of their range are refused") {
    const auto check = [](const chain::PairForce& force, const char* message) {
        CHECK_THROWS_WITH_AS(chain::check_elements({.pair_forces = {force}}, 10), message,
                             ArgumentError);
    };
    chain::PairForce force = power_law(10, 1.0, 0.02, 4.0);
    force.last = 10;
    check(force, "pair_forces[0].last = 10: expected a bead from `first` to 9");
    force = power_law(10, 1.0, -0.02, 4.0);
    check(force, "pair_forces[0].distance = -0.02: expected a number above 0, in m");
    force = power_law(10, 1.0, 0.02, 0.0);
    check(force, "pair_forces[0].exponent = 0: expected a number above 0");
    force = power_law(10, 1.0, 0.02, 4.0, 17);
    check(force, "pair_forces[0].neighbours = 17: expected a whole number from 1 to 16");
}

}  // namespace beadwave::validation::pair_forces_test
