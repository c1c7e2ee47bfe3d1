// In every lane, comparisons of vectors give the same result as for double, also for NaN,
// infinities and signed zeros. Functions do not turn these into finite numbers.

#include "beadwave/laws/number.hpp"
#include "dynamics/tiled/tiled_kernel.hpp"

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

using namespace beadwave;

namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

std::uint64_t bits(double x) {
    return std::isnan(x) ? 0x7ff8000000000000 : std::bit_cast<std::uint64_t>(x);
}

/// All pairs of numbers that are special in comparisons, padded to whole vectors.
std::pair<std::vector<double>, std::vector<double>> pairs() {
    const std::vector<double> odd{not_a_number, -not_a_number, infinity, -infinity, 0.0, -0.0,
                                  1.0,          -1.0,          1e-300,   1e308,     2.0};
    std::vector<double> a, b;
    for (const double x : odd) {
        for (const double y : odd) {
            a.push_back(x);
            b.push_back(y);
        }
    }
    while (a.size() % dynamics::block_beads != 0) {
        a.push_back(not_a_number);
        b.push_back(0.0);
    }
    return {a, b};
}

}  // namespace

TEST_CASE("comparisons of vectors equal those of numbers, lane by lane") {
    const auto both = pairs();
    const std::vector<double>&a = both.first, &b = both.second;
    std::vector<double> z(a.size());
    for (const dynamics::InstructionSet& set : dynamics::instruction_sets()) {
        const std::string name = set.name;
        CAPTURE(name);
        const auto same = [&](const char* what, dynamics::PairFunction function, auto expected) {
            function(a.data(), b.data(), z.data(), z.size());
            for (std::size_t i = 0; i < z.size(); ++i) {
                CAPTURE(std::string(what));
                CAPTURE(a[i]);
                CAPTURE(b[i]);
                CHECK(bits(z[i]) == bits(static_cast<double>(expected(a[i], b[i]))));
            }
        };
        const dynamics::PairFunctions& f = set.pair_functions;
        same("<", f.less, [](double x, double y) { return x < y; });
        same(">", f.greater, [](double x, double y) { return x > y; });
        same("<=", f.less_equal, [](double x, double y) { return x <= y; });
        same(">=", f.greater_equal, [](double x, double y) { return x >= y; });
        same("==", f.equal, [](double x, double y) { return x == y; });
        same("!=", f.not_equal, [](double x, double y) { return x != y; });
        same("!(<)", f.not_less, [](double x, double y) { return !(x < y); });
        same("!(>)", f.not_greater, [](double x, double y) { return !(x > y); });
        same("max", f.max, [](double x, double y) { return laws::max(x, y); });
        same("min", f.min, [](double x, double y) { return laws::min(x, y); });
    }
}

TEST_CASE("no function of vectors turns a number that is not finite into a finite one") {
    std::vector<double> x(dynamics::block_beads, not_a_number), y(x.size());
    x[3] = x[12] = infinity;
    for (const dynamics::InstructionSet& set : dynamics::instruction_sets()) {
        const auto& f = set.functions;
        for (const auto& named : {std::pair{"power_3_2", f.power_3_2},
                                  {"sqrt", f.sqrt},
                                  {"log", f.log},
                                  {"cbrt", f.cbrt},
                                  {"exp", f.exp},
                                  {"pow_5_4", f.pow_5_4},
                                  {"pow_2_3", f.pow_2_3}}) {
            named.second(x.data(), y.data(), x.size());
            for (std::size_t i = 0; i < x.size(); ++i) {
                CAPTURE(std::string(set.name));
                CAPTURE(std::string(named.first));
                CAPTURE(x[i]);
                CHECK(!std::isfinite(y[i]));
                if (std::isnan(x[i])) CHECK(std::isnan(y[i]));
            }
        }
        // Too large for a double.
        std::vector<double> large(x.size(), 1e300);
        f.pow_5_4(large.data(), y.data(), x.size());
        for (const double value : y)
            CHECK(value == infinity);
    }
}
