// In every lane, comparisons of vectors give the same result as for double, also for NaN,
// infinities and signed zeros. Functions do not turn these into finite numbers; they are exact to a
// few units of the last place.

#include "beadwave/laws/number.hpp"
#include "vector_functions/vector_functions.hpp"

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

using namespace beadwave;
using namespace beadwave::validation;

namespace {

NumberFunctions number_functions_of(const simd::InstructionSet& set) {
    return simd::for_target(set.target,
                            []<simd::Target target>() { return number_functions<target>(); });
}

PairFunctions pair_functions_of(const simd::InstructionSet& set) {
    return simd::for_target(set.target,
                            []<simd::Target target>() { return pair_functions<target>(); });
}

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
    while (a.size() % simd::most_lanes != 0) {
        a.push_back(not_a_number);
        b.push_back(0.0);
    }
    return {a, b};
}

std::vector<double> numbers(double from, double to, std::size_t count) {
    std::vector<double> x(count);
    for (std::size_t i = 0; i < count; ++i) {
        x[i] = from *
               std::pow(to / from, (static_cast<double>(i) + 0.37) / static_cast<double>(count));
    }
    return x;
}

/// Largest error of a vector function in units of the last place of the expected value.
double largest_ulps(NumberFunction function, long double (*expected)(long double),
                    const std::vector<double>& x) {
    std::vector<double> y(x.size());
    function(x.data(), y.data(), x.size());
    double worst = 0.0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        const long double right = expected(x[i]);
        const double size = std::abs(static_cast<double>(right));
        const long double ulp =
            std::nextafter(size, std::numeric_limits<double>::infinity()) - size;
        worst = std::max(worst, static_cast<double>(std::abs(y[i] - right) / ulp));
    }
    return worst;
}

}  // namespace

TEST_CASE("comparisons of vectors equal those of numbers, lane by lane") {
    const auto both = pairs();
    const std::vector<double>&a = both.first, &b = both.second;
    std::vector<double> z(a.size());
    for (const simd::InstructionSet& set : simd::instruction_sets()) {
        const std::string name = set.name;
        CAPTURE(name);
        const auto same = [&](const char* what, PairFunction function, auto expected) {
            function(a.data(), b.data(), z.data(), z.size());
            for (std::size_t i = 0; i < z.size(); ++i) {
                CAPTURE(std::string(what));
                CAPTURE(a[i]);
                CAPTURE(b[i]);
                CHECK(bits(z[i]) == bits(static_cast<double>(expected(a[i], b[i]))));
            }
        };
        const PairFunctions f = pair_functions_of(set);
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
    std::vector<double> x(simd::most_lanes, not_a_number), y(x.size());
    x[3] = x[12] = infinity;
    for (const simd::InstructionSet& set : simd::instruction_sets()) {
        const NumberFunctions f = number_functions_of(set);
        for (const auto& named : {std::pair{"power_3_2", f.power_3_2},
                                  {"sqrt", f.sqrt},
                                  {"log", f.log},
                                  {"cbrt", f.cbrt},
                                  {"exp", f.exp}}) {
            named.second(x.data(), y.data(), x.size());
            for (std::size_t i = 0; i < x.size(); ++i) {
                CAPTURE(std::string(set.name));
                CAPTURE(std::string(named.first));
                CAPTURE(x[i]);
                CHECK(!std::isfinite(y[i]));
                if (std::isnan(x[i])) CHECK(std::isnan(y[i]));
            }
        }
    }
}

TEST_CASE("the vector functions are exact to a few units of the last place") {
    const auto overlaps = numbers(1e-100, 1e3, 80000);
    for (const simd::InstructionSet& set : simd::instruction_sets()) {
        const std::string name = set.name;
        CAPTURE(name);
        const NumberFunctions f = number_functions_of(set);
        const double power = largest_ulps(
            f.power_3_2, [](long double x) { return x * std::sqrt(x); }, overlaps);
        const double root = largest_ulps(
            f.sqrt, [](long double x) { return std::sqrt(x); }, overlaps);
        const double cube_root = largest_ulps(
            f.cbrt, [](long double x) { return std::cbrt(x); }, overlaps);
        const double log = largest_ulps(
            f.log, [](long double x) { return std::log(x); }, numbers(1e-12, 1e9, 80000));
        const double exp = largest_ulps(
            f.exp, [](long double x) { return std::exp(x); }, numbers(1e-9, 300.0, 80000));
        MESSAGE(name, ", in ulp: power_3_2 ", power, ", sqrt ", root, ", cbrt ", cube_root,
                ", log ", log, ", exp ", exp);
        CHECK(power < 2.0);
        CHECK(root <= 0.5005);
        CHECK(cube_root < 3.0);
        CHECK(log < 4.0);
        CHECK(exp < 4.0);

        std::vector<double> nothing(16, 0.0), result(16, 1.0);
        f.power_3_2(nothing.data(), result.data(), 16);
        for (const double r : result)
            CHECK(r == 0.0);
        f.cbrt(nothing.data(), result.data(), 16);
        for (const double r : result)
            CHECK(r == 0.0);
    }
}
