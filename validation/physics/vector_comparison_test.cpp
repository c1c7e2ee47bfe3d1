// In every lane, comparisons of vectors give the same result as for double, also for NaN,
// infinities and signed zeros. Functions do not turn these into finite numbers; they are exact to a
// few units of the last place.

#include "beadwave/laws/number.hpp"
#include "largest.hpp"
#include "simd/for_target.hpp"
#include "vector_functions/vector_functions.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <numbers>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace beadwave::validation::vector_comparison_test {

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
    Largest worst;
    for (std::size_t i = 0; i < x.size(); ++i) {
        const long double right = expected(x[i]);
        const double size = std::abs(static_cast<double>(right));
        const long double ulp =
            std::nextafter(size, std::numeric_limits<double>::infinity()) - size;
        worst.enter(static_cast<double>(std::abs(y[i] - right) / ulp));
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
        same("copysign", f.copysign, [](double x, double y) { return std::copysign(x, y); });
    }
}

TEST_CASE("no function of vectors turns a number that is not finite into a finite one") {
    std::vector<double> x(simd::most_lanes, not_a_number), y(x.size());
    x[3] = x[12] = infinity;
    for (const simd::InstructionSet& set : simd::instruction_sets()) {
        const NumberFunctions f = number_functions_of(set);
        for (const auto& named : {std::pair{"power_3_2", f.power_3_2},
                                  {"sqrt", f.sqrt},
                                  {"root", f.root},
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
        const double quick_root = largest_ulps(
            f.root, [](long double x) { return std::sqrt(x); }, overlaps);
        const double cube_root = largest_ulps(
            f.cbrt, [](long double x) { return std::cbrt(x); }, overlaps);
        const double log = largest_ulps(
            f.log, [](long double x) { return std::log(x); }, numbers(1e-12, 1e9, 80000));
        const double exp = largest_ulps(
            f.exp, [](long double x) { return std::exp(x); }, numbers(1e-9, 300.0, 80000));
        MESSAGE(name, ", in ulp: power_3_2 ", power, ", sqrt ", root, ", cbrt ", cube_root,
                ", log ", log, ", exp ", exp, ", root ", quick_root);
        CHECK(power < 2.0);
        CHECK(root <= 0.5005);
        CHECK(quick_root < 2.0);
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

/// The k with k^2 + c = 0 modulo 2^bits for an odd c; none unless -c is 1 modulo 8. The lowest n +
/// 1 bits of a root follow from its lowest n.
std::vector<std::uint64_t> roots_of_minus(std::int64_t c, int bits) {
    const auto square = static_cast<std::uint64_t>(-c);
    if (square % 8 != 1) return {};
    std::uint64_t k = 1;
    for (int n = 3; n < bits; ++n) {
        if (((k * k - square) >> n) % 2 != 0) k += std::uint64_t{1} << (n - 1);
    }
    const std::uint64_t all = (std::uint64_t{1} << bits) - 1, half = std::uint64_t{1} << (bits - 1);
    return {k & all, (all + 1 - k) & all, (k + half) & all, (all + 1 - k + half) & all};
}

/// Numbers from 1 to 4 whose root lies next to the middle between two numbers, where a rounding is
/// wrong first. With the middle m = k/2^53, k odd, the number a = m^2 + c/2^106 is a multiple of
/// 2^-52 below 2 and of 2^-51 above; the smaller c, the nearer is the root to m.
std::vector<double> hardest_to_round() {
    std::vector<double> all;
    for (std::int64_t c = -1025; c <= 1025; c += 2) {
        for (const int bits : {54, 55}) {
            for (std::uint64_t k : roots_of_minus(c, bits)) {
                if (bits == 54 && k >> 53 == 0) continue;
                for (; k >> 54 == 0; k += std::uint64_t{1} << bits) {
                    if (k >> 53 == 0) continue;
                    const long double m = std::ldexp(static_cast<long double>(k), -53);
                    const double a = static_cast<double>(m * m);
                    if ((a < 2.0) == (bits == 54)) all.push_back(a);
                }
            }
        }
    }
    return all;
}

TEST_CASE("square roots of vectors have the bits of those of numbers") {
    const std::vector<double> hard = hardest_to_round();
    CHECK(hard.size() > 300);
    std::vector<double> x;
    for (const double a : hard) {
        for (const int power : {0, -2, -40, -80, 300, -300, -898, 898})
            x.push_back(std::ldexp(a, power));
        // In one vector with what is out of reach of the fast way.
        for (const double other : {0.0, -0.0, infinity, not_a_number, -1.0, 1e-290, 1e290})
            x.insert(x.end(), {a, other});
    }
    for (const double any : numbers(1e-100, 1e100, 80000))
        x.push_back(any);
    while (x.size() % simd::most_lanes != 0)
        x.push_back(0.0);
    std::vector<double> y(x.size());
    for (const simd::InstructionSet& set : simd::instruction_sets()) {
        CAPTURE(std::string(set.name));
        number_functions_of(set).sqrt(x.data(), y.data(), x.size());
        for (std::size_t i = 0; i < x.size(); ++i) {
            if (bits(y[i]) == bits(std::sqrt(x[i]))) continue;
            CAPTURE(x[i]);
            FAIL_CHECK(y[i]);
        }
    }
}

TEST_CASE("quotients, angles and expm1 of vectors are exact to a few units of the last place") {
    const auto sizes = numbers(1e-100, 1e100, 80000);
    std::mt19937_64 random(3);
    std::vector<double> x(sizes.size()), y(sizes.size()), z(sizes.size());
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        y[i] = random() % 2 == 0 ? sizes[i] : -sizes[i];
        // Half of the points near the axes and diagonals, where the angle is near its corners.
        const double angle = 0.25 * std::numbers::pi * static_cast<double>(random() % 8);
        x[i] = i % 2 == 0 ? sizes[random() % sizes.size()]
                          : y[i] * std::tan(angle + 1e-6 * static_cast<double>(random() % 1000));
    }
    std::vector<double> less(sizes.size());
    std::ranges::transform(numbers(1e-20, 800.0, sizes.size()), less.begin(), std::negate<>());
    const auto worst = [&](auto expected) {
        Largest most;
        for (std::size_t i = 0; i < z.size(); ++i) {
            const long double right = expected(i);
            const double size = std::abs(static_cast<double>(right));
            if (!(size > 1e-290) || std::isinf(size)) continue;
            const long double ulp = std::nextafter(size, infinity) - size;
            most.enter(static_cast<double>(std::abs(z[i] - right) / ulp));
        }
        return most;
    };
    for (const simd::InstructionSet& set : simd::instruction_sets()) {
        const std::string name = set.name;
        CAPTURE(name);
        const PairFunctions f = pair_functions_of(set);
        f.ratio(y.data(), x.data(), z.data(), z.size());
        const double ratio =
            worst([&](std::size_t i) { return static_cast<long double>(y[i]) / x[i]; });
        f.angle_above(sizes.data(), x.data(), z.data(), z.size());
        const double angle = worst([&](std::size_t i) {
            return std::atan2(static_cast<long double>(sizes[i]), static_cast<long double>(x[i]));
        });
        number_functions_of(set).expm1(less.data(), z.data(), z.size());
        const double expm1 =
            worst([&](std::size_t i) { return std::expm1(static_cast<long double>(less[i])); });
        MESSAGE(name, ", in ulp: ratio ", ratio, ", angle_above ", angle, ", expm1 ", expm1);
        CHECK(ratio < 3.0);
        CHECK(angle < 4.0);
        CHECK(expm1 < 4.0);
        // On the axes, and where nothing is.
        const std::vector<double> zeros(simd::most_lanes, 0.0), ones(simd::most_lanes, 1.0),
            minus(simd::most_lanes, -1.0), nothing(simd::most_lanes, not_a_number);
        const auto at = [&](const std::vector<double>& across, const std::vector<double>& along) {
            f.angle_above(across.data(), along.data(), z.data(), zeros.size());
            return z[5];
        };
        CHECK(at(zeros, ones) == 0.0);
        CHECK(at(zeros, zeros) == 0.0);
        CHECK(at(zeros, minus) == doctest::Approx(std::numbers::pi).epsilon(1e-15));
        CHECK(at(ones, zeros) == doctest::Approx(0.5 * std::numbers::pi).epsilon(1e-15));
        CHECK(std::isnan(at(nothing, ones)));
        CHECK(std::isnan(at(ones, nothing)));
    }
}

}  // namespace beadwave::validation::vector_comparison_test
