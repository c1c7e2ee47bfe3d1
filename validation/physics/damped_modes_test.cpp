// Damped modes against a companion matrix and against a chain that rings down, and transfer
// functions against a dense solution and against driven runs.

#include "beadwave/input_error.hpp"
#include "chain/build_chain.hpp"
#include "dynamics/tiled_engine.hpp"
#include "largest.hpp"
#include "linear/chain_operator.hpp"
#include "modes/chain_modes.hpp"
#include "modes/chain_transfer.hpp"
#include "modes/lapack.hpp"
#include "relative.hpp"
#include "sanitised.hpp"
#include "scenarios.hpp"
#include "splitmix.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <stdexcept>
#include <string>
#include <vector>

namespace beadwave::validation::damped_modes_test {

namespace {

using Complex = std::complex<double>;
constexpr double pi = std::numbers::pi;

linear::ChainOperator random_chain(std::size_t beads, double damping, std::uint64_t seed) {
    const auto uniform = [&] {
        seed = mixed(seed);
        return static_cast<double>(seed >> 11) * 0x1p-53;
    };
    linear::ChainOperator chain;
    for (std::size_t i = 0; i < beads; ++i)
        chain.bead.push_back(i);
    for (std::size_t i = 0; i <= beads; ++i) {
        if (i < beads) chain.mass.push_back(0.5 + uniform());
        chain.stiffness.push_back(0.5 + uniform());
        chain.damping.push_back(damping * uniform());
        if (i < beads) chain.position.push_back(static_cast<double>(i));
    }
    return chain;
}

/// Eigenvalues with Im >= 0 of the companion matrix, ascending in size.
std::vector<Complex> companion(const linear::ChainOperator& chain) {
    const std::size_t n = chain.size();
    std::vector<double> matrix(4 * n * n);  // of (u, v), by columns
    const auto at = [&](std::size_t row, std::size_t column) -> double& {
        return matrix[column * 2 * n + row];
    };
    for (std::size_t i = 0; i < n; ++i) {
        const double m = chain.mass[i];
        at(i, n + i) = 1.0;
        at(n + i, i) = -(chain.stiffness[i] + chain.stiffness[i + 1]) / m;
        at(n + i, n + i) = -(chain.damping[i] + chain.damping[i + 1]) / m;
        if (i > 0) {
            at(n + i, i - 1) = chain.stiffness[i] / m;
            at(n + i, n + i - 1) = chain.damping[i] / m;
        }
        if (i + 1 < n) {
            at(n + i, i + 1) = chain.stiffness[i + 1] / m;
            at(n + i, n + i + 1) = chain.damping[i + 1] / m;
        }
    }
    std::vector<Complex> all = modes::lapack::general(std::move(matrix), 2 * n).values;
    std::erase_if(all, [](const Complex& z) { return z.imag() < -1e-12 * std::abs(z); });
    std::ranges::sort(all, {}, [](const Complex& z) { return std::abs(z); });
    return all;
}

/// Two kinds of beads under a static load, the left wall driven.
chain::Scenario driven_dimer(double frequency, double amplitude, double restitution) {
    chain::Scenario scenario =
        steel_chain(12, 0.0, law_settings("tsuji", {{"restitution", restitution}}), 1.0);
    scenario.segments.resize(1);
    scenario.segments[0].beads = 12;
    scenario.segments[0].pattern = {{.radius = {}, .mass = 0.45e-3, .material = {}},
                                    {.radius = {}, .mass = 0.15e-3, .material = {}}};
    scenario.left = {.kind = chain::EndKind::driven,
                     .drive = stepping::Drive::sine(frequency, amplitude)};
    scenario.right = {.kind = chain::EndKind::wall};
    scenario.precompression = 20.0;
    return scenario;
}

/// The complex amplitudes of the forces of all beads, per metre of the wall, of a run that has
/// forgotten its start.
std::vector<Complex> driven_run(double frequency, double amplitude) {
    const chain::Chain chain = chain::build_chain(driven_dimer(frequency, amplitude, 0.1));
    constexpr int steps_per_period = 2000, periods = 4;
    const double dt = 1.0 / frequency / steps_per_period;
    const auto engine = dynamics::make_tiled_engine(chain, dt, 1);
    dynamics::SensorTrace trace;
    engine->advance(std::llround(0.025 * frequency) * steps_per_period, trace);
    for (std::size_t i = 0; i < chain.beads(); ++i)
        trace.beads.push_back(i);
    std::vector<Complex> sum(chain.beads());
    for (int step = 1; step <= periods * steps_per_period; ++step) {
        engine->advance(1, trace);
        const Complex turn = std::polar(1.0, -2.0 * pi * step / steps_per_period);
        for (std::size_t i = 0; i < sum.size(); ++i)
            sum[i] += trace.force[i] * turn;
    }
    // The wall moves as A sin(omega t), the imaginary part of A exp(i omega t).
    for (Complex& z : sum)
        z *= 2.0 / (periods * steps_per_period) * Complex(0.0, 1.0) / amplitude;
    return sum;
}

}  // namespace

TEST_CASE("no mode of a chain of strong dashpots is lost silently") {
    // The slow rates crowd at k/c. At the strongest damping they differ in fewer digits than a
    // double has: then they are right, or the chain is refused.
    constexpr std::size_t n = 100;
    constexpr double stiffness = 1.5e7, mass = 4e-3;
    for (const double damping : {1e3, 1e4, 1e6, 1e9}) {
        CAPTURE(damping);
        linear::ChainOperator chain;
        chain.mass.assign(n, mass);
        chain.stiffness.assign(n + 1, stiffness);
        chain.damping.assign(n + 1, damping);
        chain.position.assign(n, 0.0);
        std::vector<double> sizes;  // |lambda|
        for (std::size_t k = 1; k <= n; ++k) {
            const double root = 2.0 * std::sin(0.5 * pi * static_cast<double>(k) / (n + 1));
            const double square = root * root * stiffness / mass;
            const double half = 0.5 * square * damping / stiffness;
            const double fast =
                half * half > square ? half + std::sqrt(half * half - square) : std::sqrt(square);
            sizes.push_back(fast);
            if (half * half > square) sizes.push_back(square / fast);
        }
        std::ranges::sort(sizes);
        modes::Modes m;
        try {
            m = modes::solve(chain);
        } catch (const std::runtime_error& error) {
            CHECK(std::string(error.what()).starts_with("the damped modes could not be found"));
            CHECK(damping > 1e5);
            continue;
        }
        REQUIRE(m.frequency.size() == sizes.size());
        for (std::size_t k = 0; k < sizes.size(); ++k)
            CHECK_RELATIVE(2.0 * pi * m.frequency[k], sizes[k], 1e-6);
    }
}

TEST_CASE("damped modes are the eigenvalues of the companion matrix, overdamped ones too") {
    for (const double damping : {1e-3, 0.3, 3.0}) {
        for (const std::uint64_t seed : {1, 2, 3}) {
            CAPTURE(damping);
            CAPTURE(seed);
            const linear::ChainOperator chain = random_chain(25, damping, seed);
            const modes::Modes m = modes::solve(chain);
            const std::vector<Complex> expected = companion(chain);
            REQUIRE(m.frequency.size() == expected.size());
            if (damping > 1.0) CHECK(m.frequency.size() > 25);
            for (std::size_t k = 0; k < expected.size(); ++k) {
                const double size = std::abs(expected[k]);
                CHECK_RELATIVE(2.0 * pi * m.frequency[k], size, 1e-10);
                CHECK(std::fabs(m.damping_ratio[k] + expected[k].real() / size) < 1e-10);
            }
            // Every shape solves the quadratic problem.
            for (std::size_t k = 0; k < expected.size(); ++k) {
                const double omega = 2.0 * pi * m.frequency[k], ratio = m.damping_ratio[k];
                const Complex lambda =
                    omega * Complex(-ratio, std::sqrt(std::max(0.0, 1.0 - ratio * ratio)));
                for (std::size_t i = 0; i < 25; ++i) {
                    const auto u = [&](std::size_t j) { return m.shape[k * 25 + j]; };
                    const auto pull = [&](std::size_t c, const Complex& other) {
                        return (chain.stiffness[c] + lambda * chain.damping[c]) * (u(i) - other);
                    };
                    const Complex left = pull(i, i > 0 ? u(i - 1) : 0.0);
                    const Complex right = pull(i + 1, i + 1 < 25 ? u(i + 1) : 0.0);
                    CHECK(std::abs(lambda * lambda * chain.mass[i] * u(i) + left + right) < 1e-7);
                }
            }
        }
    }
}

TEST_CASE("a chain rings down as its damped mode says") {
    chain::Scenario scenario =
        steel_chain(14, 0.0, law_settings("schafer", {{"damping", 2.0}}), 1.0);
    scenario.left.kind = scenario.right.kind = chain::EndKind::fixed;
    scenario.precompression = 20.0;
    chain::Chain chain = chain::build_chain(scenario);
    const modes::Modes m = modes::solve(linear::linearise(chain, "test"));
    REQUIRE(m.freedoms == 12);
    for (const std::size_t mode : {0, 5, 11}) {
        CAPTURE(mode);
        const double omega = 2.0 * pi * m.frequency[mode], ratio = m.damping_ratio[mode];
        CHECK(ratio > 1e-3);
        double before = 0.0;
        // The speed is so low that the contacts stay springs: the error falls with it until the
        // steps decide.
        for (const double speed : {1e-4, 1e-6}) {
            double size = 0.0;
            std::vector<double> shape;
            for (std::size_t i = 0; i < 12; ++i) {
                const Complex u = m.shape[mode * 12 + i];
                CHECK(std::fabs(u.imag()) < 1e-9);  // damping in proportion to stiffness
                shape.push_back(u.real());
                size += u.real() * u.real();
                chain.velocity[i + 1] = speed * u.real();
            }
            const double dt = 2.0 * pi / omega / 2000.0;
            const auto engine = dynamics::make_tiled_engine(chain, dt, 1);
            dynamics::SensorTrace trace;
            Largest error;
            for (int k = 1; k <= 6000; ++k) {
                engine->advance(1, trace);
                double velocity = 0.0;
                for (std::size_t i = 0; i < 12; ++i)
                    velocity += shape[i] * engine->velocity()[i + 1] / size;
                const double t = k * dt, turned = omega * std::sqrt(1.0 - ratio * ratio);
                const double expected =
                    std::exp(-ratio * omega * t) *
                    (std::cos(turned * t) - ratio * omega / turned * std::sin(turned * t));
                error.enter(std::fabs(velocity / speed - expected));
            }
            MESSAGE("mode ", mode, " at ", speed, " m/s: error ", error);
            if (before > 0.0) CHECK(error < 1e-4);
            before = error;
        }
    }
}

TEST_CASE("the transfer function solves the linear chain at each frequency") {
    const linear::ChainOperator chain = random_chain(9, 0.2, 7);
    for (const std::string input : {"left", "right", "4"}) {
        const auto result = modes::transfer(
            chain, {.input = input, .frequency = {0.01, 0.1, 0.3, 2.0}, .sensors = {0, 4, 8}}, "t");
        for (std::size_t f = 0; f < 4; ++f) {
            const double omega = 2.0 * pi * result.frequency[f];
            // Integrates nothing: puts the answer at the sensors' neighbours into the equations.
            std::vector<std::int64_t> all{0, 1, 2, 3, 4, 5, 6, 7, 8};
            const auto whole = modes::transfer(
                chain, {.input = input, .frequency = {result.frequency[f]}, .sensors = all}, "t");
            const auto u = [&](std::size_t i) { return whole.displacement[i]; };
            const Complex left_wall = input == "left" ? 1.0 : 0.0;
            const Complex right_wall = input == "right" ? 1.0 : 0.0;
            std::vector<Complex> force;
            for (std::size_t c = 0; c <= 9; ++c) {
                force.push_back(Complex(chain.stiffness[c], omega * chain.damping[c]) *
                                ((c > 0 ? u(c - 1) : left_wall) - (c < 9 ? u(c) : right_wall)));
            }
            for (std::size_t i = 0; i < 9; ++i) {
                const Complex driven = input == "4" && i == 4 ? 1.0 : 0.0;
                CHECK(std::abs(force[i] - force[i + 1] + driven +
                               omega * omega * chain.mass[i] * u(i)) <
                      1e-10 * (1.0 + omega * omega));
                CHECK(std::abs(whole.force[i] - 0.5 * (force[i] + force[i + 1])) < 1e-12);
            }
            CHECK(result.displacement[f * 3 + 1] == u(4));
        }
    }
    const auto refused = [&](const std::string& input, std::int64_t sensor) {
        try {
            modes::transfer(chain, {.input = input, .frequency = {1.0}, .sensors = {sensor}}, "t");
        } catch (const InputError& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    CHECK(refused("up", 0) == "t: input up; expected left, right or the number of a bead");
    CHECK(refused("9", 0) == "t: input 9 is no bead that moves; expected 0 to 8");
    CHECK(refused("0", -1) == "t: sensor -1 is no bead that moves; expected 0 to 8");
}

TEST_CASE("driven runs follow the transfer function, the better the weaker they are driven" *
          doctest::skip(sanitised)) {
    // Bands of this dimer without its damping: to 36.3 kHz and 62.9 to 72.6 kHz.
    for (const double frequency : {3e3, 10e3, 20e3, 30e3, 34e3,  // the lower band
                                   40e3, 50e3, 60e3,             // the gap
                                   65e3, 70e3, 72e3, 80e3}) {    // the upper band, and above
        CAPTURE(frequency);
        const auto linear =
            linear::linearise(chain::build_chain(driven_dimer(frequency, 1e-9, 0.1)), "test");
        const auto expected = modes::transfer(linear,
                                              {.input = "left",
                                               .frequency = {frequency},
                                               .sensors = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}},
                                              "test");
        const auto error = [&](double amplitude) {
            const std::vector<Complex> run = driven_run(frequency, amplitude);
            Largest worst, largest;
            for (std::size_t i = 0; i < run.size(); ++i) {
                worst.enter(std::abs(run[i] - expected.force[i]));
                largest.enter(std::abs(expected.force[i]));
            }
            return worst / largest;
        };
        const double strong = error(4e-7), weak = error(2e-7);
        MESSAGE(frequency, " Hz: ", strong, " ", weak);
        CHECK(weak < 1e-2);
        CHECK(std::log2(strong / weak) > 1.8);
    }
}

}  // namespace beadwave::validation::damped_modes_test
