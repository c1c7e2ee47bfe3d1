// The imbalance of ranks, from the parts of their time in which they sent or waited.

#include "jobs/message_count.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

namespace beadwave::validation::load_imbalance_test {

TEST_CASE("the imbalance of ranks is the longest time that one computed over the mean") {
    const auto of = [](const std::vector<double>& shares) { return jobs::load_imbalance(shares); };
    CHECK(of({0.25, 0.25, 0.25}) == 1.0);
    // They computed for 1, 0.5, 0.25 and 0.25 of the time; all numbers here are exact.
    CHECK(of({0.0, 0.5, 0.75, 0.75}) == 2.0);
    CHECK(of({1.0, 0.5}) == 2.0);
    CHECK(of({1.0, 1.0}) == 1.0);
}

}  // namespace beadwave::validation::load_imbalance_test
