// Frequencies of long chains by slices of their spectrum.

#include "modes/sliced_frequencies.hpp"

#include "linear/chain_operator.hpp"
#include "modes/chain_modes.hpp"
#include "modes/nodes/node_kernel.hpp"
#include "relative.hpp"
#include "simd/for_target.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>
#include <random>
#include <stdexcept>
#include <vector>

namespace beadwave::validation::sliced_frequencies_test {

namespace {

constexpr double pi = std::numbers::pi;

/// Beads of 4 g and springs of 1e7 N/m.
linear::ChainOperator uniform(std::size_t beads) {
    linear::ChainOperator chain;
    chain.mass.assign(beads, 4e-3);
    chain.stiffness.assign(beads + 1, 1e7);
    chain.damping.assign(beads + 1, 0.0);
    return chain;
}

const double highest = 2.0 * std::sqrt(1e7 / 4e-3);

/// As LAPACK's dqds finds them.
void check_against_lapack(const linear::ChainOperator& chain) {
    REQUIRE(chain.size() <= modes::most_with_shapes);
    const std::vector<double> expected = modes::solve(chain).frequency;
    for (const simd::InstructionSet& set : simd::instruction_sets()) {
        CAPTURE(set.name);
        const std::vector<double> found = modes::sliced_frequencies(chain, 1, {}, set);
        CHECK(found == modes::sliced_frequencies(chain, 2, {}, set));
        REQUIRE(found.size() == expected.size());
        std::size_t zeros = 0;
        for (std::size_t k = 0; k < found.size(); ++k) {
            if (found[k] == 0.0) ++zeros;
            CHECK_RELATIVE(found[k] / (2.0 * pi), expected[k], 2e-13);
        }
        CHECK(zeros == chain.rigid_modes());
    }
}

}  // namespace

TEST_CASE("slices: 2 sqrt(k/m) sin(n pi / (2 (N + 1))) with both ends fixed") {
    for (const std::size_t beads : {1, 2, 3, 10, 1000, 10000}) {
        CAPTURE(beads);
        const std::vector<double> f = modes::sliced_frequencies(uniform(beads), 2);
        REQUIRE(f.size() == beads);
        for (std::size_t n = 1; n <= beads; ++n) {
            const double angle =
                static_cast<double>(n) * pi / (2.0 * static_cast<double>(beads + 1));
            CHECK_RELATIVE(f[n - 1], highest * std::sin(angle), 1e-12);
        }
    }
}

TEST_CASE("slices: counts of nodes place modes of 100,000 beads to 1e-12") {
    constexpr std::size_t beads = 100000;
    const std::vector<double> mass(beads, 1.0), compliance(beads - 1, 1.0);
    const modes::NodeChain chain{.beads = beads,
                                 .mass = mass.data(),
                                 .compliance = compliance.data(),
                                 .left = 1.0,
                                 .right = 1.0,
                                 .block = 64};
    const modes::CountNodes count =
        simd::for_target(simd::instruction_sets().front().target,
                         []<simd::Target target>() { return modes::node_kernel<target>(); });
    for (const std::size_t first : {0ul, 16ul, 5000ul, 33333ul, 50000ul, 99984ul}) {
        modes::NodeCounts counts{};
        const auto frequency = [](std::size_t mode) {
            return 2.0 * std::sin(static_cast<double>(mode + 1) * pi / (2.0 * (beads + 1)));
        };
        for (std::size_t k = 0; k < modes::node_lanes; ++k) {
            const double side = k % 2 == 0 ? 1.0 - 1e-12 : 1.0 + 1e-12;
            counts.square[k] = std::pow(frequency(first + k / 2) * side, 2.0);
        }
        count(chain, counts);
        for (std::size_t k = 0; k < modes::node_lanes; ++k)
            CHECK(counts.nodes[k] == static_cast<double>(first + (k + 1) / 2));
    }
}

TEST_CASE("slices: free and open chains, disorder, gravity, soft contacts and heavy beads") {
    linear::ChainOperator chain = uniform(1200);
    chain.stiffness.front() = 0.0;
    check_against_lapack(chain);
    chain.stiffness.back() = 0.0;
    check_against_lapack(chain);
    // Two beads that touch nothing, a pair, and two longer pieces.
    for (const std::size_t open : {1, 500, 502, 503})
        chain.stiffness[open] = 0.0;
    check_against_lapack(chain);

    chain = uniform(1100);
    for (std::size_t i = 0; i <= chain.size(); ++i)
        chain.stiffness[i] *= std::cbrt(static_cast<double>(i + 1));
    check_against_lapack(chain);
    std::mt19937 dice(5);
    const auto unit = [&] { return static_cast<double>(dice()) / 4294967296.0; };
    for (const double decades : {0.05, 1.0, 8.0}) {
        CAPTURE(decades);
        chain = uniform(900);
        for (double& m : chain.mass)
            m *= std::pow(10.0, decades * unit());
        for (double& k : chain.stiffness)
            k *= std::pow(10.0, decades * unit());
        check_against_lapack(chain);
    }
    // Groups of almost equal frequencies: pairs of beads with hardly anything between them.
    chain = uniform(600);
    for (std::size_t i = 0; i <= chain.size(); i += 2)
        chain.stiffness[i] *= 1e-9;
    check_against_lapack(chain);
}

TEST_CASE("slices: a caller can end the work") {
    int calls = 0;
    CHECK_THROWS_WITH_AS(modes::sliced_frequencies(uniform(40000), 1,
                                                   [&] {
                                                       ++calls;
                                                       return true;
                                                   }),
                         "interrupted", std::runtime_error);
    CHECK(calls > 0);
}

}  // namespace beadwave::validation::sliced_frequencies_test
