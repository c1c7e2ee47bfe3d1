// The fingerprint by which a saved state recognises its chain: every number of loads and drives
// counts.

#include "chain/fingerprint.hpp"
#include "element_chains.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace beadwave::validation::chain_fingerprint_test {

namespace {

std::uint64_t of_load(stepping::ForceSignal force, std::size_t bead = 5) {
    chain::Elements elements;
    elements.loads.push_back({bead, std::move(force)});
    return chain::fingerprint(compressed(elements, 1, 0.0));
}

std::uint64_t of_drive(stepping::Drive motion) {
    chain::Elements elements;
    elements.driven.push_back({5, std::move(motion)});
    return chain::fingerprint(compressed(elements, 1, 0.0));
}

void all_differ(const std::vector<std::uint64_t>& prints) {
    for (std::size_t i = 0; i < prints.size(); ++i) {
        for (std::size_t k = 0; k < i; ++k) {
            CAPTURE(i);
            CAPTURE(k);
            CHECK(prints[i] != prints[k]);
        }
    }
}

}  // namespace

TEST_CASE("chains with different loads have different fingerprints, equal chains the same") {
    using stepping::ForceSignal;
    CHECK(of_load(ForceSignal::sine(1e4, 2.0, 3.0)) == of_load(ForceSignal::sine(1e4, 2.0, 3.0)));
    const auto table = [](double middle) {
        return of_load(ForceSignal::table({0.0, 1e-4, 2e-4, 3e-4}, {0.0, 3.0, middle, 0.0}));
    };
    CHECK(table(1.0) == table(1.0));
    all_differ({of_load(ForceSignal::constant(2.0)), of_load(ForceSignal::constant(-2.0)),
                of_load(ForceSignal::constant(2.0), 6), of_load(ForceSignal::sine(1e4, 2.0)),
                of_load(ForceSignal::sine(1e4, -2.0)), of_load(ForceSignal::sine(1e4, 2.0, 3.0)),
                of_load(ForceSignal::sine(1e4, 2.0, 4.0)), table(1.0), table(1.5)});
}

TEST_CASE("chains with different driven beads have different fingerprints") {
    using stepping::Drive;
    const auto table = [](const char* middle) {
        return of_drive(Drive::table(std::string("time_s,displacement_m\n0,0\n1e-4,1e-6\n2e-4,") +
                                         middle + "\n3e-4,4e-6\n4e-4,1e-6\n",
                                     "drive.csv"));
    };
    CHECK(table("2e-6") == table("2e-6"));
    all_differ({of_drive(Drive::sine(1e4, 1e-7)), of_drive(Drive::sine(1e4, -1e-7)),
                of_drive(Drive::sine(1e4, 1e-7, 2.0)), of_drive(Drive::sine(1e4, 1e-7, 3.0)),
                table("2e-6"), table("2.1e-6")});
}

}  // namespace beadwave::validation::chain_fingerprint_test
