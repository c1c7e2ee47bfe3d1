// Laws whose forces on vectors come from approximate roots and tables, against long double.

#include "largest.hpp"
#include "simd/for_target.hpp"
#include "vector_functions/vector_functions.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace beadwave::validation::vector_law_test {

namespace {

constexpr std::size_t count = 1 << 16;

/// s of s^4 - 4 s = y - 3, by Newton's method from above, where it converges.
long double jkr_root(long double y) {
    long double t = y < 6.0L ? std::sqrt(y / 6.0L) : std::sqrt(std::sqrt(y));
    for (int step = 0; step < 60; ++step)
        t -= (t * t * (t * t + 4.0L * t + 6.0L) - y) / (4.0L * t * (t * t + 3.0L * t + 3.0L));
    return 1.0L + t;
}

/// JKR's force at an overlap above the break, and the sum of the sizes of its parts.
struct Parts {
    long double force, sum;
};
Parts jkr_parts(double overlap, double speed) {
    const long double s = jkr_root(static_cast<long double>(overlap) + 3.0L), cube = s * s * s;
    const long double drag = static_cast<long double>(jkr_fields[2]) * s * speed;
    return {cube * (cube - 6.0L) + drag, cube * cube + 6.0L * cube + std::abs(drag)};
}

/// The same of Jian's force, without a floor.
Parts jian_parts(double overlap, double speed) {
    const auto [K, C, w, decay, lowest] = jian_fields;
    const long double x = overlap, root = std::sqrt(x);
    const long double angle = std::atan2(w * x, static_cast<long double>(speed));
    const long double spring = K * x * root;
    const long double drag = -std::expm1(-decay * angle) * C * root * speed;
    return {spring + drag, spring + std::abs(drag)};
}

double error_in_parts(double force, const Parts& exact) {
    return static_cast<double>(std::abs(force - exact.force) / exact.sum);
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
        Largest worst;
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
                if (overlap[i] <= -3.0) continue;  // the neck has broken
                worst.enter(error_in_parts(force[i], jkr_parts(overlap[i], v[i])));
            }
        }
        MESSAGE(std::string(set.name), ", worst of the parts: ", worst);
        CHECK(worst > 0.0);
        CHECK(worst < 5e-15);
    }
}

TEST_CASE("JKR's contact on vectors closes at zero overlap, and holds until the neck breaks") {
    std::mt19937_64 random(4);
    std::uniform_real_distribution<double> anywhere(-4.0, 2.0), decade(-300.0, 0.0), speed(-1, 1);
    std::vector<double> overlap(count), v(count), force(count), neck(count);
    for (std::size_t i = 0; i < count; ++i) {
        overlap[i] = i % 2 == 0 ? anywhere(random)
                                : std::copysign(std::pow(10.0, decade(random)), speed(random));
        v[i] = speed(random);
    }
    overlap[0] = 0.0;
    overlap[1] = -0.0;
    overlap[2] = -3.0;
    const double not_a_number = std::numeric_limits<double>::quiet_NaN();
    overlap[3] = not_a_number;
    for (const auto& set : simd::instruction_sets()) {
        CAPTURE(std::string(set.name));
        const PairFunctions f = functions_of(set);
        for (const bool open : {true, false}) {
            CAPTURE(open);
            (open ? f.jkr_open_force : f.jkr_force)(overlap.data(), v.data(), force.data(), count);
            (open ? f.jkr_open_neck : f.jkr_neck)(overlap.data(), v.data(), neck.data(), count);
            std::size_t wrong = 0, closed = 0;
            Largest worst;
            for (std::size_t i = 0; i < count; ++i) {
                if (i == 3) continue;
                if (overlap[i] <= (open ? 0.0 : -3.0)) {
                    wrong += force[i] != 0.0 || neck[i] != 0.0;
                    continue;
                }
                wrong += neck[i] != 1.0;
                worst.enter(error_in_parts(force[i], jkr_parts(overlap[i], v[i])));
                ++closed;
            }
            CHECK(wrong == 0);
            CHECK(closed > count / 3);
            CHECK(closed < count);
            CHECK(worst < 5e-15);
            CHECK(std::isnan(force[3]));
        }
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
    for (const auto& set : simd::instruction_sets()) {
        functions_of(set).jian_force(x.data(), v.data(), force.data(), count);
        Largest worst;
        for (std::size_t i = 0; i < count; ++i)
            worst.enter(error_in_parts(force[i], jian_parts(x[i], v[i])));
        MESSAGE(std::string(set.name), ", worst of the parts: ", worst);
        CHECK(worst > 0.0);
        CHECK(worst < 2e-15);
    }
}

TEST_CASE("Jian's force on vectors never pulls with separation at zero force") {
    std::mt19937_64 random(6);
    std::uniform_real_distribution<double> overlaps(-12.0, -4.0), speeds(-8.0, 2.0);
    std::vector<double> x(count), v(count), force(count);
    for (std::size_t i = 0; i < count; ++i) {
        x[i] = std::pow(10.0, overlaps(random)) * (i % 8 == 0 ? -1.0 : 1.0);
        v[i] = std::pow(10.0, speeds(random)) * (i % 2 == 0 ? 1.0 : -1.0);
    }
    x[0] = 0.0;
    for (const auto& set : simd::instruction_sets()) {
        CAPTURE(std::string(set.name));
        functions_of(set).jian_pushing_force(x.data(), v.data(), force.data(), count);
        std::size_t wrong = 0, pulling = 0;
        Largest worst;
        for (std::size_t i = 0; i < count; ++i) {
            if (x[i] <= 0.0) {
                wrong += force[i] != 0.0;
                continue;
            }
            const Parts exact = jian_parts(x[i], v[i]);
            if (exact.force < -2e-15L * exact.sum) {
                wrong += force[i] != 0.0;
                ++pulling;
                continue;
            }
            wrong += force[i] < 0.0;
            worst.enter(error_in_parts(force[i], exact));
        }
        CHECK(wrong == 0);
        CHECK(pulling > count / 16);
        CHECK(worst < 2e-15);
        // Bodies that are no longer numbers stay visible.
        const std::vector<double> overlap(simd::most_lanes, 1e-6),
            nothing(simd::most_lanes, std::numeric_limits<double>::quiet_NaN());
        functions_of(set).jian_pushing_force(overlap.data(), nothing.data(), force.data(),
                                             simd::most_lanes);
        CHECK(std::isnan(force[0]));
    }
}

}  // namespace beadwave::validation::vector_law_test
