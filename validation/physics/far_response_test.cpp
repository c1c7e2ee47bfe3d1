// Responses, damped modes and small waves of chains with forces without contact that reach beyond
// the next bead, against dense matrices and runs, and what is refused.

#include "beadwave/input_error.hpp"
#include "every_engine.hpp"
#include "far_chains.hpp"
#include "largest.hpp"
#include "modes/chain_modes.hpp"
#include "modes/chain_transfer.hpp"
#include "relative.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <functional>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

namespace beadwave::validation::far_response_test {

namespace {

using Complex = std::complex<double>;
constexpr double pi = std::numbers::pi;

/// Solves (K + i w C - w^2 M) u = f by Gauss's elimination with pivots.
std::vector<Complex> dense_solve(FarMatrix k, FarMatrix c, const std::vector<double>& masses,
                                 double omega, std::vector<Complex> f) {
    const std::size_t n = k.n;
    std::vector<std::vector<Complex>> a(n, std::vector<Complex>(n));
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j)
            a[i][j] = Complex(k(i, j), omega * c(i, j));
        a[i][i] -= omega * omega * masses[i];
    }
    for (std::size_t p = 0; p < n; ++p) {
        std::size_t best = p;
        for (std::size_t i = p; i < n; ++i)
            if (std::abs(a[i][p]) > std::abs(a[best][p])) best = i;
        std::swap(a[p], a[best]), std::swap(f[p], f[best]);
        for (std::size_t i = p + 1; i < n; ++i) {
            const Complex part = a[i][p] / a[p][p];
            for (std::size_t j = p; j < n; ++j)
                a[i][j] -= part * a[p][j];
            f[i] -= part * f[p];
        }
    }
    for (std::size_t p = n; p-- > 0;) {
        for (std::size_t j = p + 1; j < n; ++j)
            f[p] -= a[p][j] * f[j];
        f[p] /= a[p][p];
    }
    return f;
}

std::string refusal_of(const std::string& text) {
    try {
        modes_of(text);
    } catch (const InputError& error) {
        return error.what();
    }
    return {};
}

}  // namespace

TEST_CASE("the response to a force and to an end is that of the dense matrix") {
    constexpr std::size_t beads = 14;
    const std::string text = magnet_row(
        beads, 4, 2.73,
        "[[foundation]]\nbeads = \"all\"\nstiffness = 3.0\ndamping = 0.02\n[[resonator]]\nbeads = "
        "[6, 7]\nmass = 1e-3\nstiffness = 20.0\ndamping = 0.01\n");
    const chain::Chain chain = far_chain_of(text);
    const auto linear = linear::linearise(chain, "test");
    FarMatrix pairs = pair_matrix(chain.positions(), 4, 2.73);
    FarMatrix k(16), c(16);
    std::vector<double> masses(16, far_mass);
    for (std::size_t i = 0; i < beads; ++i)
        for (std::size_t j = 0; j < beads; ++j)
            k(i, j) = pairs(i, j);
    for (std::size_t i = 0; i < beads; ++i)
        k(i, i) += 3.0, c(i, i) += 0.02;
    for (std::size_t i = 0; i < 2; ++i)
        k.spring(6 + i, beads + i, 20.0), c.spring(6 + i, beads + i, 0.01), masses[14 + i] = 1e-3;
    const FarMatrix moving = without(k, {0, 13}), damping = without(c, {0, 13});
    std::vector<double> of_moving(masses.begin() + 1, masses.begin() + 13);
    of_moving.insert(of_moving.end(), masses.begin() + 14, masses.end());
    for (const std::string input : {"5", "left", "right"}) {
        for (const double frequency : {0.5, 7.0, 31.0, 55.0}) {
            std::vector<Complex> f(14);
            if (input == "5") {
                f[4] = 1.0;
            } else {
                const std::size_t end = input == "left" ? 0 : 13;
                for (std::size_t i = 1; i < 13; ++i)
                    f[i - 1] = -k(i, end);
            }
            const auto expected = dense_solve(moving, damping, of_moving, 2.0 * pi * frequency, f);
            Largest largest;
            for (const Complex& u : expected)
                largest.enter(std::abs(u));
            const auto found = modes::transfer(
                linear,
                {.input = input, .frequency = {frequency}, .sensors = {1, 2, 3, 5, 6, 9, 12}}, "t");
            for (std::size_t s = 0; s < found.sensors.size(); ++s) {
                const auto place = static_cast<std::size_t>(found.sensors[s] - 1);
                CHECK_ABSOLUTE(std::abs(found.displacement[s] - expected[place]), 0.0,
                               1e-10 * largest);
                CHECK(found.force[s] == 0.0);  // no contact is closed
            }
        }
    }
}

