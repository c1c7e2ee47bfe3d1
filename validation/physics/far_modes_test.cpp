// Modes and bands of chains with forces without contact that reach beyond the next bead, against
// sums of cosines and against dense matrices.

#include "modes/far_modes.hpp"

#include "far_chains.hpp"
#include "modes/chain_bands.hpp"
#include "modes/chain_modes.hpp"
#include "modes/tridiagonal_of_band.hpp"
#include "relative.hpp"
#include "sanitised.hpp"

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

namespace beadwave::validation::far_modes_test {

namespace {

using Complex = std::complex<double>;
constexpr double pi = std::numbers::pi;

}  // namespace

TEST_CASE("forces that reach 2, 3, 6 and 16 neighbours have the bands of a sum of cosines") {
    for (const int neighbours : {2, 3, 6, 16}) {
        for (const double exponent : {2.0, 4.0}) {
            CAPTURE(neighbours);
            CAPTURE(exponent);
            const auto linear =
                linear::linearise(far_chain_of(magnet_row(401, neighbours, exponent)), "test");
            const auto found = modes::dispersion(linear);
            REQUIRE(found.has_value());
            REQUIRE(found->branches == 1);
            const double a = found->lattice[0][0];
            CHECK_RELATIVE(a, far_spacing, 1e-2);
            const auto omega = [&](double q) {
                double sum = 0.0, slope = 0.0;
                for (int n = 1; n <= neighbours; ++n) {
                    const double k = pair_stiffness(n * a, exponent);
                    sum += 2.0 * k * (1.0 - std::cos(n * q));
                    slope += 2.0 * k * n * std::sin(n * q);
                }
                const double w = std::sqrt(sum / far_mass);
                return std::pair(w, slope * a / (2.0 * far_mass * w));
            };
            for (std::size_t p = 1; p < found->frequency.size(); ++p) {
                const auto [w, speed] = omega(found->wave_vector[p] * a);
                CHECK_RELATIVE(2.0 * pi * found->frequency[p], w, 1e-10);
                if (p + 1 < found->frequency.size())
                    CHECK_ABSOLUTE(found->group_velocity[p], speed, 1e-9 * w * a);
            }
            REQUIRE(found->bands.size() == 1);
            CHECK(found->bands[0].lower == 0.0);
            CHECK_RELATIVE(2.0 * pi * found->bands[0].upper, omega(pi).first, 1e-10);
        }
    }
}

TEST_CASE("a band may end between the centre and the border of the zone") {
    // m w^2 = 4 k_1 s + 16 k_2 s (1 - s), s = sin^2(q/2), is highest at s = (k_1 + 4 k_2)/(8 k_2).
    const auto linear = linear::linearise(far_chain_of(magnet_row(101, 2, 0.5)), "test");
    const auto found = modes::dispersion(linear);
    REQUIRE(found.has_value());
    const double a = found->lattice[0][0];
    const double one = pair_stiffness(a, 0.5), two = pair_stiffness(2.0 * a, 0.5);
    const double s = (one + 4.0 * two) / (8.0 * two);
    REQUIRE(s < 0.95);
    const double highest = std::sqrt((4.0 * one * s + 16.0 * two * s * (1.0 - s)) / far_mass);
    CHECK_RELATIVE(2.0 * pi * found->bands[0].upper, highest, 1e-10);
}

TEST_CASE("two halves that differ have no bands, with 2 and 16 neighbours") {
    // The places at rest do not depend on what is changed here.
    using Change = std::function<void(linear::ChainOperator&, std::size_t)>;
    const std::array<std::pair<const char*, Change>, 6> changes{
        {{"masses",
          [](linear::ChainOperator& chain, std::size_t half) {
              std::fill_n(chain.mass.begin(), half, 0.1 * far_mass);
          }},
         {"a third mass between",
          [](linear::ChainOperator& chain, std::size_t half) {
              std::fill_n(chain.mass.begin(), half - 4, 0.1 * far_mass);
              std::fill_n(chain.mass.begin() + static_cast<std::ptrdiff_t>(half) - 4, 8,
                          0.3 * far_mass);
          }},
         {"springs to the ground",
          [](linear::ChainOperator& chain, std::size_t half) {
              for (std::size_t i = 0; i < half; ++i)
                  chain.ground_stiffness[i] += 20.0;
          }},
         {"masses inside",
          [](linear::ChainOperator& chain, std::size_t half) {
              for (std::size_t i = 0; i < half; ++i)
                  chain.inner.push_back(
                      {.bead = i, .mass = 1e-3, .stiffness = 20.0, .damping = 0.0});
          }},
         {"contacts",
          [](linear::ChainOperator& chain, std::size_t half) {
              for (std::size_t c = 0; c < half; ++c)
                  chain.stiffness[c] *= 1.5;
          }},
         {"far forces", [](linear::ChainOperator& chain, std::size_t half) {
              for (linear::FarSpring& each : chain.far)
                  if (each.second < half) each.stiffness *= 1.5;
          }}}};
    for (const int neighbours : {2, 16}) {
        for (const int beads : {30, 42, 132, 262}) {
            const auto same =
                linear::linearise(far_chain_of(magnet_row(beads, neighbours, 4.0)), "test");
            CAPTURE(neighbours);
            CAPTURE(beads);
            if (neighbours == 2 || beads > 100) CHECK(modes::dispersion(same).has_value());
            for (const auto& [what, change] : changes) {
                CAPTURE(what);
                linear::ChainOperator halves = same;
                halves.need_ground();
                change(halves, same.size() / 2);
                CHECK_FALSE(modes::dispersion(halves).has_value());
            }
        }
    }
}

TEST_CASE("finite chains have the modes of their dense matrix, from where their forces balance") {
    struct Case {
        int neighbours;
        double exponent, foundation;
        bool inner, driven;
    };
    for (const Case& each : {Case{2, 2.73, 0.0, false, false}, Case{3, 4.0, 0.0, false, true},
                             Case{6, 2.0, 30.0, true, false}, Case{16, 2.73, 12.0, true, true}}) {
        CAPTURE(each.neighbours);
        constexpr std::size_t beads = 44;
        std::string more;
        if (each.foundation > 0.0) {
            more +=
                fmt::format("[[foundation]]\nbeads = [5, 30]\nstiffness = {}\n", each.foundation);
        }
        if (each.inner) more += "[[resonator]]\nbeads = [3, 41]\nmass = 1e-3\nstiffness = 20.0\n";
        if (each.driven) more += "[[drive]]\nbead = 20\nfrequency = 1.0\namplitude = 1e-9\n";
        const std::string text = magnet_row(beads, each.neighbours, each.exponent, more);
        const auto x = far_chain_of(text).positions();
        // The neighbours of beads near the ends are missing: the gaps there are others.
        CHECK(std::fabs((x[2] - x[1]) / far_spacing - 1.0) > 1e-4);
        for (std::size_t i = 1; i + 1 < beads; ++i) {
            double net = 0.0;
            for (std::size_t j = 0; j < beads; ++j) {
                if (i == j || (i > j ? i - j : j - i) > static_cast<std::size_t>(each.neighbours))
                    continue;
                const double push = pair_push(std::fabs(x[i] - x[j]), each.exponent);
                net += j < i ? push : -push;
            }
            if (!each.driven || i != 20) CHECK_ABSOLUTE(net, 0.0, 1e-10 * far_strength);
        }
        FarMatrix pairs = pair_matrix(x, static_cast<std::size_t>(each.neighbours), each.exponent);
        FarMatrix k(beads + (each.inner ? 39 : 0));
        std::vector<double> masses(beads, far_mass);
        for (std::size_t i = 0; i < beads; ++i)
            for (std::size_t j = 0; j < beads; ++j)
                k(i, j) = pairs(i, j);
        for (std::size_t i = 5; i <= 30; ++i)
            k(i, i) += each.foundation;
        for (std::size_t i = 3; each.inner && i <= 41; ++i) {
            k.spring(i, beads + i - 3, 20.0);
            masses.push_back(1e-3);
        }
        std::vector<std::size_t> held{0, beads - 1};
        if (each.driven) held.push_back(20);
        if (each.driven && each.inner) held.push_back(beads + 17);  // nothing joins it to the chain
        std::ranges::sort(held, std::greater<>());
        const FarMatrix part = without(k, held);
        for (const std::size_t i : held)
            masses.erase(masses.begin() + static_cast<std::ptrdiff_t>(i));
        const std::vector<double> expected = dense_frequencies_of(part, masses);
        const modes::Modes m = modes_of(text).analysis.modes;
        CHECK(m.rigid == 0);
        REQUIRE(m.frequency.size() == expected.size());
        for (std::size_t n = 0; n < expected.size(); ++n)
            CHECK_RELATIVE(m.frequency[n], expected[n], 1e-10);
        // Shapes: K u = w^2 M u.
        FarMatrix copy = part;
        for (const std::size_t mode : {std::size_t{0}, std::size_t{7}, expected.size() - 1}) {
            const Complex* u = m.shape.data() + mode * m.freedoms;
            const double square = std::pow(2.0 * pi * m.frequency[mode], 2);
            for (std::size_t i = 0; i < copy.n; ++i) {
                Complex left = 0.0;
                for (std::size_t j = 0; j < copy.n; ++j)
                    left += copy(i, j) * u[j];
                CHECK_ABSOLUTE(std::abs(left - square * masses[i] * u[i]), 0.0, 1e-10 * copy(0, 0));
            }
        }
    }
}

TEST_CASE("the lowest modes of a long chain keep their digits: counts of pivots in long double") {
    constexpr std::size_t beads = 2102, n = beads - 2;
    const chain::Chain chain = far_chain_of(magnet_row(beads, 2, 2.0));
    const auto x = chain.positions();
    std::vector<std::array<long double, 3>> band(n);  // diagonal, next, next but one
    const auto add = [&](std::size_t i, std::size_t j) {
        const auto k = static_cast<long double>(pair_stiffness(x[j] - x[i], 2.0));
        if (i > 0) band[i - 1][0] += k;
        if (j + 1 < beads) band[j - 1][0] += k;
        if (i > 0 && j + 1 < beads) band[i - 1][j - i] -= k;
    };
    for (std::size_t i = 0; i + 1 < beads; ++i) {
        add(i, i + 1);
        if (i + 2 < beads) add(i, i + 2);
    }
    const auto below = [&](long double square) {
        std::size_t count = 0;
        long double d1 = 1.0L, d2 = 1.0L, l1 = 0.0L, l2 = 0.0L, carried = 0.0L;
        for (std::size_t i = 0; i < n; ++i) {
            // l1: row i - 1 beside row i, with what row i - 2 took away; l2: row i - 2 beside it.
            const long double d = band[i][0] - square * static_cast<long double>(far_mass) -
                                  l1 * l1 / d1 - l2 * l2 / d2;
            if (d < 0.0L) ++count;
            const long double next = band[i][1] - l1 * carried / d1;
            d2 = d1, d1 = d;
            l2 = carried, carried = band[i][2];
            l1 = next;
        }
        return count;
    };
    const modes::Modes m = modes::solve(linear::linearise(chain, "test"), 2);
    REQUIRE(m.frequency.size() == n);
    for (const std::size_t mode : {0, 1, 2, 3, 4, 9, 40, 66, 200, 1000, 2099}) {
        CAPTURE(mode);
        const auto omega = static_cast<long double>(2.0 * pi * m.frequency[mode]);
        CHECK(below(omega * omega * (1.0L - 2e-10L)) == mode);
        CHECK(below(omega * omega * (1.0L + 2e-10L)) == mode + 1);
    }
}

TEST_CASE("crowded modes of soft masses inside beads with far forces have their closed form" *
          doctest::skip(sanitised)) {
    // u_j = sin(q j): at the ends mirrored beads are springs to the ground. The masses inside have
    // frequencies w; the lower branch crowds below w, closer than 1e-9 of it.
    constexpr std::size_t n = 200;
    constexpr double inside = 0.5, far = 0.0625;
    for (const double w : {0.2, 0.02}) {
        linear::ChainOperator chain;
        chain.mass.assign(n, 1.0);
        chain.stiffness.assign(n + 1, 1.0);
        chain.damping.assign(n + 1, 0.0);
        chain.need_ground();
        for (const std::size_t end : {std::size_t{0}, n - 1})
            chain.ground_stiffness[end] = 2.0 * far;
        for (const std::size_t next : {std::size_t{1}, n - 2})
            chain.ground_stiffness[next] = far;
        std::vector<double> expected;
        for (std::size_t i = 0; i < n; ++i) {
            chain.bead.push_back(i);
            chain.position.push_back(static_cast<double>(i));
            if (i > 1) chain.far.push_back({.first = i - 2, .second = i, .stiffness = far});
            chain.inner.push_back(
                {.bead = i, .mass = inside, .stiffness = inside * w * w, .damping = 0.0});
            const double q = pi * static_cast<double>(i + 1) / static_cast<double>(n + 1);
            const double k =
                4.0 * std::pow(std::sin(0.5 * q), 2) + 4.0 * far * std::pow(std::sin(q), 2);
            const double sum = k + w * w * (1.0 + inside);
            const double upper = 0.5 * (sum + std::sqrt(sum * sum - 4.0 * k * w * w));
            expected.push_back(std::sqrt(upper));
            expected.push_back(std::sqrt(k * w * w / upper));
        }
        std::ranges::sort(expected);
        const std::vector<double> found = modes::far_frequencies(chain, 0, 2);
        REQUIRE(found.size() == expected.size());
        for (std::size_t k = 0; k < found.size(); ++k)
            CHECK_RELATIVE(found[k], expected[k], 1e-10);
    }
}

TEST_CASE("a band made tridiagonal keeps its eigenvalues, and its work can be ended") {
    struct Case {
        std::size_t n, width;
    };
    const auto number = [](std::size_t i, std::size_t j) {
        return std::sin(static_cast<double>(7 * i + 13 * j + i * j)) + (i == j ? 3.0 : 0.0);
    };
    for (const Case& each : {Case{3, 2}, Case{4, 5}, Case{17, 4}, Case{60, 7}, Case{90, 33}}) {
        CAPTURE(each.n);
        const std::size_t n = each.n, rows = each.width + 1;
        std::vector<double> band(n * rows), full(n * n);
        for (std::size_t j = 0; j < n; ++j) {
            for (std::size_t i = j; i < std::min(n, j + rows); ++i) {
                // Some zeros, which need no rotation.
                const double x = i > j && (i + j) % 5 == 0 ? 0.0 : number(i, j);
                band[j * rows + i - j] = full[j * n + i] = full[i * n + j] = x;
            }
        }
        const std::vector<double> expected = modes::lapack::symmetric(full, n);
        const std::vector<double> found =
            modes::lapack::banded_values(modes::tridiagonal_of_band(band, n, each.width), n, 1);
        for (std::size_t k = 0; k < n; ++k)
            CHECK_ABSOLUTE(found[k], expected[k], 1e-14 * expected.back());
    }
    constexpr std::size_t n = 3000, width = 16;
    int calls = 0;
    const std::vector<double> band(n * (width + 1), 1.0);
    CHECK_THROWS_WITH(modes::tridiagonal_of_band(band, n, width, [&] { return ++calls == 3; }),
                      "interrupted");
    CHECK(calls == 3);
}

}  // namespace beadwave::validation::far_modes_test
