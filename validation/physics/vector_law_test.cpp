// Laws whose forces on vectors come from approximate roots and tables, against long double.

#include "vector_functions/vector_functions.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

using namespace beadwave;
using namespace beadwave::validation;

namespace {

constexpr std::size_t count = 1 << 16;

/// s of s^4 - 4 s = y - 3, by Newton's method from above, where it converges.
long double jkr_root(long double y) {
    long double t = y < 6.0L ? std::sqrt(y / 6.0L) : std::sqrt(std::sqrt(y));
    for (int step = 0; step < 60; ++step)
        t -= (t * t * (t * t + 4.0L * t + 6.0L) - y) / (4.0L * t * (t * t + 3.0L * t + 3.0L));
    return 1.0L + t;
}

PairFunctions functions_of(const simd::InstructionSet& set) {
    return simd::for_target(set.target,
                            []<simd::Target target>() { return pair_functions<target>(); });
}

}  // namespace

TEST_CASE("JKR's force on vectors is exact to 5e-15 of its parts from the break to 1e50") {
    std::mt19937_64 random(3);
    for (const auto& set : simd::instruction_sets()) {
        const PairFunctions f = functions_of(set);
        double worst = 0.0;
        for (const auto& [low, high] :
             std::vector<std::pair<double, double>>{{-14, -2}, {-2, 1}, {1, 4}, {4, 50}}) {
            std::uniform_real_distribution<double> decade(low, high), speed(-1.0, 1.0);
            std::vector<double> overlap(count), v(count), force(count);
            for (std::size_t i = 0; i < count; ++i) {
                overlap[i] = std::pow(10.0, decade(random)) - 3.0;
                v[i] = speed(random);
            }
            f.jkr_force(overlap.data(), v.data(), force.data(), count);
            for (std::size_t i = 0; i < count; ++i) {
                const long double y = static_cast<long double>(overlap[i]) + 3.0L;
                if (y <= 0.0L) continue;  // the neck has broken
                const long double s = jkr_root(y), cube = s * s * s;
                const long double drag = static_cast<long double>(jkr_fields[2]) * s * v[i];
                const long double parts = cube * cube + 6.0L * cube + std::abs(drag);
                const long double error = force[i] - (cube * (cube - 6.0L) + drag);
                worst = std::max(worst, static_cast<double>(std::abs(error) / parts));
            }
        }
        MESSAGE(std::string(set.name), ", worst of the parts: ", worst);
        CHECK(worst > 0.0);
        CHECK(worst < 5e-15);
    }
}

TEST_CASE("Jian's force on vectors is exact to 2e-15 of its parts") {
    std::mt19937_64 random(5);
    std::uniform_real_distribution<double> overlaps(-12.0, -4.0), speeds(-8.0, 0.0);
    std::vector<double> x(count), v(count), force(count);
    for (std::size_t i = 0; i < count; ++i) {
        x[i] = std::pow(10.0, overlaps(random));
        v[i] = std::pow(10.0, speeds(random)) * (i % 2 == 0 ? 1.0 : -1.0);
    }
    const auto [K, C, w, decay, lowest] = jian_fields;
    for (const auto& set : simd::instruction_sets()) {
        functions_of(set).jian_force(x.data(), v.data(), force.data(), count);
        double worst = 0.0;
        for (std::size_t i = 0; i < count; ++i) {
            const long double root = std::sqrt(static_cast<long double>(x[i]));
            const long double angle =
                std::atan2(static_cast<long double>(w) * x[i], static_cast<long double>(v[i]));
            const long double spring = static_cast<long double>(K) * x[i] * root;
            const long double drag =
                -std::expm1(-static_cast<long double>(decay) * angle) * C * root * v[i];
            const long double error = force[i] - (spring + drag);
            worst =
                std::max(worst, static_cast<double>(std::abs(error) / (spring + std::abs(drag))));
        }
        MESSAGE(std::string(set.name), ", worst of the parts: ", worst);
        CHECK(worst > 0.0);
        CHECK(worst < 2e-15);
    }
}
