// Mean, spread and quantiles of the members of an ensemble, and the numbers of a plan with members.

#include "io/tables/ensemble.hpp"

#include "relative.hpp"

#include <cmath>
#include <limits>

namespace beadwave::validation::ensemble_test {
namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

}  // namespace

TEST_CASE("the spread of four numbers leaves out those that are unknown") {
    const io::Spread s = io::spread_of({4.0, unknown, 1.0, 2.0, 9.0, unknown});
    CHECK(s.count == 4);
    CHECK(s.mean == 4.0);
    CHECK_RELATIVE(s.standard_deviation, std::sqrt(38.0 / 3.0), 1e-15);
    // Linear between 1, 2, 4 and 9: the median lies between 2 and 4, 0.05 at 0.15 of the way
    // from 1.
    const double expected[] = {1.15, 1.75, 3.0, 5.25, 8.25};
    for (std::size_t q = 0; q < 5; ++q)
        CHECK_RELATIVE(s.quantiles[q], expected[q], 1e-14);
}

TEST_CASE("one number has no spread, and none has no mean") {
    const io::Spread one = io::spread_of({3.0});
    CHECK(one.mean == 3.0);
    CHECK(std::isnan(one.standard_deviation));
    CHECK(one.quantiles[0] == 3.0);
    const io::Spread none = io::spread_of({unknown});
    CHECK(none.count == 0);
    CHECK(std::isnan(none.mean));
    CHECK(std::isnan(none.quantiles[2]));
}

TEST_CASE(
    "a plan combines varied keys with members, and each member has its own disturbed values") {
    using Role = io::VariedKey::Role;
    const io::SweepPlan plan(
        {{.key = "law.name", .values = {"hertz", "flores"}},
         {.key = "member", .values = {"0", "1", "2"}, .role = Role::member},
         {.key = "speed", .values = {"1.1", "0.9", "1"}, .role = Role::disturbed},
         {.key = "mass", .values = {"5", "6", "7"}, .role = Role::disturbed}});
    CHECK(plan.runs() == 6);
    CHECK(plan.members() == 3);
    CHECK(plan.ensembles() == 2);
    CHECK(plan.combined() == 2);
    CHECK(plan.settings(4) == std::vector<std::string>{"law.name=flores", "speed=0.9", "mass=6"});
    CHECK(plan.settings(2) == std::vector<std::string>{"law.name=hertz", "speed=1", "mass=7"});
    CHECK(plan.value(5, 1) == "2");
}

}  // namespace beadwave::validation::ensemble_test