TEST_CASE("dashpots: each damped mode solves its equation, and their sum is the trace") {
    const std::string text = magnet_row(
        22, 5, 2.0,
        "[[foundation]]\nbeads = [0, 12]\nstiffness = 2.0\ndamping = 0.3\n[[foundation]]\nbeads = "
        "[13, 20]\nstiffness = 1.0\ndamping = 0.05\n");
    const auto x = far_chain_of(text).positions();
    FarMatrix k = pair_matrix(x, 5, 2.0), c(22);
    for (std::size_t i = 0; i < 22; ++i) {
        k(i, i) += i < 13 ? 2.0 : 1.0;
        c(i, i) = i < 13 ? 0.3 : 0.05;
    }
    FarMatrix stiffness = without(k, {0, 21}), damping = without(c, {0, 21});
    const modes::Modes m = modes_of(text).analysis.modes;
    double sum = 0.0, trace = 0.0;
    for (std::size_t i = 0; i < 20; ++i)
        trace -= damping(i, i) / far_mass;
    for (std::size_t mode = 0; mode < m.frequency.size(); ++mode) {
        const double size = 2.0 * pi * m.frequency[mode], ratio = m.damping_ratio[mode];
        const Complex lambda =
            size * Complex(-ratio, std::sqrt(std::max(1.0 - ratio * ratio, 0.0)));
        sum += (ratio < 1.0 - 1e-9 ? 2.0 : 1.0) * lambda.real();
        const Complex* u = m.shape.data() + mode * m.freedoms;
        for (std::size_t i = 0; i < 20; ++i) {
            Complex rest = far_mass * lambda * lambda * u[i];
            for (std::size_t j = 0; j < 20; ++j)
                rest += (stiffness(i, j) + lambda * damping(i, j)) * u[j];
            CHECK_ABSOLUTE(std::abs(rest), 0.0, 1e-9 * stiffness(0, 0));
        }
    }
    CHECK_RELATIVE(sum, trace, 1e-10);
}

TEST_CASE("small waves of the stepper have the frequencies of the modes") {
    for (const int neighbours : {3, 16}) {
        chain::Chain chain = far_chain_of(magnet_row(
            32, neighbours, 2.73,
            "[[foundation]]\nbeads = \"all\"\nstiffness = 10.0\n[[resonator]]\nbeads = [8, 20]\n"
            "mass = 5e-4\nstiffness = 8.0\n"));
        const modes::Modes m = modes::solve(linear::linearise(chain, "test"));
        for (const std::size_t mode : {std::size_t{0}, std::size_t{11}, m.frequency.size() - 1}) {
            CAPTURE(mode);
            const double omega = 2.0 * pi * m.frequency[mode];
            const double dt = 2.0 * pi / omega / 2000.0;
            for (std::size_t i = 0; i < 30; ++i)
                chain.velocity[i + 1] = 1e-8 * m.shape[mode * m.freedoms + i].real();
            each_engine(chain, dt, [&](dynamics::Engine& engine) {
                // Masses inside start with their bead, which is not their shape: the motion has
                // other modes too. What the mode has of it swings alone.
                const auto share = [&] {
                    double sum = 0.0;
                    const auto v = engine.velocity();
                    for (std::size_t i = 0; i < 30; ++i)
                        sum += far_mass * v[i + 1] * m.shape[mode * m.freedoms + i].real();
                    for (const dynamics::StateColumn& column : engine.state()) {
                        if (column.name != "resonator_0_velocity") continue;
                        for (std::size_t r = 0; r < 13; ++r)
                            sum += 5e-4 * column.values[8 + r] *
                                   m.shape[mode * m.freedoms + 30 + r].real();
                    }
                    return sum;
                };
                std::vector<double> p;
                dynamics::SensorTrace trace;
                for (int s = 0; s < 25; ++s) {
                    p.push_back(share());
                    engine.advance(200, trace);
                }
                double above = 0.0, below = 0.0;  // p_(n+1) + p_(n-1) = 2 cos(w step) p_n
                for (std::size_t s = 1; s + 1 < p.size(); ++s)
                    above += (p[s + 1] + p[s - 1]) * p[s], below += p[s] * p[s];
                CHECK_RELATIVE(std::acos(0.5 * above / below) / (200.0 * dt), omega, 1e-5);
            });
        }
    }
}

TEST_CASE("what has no stable equilibrium is refused in one sentence") {
    const std::string row = magnet_row(12, 3, 2.0);
    std::string loose = row;
    loose.replace(loose.find("equilibrium = true"), 18, "equilibrium = false");
    CHECK(refusal_of(loose).starts_with(
        "modes.toml: bead 1 is not in static equilibrium: its contacts push it with 0.5 N and -0.5 "
        "N and farther beads with "));
    CHECK(refusal_of(loose).ends_with("or pair_force.0.equilibrium = true, and no gaps below 0"));
    std::string pulls = magnet_row(3, 2, 2.0);
    pulls.replace(pulls.find("force = 0.5"), 11, "force = -0.5");
    pulls.replace(pulls.find("equilibrium = true"), 18, "equilibrium = false");
    CHECK(refusal_of(pulls) ==
          "modes.toml: the equilibrium of the chain is not stable: its forces without contact push "
          "beads away from their places; expected forces that push the beads back");
}

}  // namespace beadwave::validation::far_response_test
