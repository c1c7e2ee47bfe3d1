// Transfer functions of packings: against the linear equations, and against driven runs.

#include "modes/packing_transfer.hpp"

#include "largest.hpp"
#include "linear/entries.hpp"
#include "modes/packing_modes.hpp"
#include "packings.hpp"
#include "relative.hpp"
#include "sanitised.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <string>
#include <vector>

namespace beadwave::validation::packing_transfer_test {

namespace {

using Complex = std::complex<double>;
using packing::Vec3;
constexpr double pi = std::numbers::pi, overlap = 2e-7;

/// Four columns and three rows of a square crystal between a wall on either side, periodic along y.
packing::Packing slab(const std::string& law) {
    packing::Packing p = steel_packing(law);
    if (law == "tsuji") p.law = law_settings("tsuji", {{"restitution", 0.1}});
    p.dimension = 2;
    const double spacing = 2.0 * steel_radius - overlap;
    for (int row = 0; row < 3; ++row)
        for (int column = 0; column < 4; ++column)
            p.add(steel_radius, steel_mass(steel_radius), {column * spacing, row * spacing, 0.0});
    p.box = {.lower = {0, 0, 0}, .upper = {1, 3 * spacing, 1}, .periodic = {false, true, false}};
    p.friction = {.law = laws::FrictionLaw::mindlin, .coefficient = 0.5};
    // A wall's contact carries the same force with less overlap.
    const double at_wall = overlap / std::cbrt(2.0);
    p.walls.push_back(
        {packing::Plane{.point = {-steel_radius + at_wall, 0, 0}, .normal = {1, 0, 0}}});
    p.walls.push_back({packing::Plane{.point = {3 * spacing + steel_radius - at_wall, 0, 0},
                                      .normal = {-1, 0, 0}}});
    return p;
}

modes::TransferRequest request_of(const std::string& input, std::vector<double> frequency) {
    modes::TransferRequest request{
        .input = input, .frequency = std::move(frequency), .sensors = {}};
    for (std::int64_t i = 0; i < 12; ++i)
        request.sensors.push_back(i);
    return request;
}

/// The complex amplitudes of the net contact forces along x of a run driven by wall 0, per metre.
std::vector<Complex> driven_run(double frequency, double amplitude) {
    packing::Packing p = slab("tsuji");
    p.walls[0].drive = stepping::Drive::sine(frequency, amplitude);
    constexpr int steps_per_period = 1000, periods = 4;
    const auto engine = packing::make_packing_engine(p, 1.0 / frequency / steps_per_period, 1);
    packing::ParticleTrace trace;
    engine->advance(std::llround(0.004 * frequency) * steps_per_period, trace);
    for (std::size_t i = 0; i < 12; ++i)
        trace.particles.push_back(i);
    std::vector<Complex> sum(12);
    for (int step = 1; step <= periods * steps_per_period; ++step) {
        engine->advance(1, trace);
        const Complex turn = std::polar(1.0, -2.0 * pi * step / steps_per_period);
        for (std::size_t i = 0; i < 12; ++i)
            sum[i] += trace.force[i].x * turn;
    }
    for (Complex& z : sum)
        z *= 2.0 / (periods * steps_per_period) * Complex(0.0, 1.0) / amplitude;
    return sum;
}

}  // namespace

TEST_CASE("the response of a packing solves its linear equations, with and without damping") {
    for (const std::string law : {"hertz", "tsuji"}) {
        const linear::PackingOperator linear = linear::linearise(slab(law), "test");
        const modes::Modes m = modes::solve(linear, "test");
        const linear::Entries entries = linear::entries_of(linear);
        const std::size_t c = linear.components();
        REQUIRE(c == 3);
        for (const std::string input : {"5 x", "5 y"}) {
            const auto result = modes::transfer(linear, m, request_of(input, {5e3, 90e3}), "test");
            for (std::size_t f = 0; f < 2; ++f) {
                const double omega = 2.0 * pi * result.frequency[f];
                // The rotations follow from the displacements: three equations per particle, of
                // which that of the rotation is solved here by rounds of relaxation.
                std::vector<Complex> u(linear.size());
                for (std::size_t i = 0; i < 12; ++i)
                    for (std::size_t k = 0; k < 2; ++k)
                        u[i * c + k] = result.displacement[(f * 12 + i) * 3 + k];
                std::vector<Complex> diagonal(linear.size());
                const auto rest = [&] {
                    std::vector<Complex> left(linear.size());
                    std::ranges::fill(diagonal, 0.0);
                    for (std::size_t e = 0; e < entries.row.size(); ++e) {
                        const auto i = static_cast<std::size_t>(entries.row[e]),
                                   j = static_cast<std::size_t>(entries.column[e]);
                        const Complex k(entries.stiffness[e], omega * entries.damping[e]);
                        left[i] += k * u[j];
                        if (i == j) diagonal[i] += k;
                    }
                    for (std::size_t i = 0; i < left.size(); ++i) {
                        left[i] -= omega * omega * entries.mass[i] * u[i];
                        diagonal[i] -= omega * omega * entries.mass[i];
                    }
                    left[5 * c + (input == "5 x" ? 0 : 1)] -= 1.0;
                    return left;
                };
                for (int round = 0; round < 400; ++round) {
                    const std::vector<Complex> left = rest();
                    for (std::size_t i = 0; i < 12; ++i)
                        u[i * c + 2] -= 0.6 * left[i * c + 2] / diagonal[i * c + 2];
                }
                Largest worst;
                for (const Complex& z : rest())
                    worst.enter(std::abs(z));
                CHECK(worst < 1e-8);
                for (std::size_t i = 0; i < 12; ++i) {
                    for (std::size_t k = 0; k < 2; ++k) {
                        const bool driven = i == 5 && k == (input == "5 x" ? 0u : 1u);
                        const Complex expected =
                            -omega * omega * entries.mass[i * c + k] * u[i * c + k] -
                            (driven ? 1.0 : 0.0);
                        CHECK(std::abs(result.force[(f * 12 + i) * 3 + k] - expected) <
                              1e-12 * (1.0 + std::abs(expected)));
                    }
                }
            }
        }
    }
}

TEST_CASE("a packing driven by a wall follows its transfer function, the better the weaker" *
          doctest::skip(sanitised)) {
    const linear::PackingOperator linear = linear::linearise(slab("tsuji"), "test");
    const modes::Modes m = modes::solve(linear, "test");
    for (const double frequency : {8e3, 25e3, 60e3}) {
        CAPTURE(frequency);
        const auto expected = modes::transfer(linear, m, request_of("wall 0", {frequency}), "test");
        const auto error = [&](double amplitude) {
            const std::vector<Complex> run = driven_run(frequency, amplitude);
            Largest worst, largest;
            for (std::size_t i = 0; i < 12; ++i) {
                worst.enter(std::abs(run[i] - expected.force[i * 3]));
                largest.enter(std::abs(expected.force[i * 3]));
            }
            return worst / largest;
        };
        const double strong = error(0.1 * overlap), weak = error(0.05 * overlap);
        MESSAGE(frequency, " Hz: ", strong, " ", weak);
        CHECK(weak < 1e-2);
        CHECK(std::log2(strong / weak) > 1.8);
    }
}

}  // namespace beadwave::validation::packing_transfer_test
