// Powers of vectors: exact to a few units of the last place, each lane by its own numbers alone.

#include "largest.hpp"
#include "simd/for_target.hpp"
#include "vector_functions/vector_functions.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace beadwave::validation::vector_power_test {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

PairFunctions functions_of(const simd::InstructionSet& set) {
    return simd::for_target(set.target,
                            []<simd::Target target>() { return pair_functions<target>(); });
}

using Named = std::pair<const char*, PairFunction>;

std::vector<Named> powers_of(const PairFunctions& f) {
    return {{"pow", f.pow},
            {"parameter_power", f.parameter_power},
            {"the first of parameter_powers", f.first_power},
            {"the second of parameter_powers", f.second_power}};
}

double exponent_of(const Named& named, double y) {
    return std::string(named.first).starts_with("the second") ? 0.5 * y : y;
}

/// Exponents as laws have them, those by roots among others in one register.
std::vector<double> mixed_exponents(std::size_t count) {
    const std::vector<double> known{0.25, 0.5, 0.65, 0.75, 1.0, 1.25, 2.0 / 3.0, 1.5,
                                    1.75, 2.0, 0.1,  1.9,  0.0, 1.5,  0.89,      1.7122};
    std::mt19937_64 random(7);
    std::vector<double> y(count);
    for (double& one : y)
        one = known[random() % known.size()];
    return y;
}

std::vector<double> bases(std::size_t count) {
    std::mt19937_64 random(11);
    std::uniform_real_distribution<double> decades(-150.0, 150.0), near(-9.0, 0.0);
    std::vector<double> x(count);
    for (std::size_t i = 0; i < count; ++i)
        x[i] = std::pow(10.0, i % 2 == 0 ? near(random) : decades(random));
    return x;
}

}  // namespace

TEST_CASE("powers of vectors are exact to five units of the last place over 300 decades") {
    const std::size_t count = 64000;
    const std::vector<double> x = bases(count), y = mixed_exponents(count);
    std::vector<double> z(count);
    for (const simd::InstructionSet& set : simd::instruction_sets()) {
        for (const Named& named : powers_of(functions_of(set))) {
            named.second(x.data(), y.data(), z.data(), count);
            Largest worst;
            for (std::size_t i = 0; i < count; ++i) {
                const long double right =
                    std::pow(static_cast<long double>(x[i]),
                             static_cast<long double>(exponent_of(named, y[i])));
                const double size = static_cast<double>(right);
                if (!std::isfinite(size) || size < std::numeric_limits<double>::min()) continue;
                const long double ulp = std::nextafter(size, infinity) - size;
                worst.enter(static_cast<double>(std::abs(z[i] - right) / ulp));
            }
            MESSAGE(std::string(set.name), ", ", named.first, ": ", worst, " ulp");
            CHECK(worst < 5.0);
        }
    }
}

TEST_CASE("a lane's power does not depend on the exponents of its neighbours") {
    const std::size_t count = 1024;
    const std::vector<double> x = bases(count), y = mixed_exponents(count);
    std::vector<double> mixed(count), alone(simd::most_lanes);
    for (const simd::InstructionSet& set : simd::instruction_sets()) {
        for (const Named& named : powers_of(functions_of(set))) {
            named.second(x.data(), y.data(), mixed.data(), count);
            std::size_t differing = 0;
            for (std::size_t i = 0; i < count; ++i) {
                const std::vector<double> base(simd::most_lanes, x[i]),
                    exponent(simd::most_lanes, y[i]);
                named.second(base.data(), exponent.data(), alone.data(), simd::most_lanes);
                if (std::bit_cast<std::uint64_t>(alone[0]) !=
                    std::bit_cast<std::uint64_t>(mixed[i]))
                    ++differing;
            }
            CAPTURE(std::string(set.name));
            CAPTURE(std::string(named.first));
            CHECK(differing == 0);
        }
    }
}

TEST_CASE("powers of zero are zero, too large ones infinite, and those of NaN are NaN") {
    std::vector<double> x(simd::most_lanes), y(x.size()), z(x.size());
    const auto each = [&](double base, double exponent, auto holds) {
        std::ranges::fill(x, base);
        std::ranges::fill(y, exponent);
        for (const simd::InstructionSet& set : simd::instruction_sets()) {
            for (const Named& named : powers_of(functions_of(set))) {
                named.second(x.data(), y.data(), z.data(), z.size());
                CAPTURE(std::string(set.name));
                CAPTURE(std::string(named.first));
                CAPTURE(base);
                CAPTURE(exponent);
                CAPTURE(z[0]);
                CHECK(std::ranges::all_of(z, holds));
            }
        }
    };
    for (const double exponent : {0.25, 0.5, 0.65, 1.0, 1.3, 1.5, 2.0}) {
        for (const double nothing : {0.0, -0.0, -1.0})
            each(nothing, exponent, [](double power) { return power == 0.0; });
        each(1.0, exponent, [](double power) { return power == 1.0; });
        each(infinity, exponent, [](double power) { return !std::isfinite(power); });
        each(std::numeric_limits<double>::quiet_NaN(), exponent,
             [](double power) { return std::isnan(power); });
    }
    for (const double nothing : {0.0, -0.0, -1.0}) {
        each(nothing, 1e-3, [](double power) { return power == 0.0; });
        each(nothing, -0.7, [](double power) { return power == infinity; });
    }
    each(infinity, -0.7, [](double power) { return power == 0.0; });
    each(3.0, 0.0, [](double power) { return power == 1.0; });
    each(std::numeric_limits<double>::quiet_NaN(), 0.0,
         [](double power) { return std::isnan(power); });
    each(1e300, 2.6, [](double power) { return power == infinity; });
    each(1e-300, 2.6, [](double power) { return power == 0.0; });
}

}  // namespace beadwave::validation::vector_power_test
