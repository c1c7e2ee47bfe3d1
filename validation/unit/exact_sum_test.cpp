// Sums without rounding: results are exact in any order and for any distribution over ranks.

#include "ranks/exact_sum.hpp"

#include "thread_ranks.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <stdexcept>
#include <utility>
#include <vector>

namespace beadwave::validation::exact_sum_test {

using beadwave::ranks::ExactSum;

namespace {

double sum(const std::vector<double>& numbers) {
    ExactSum all;
    for (const double number : numbers)
        all.add(number);
    return all.value();
}

}  // namespace

TEST_CASE("an exact sum is the double nearest to the sum of its terms") {
    constexpr double large = std::numeric_limits<double>::max();
    constexpr double tiny = std::numeric_limits<double>::denorm_min();
    CHECK(sum({}) == 0.0);
    CHECK(sum({0.1}) == 0.1);
    CHECK(sum({-0.1}) == -0.1);
    CHECK(sum({tiny, tiny, tiny}) == 3.0 * tiny);
    CHECK(sum({large, 1.0, -large}) == 1.0);
    CHECK(sum({1e300, 1e-300, -1e300}) == 1e-300);
    CHECK(sum({-1e16, 1.0, 1.0, 1e16, -5.0}) == -3.0);
    // Halfway between two doubles the sum is the even one; slightly above, it is the next one.
    CHECK(sum({1.0, 0x1p-53}) == 1.0);
    CHECK(sum({1.0, 0x1p-53, tiny}) == 1.0 + 0x1p-52);
    CHECK(sum({1.0 + 0x1p-52, 0x1p-53}) == 1.0 + 0x1p-51);
    CHECK(sum({-1.0, -0x1p-53, -tiny}) == -1.0 - 0x1p-52);
    CHECK(sum({0x1p64, 0x1p10, 1.0}) == 0x1p64);
    CHECK(sum({0x1p64, 0x1p11, 1.0}) == 0x1p64 + 0x1p12);
}

TEST_CASE("an exact sum handles infinities and NaN") {
    constexpr double infinite = std::numeric_limits<double>::infinity();
    CHECK(sum({1.0, infinite}) == infinite);
    CHECK(sum({-infinite, 1.0}) == -infinite);
    CHECK(std::isnan(sum({infinite, -infinite})));
    CHECK(std::isnan(sum({1.0, std::nan("")})));
}

TEST_CASE("neither the order nor the distribution of an exact sum changes a bit") {
    std::mt19937_64 random(3);
    std::uniform_real_distribution<double> digits(-1.0, 1.0);
    std::uniform_int_distribution<int> exponent(-300, 300);
    std::vector<double> numbers;
    for (int i = 0; i < 3000; ++i)
        numbers.push_back(std::ldexp(digits(random), exponent(random)));
    // All terms except the first cancel.
    for (int i = 1; i < 3000; ++i)
        numbers.push_back(-numbers[static_cast<std::size_t>(i)]);
    const double left = numbers.front();
    std::shuffle(numbers.begin(), numbers.end(), random);
    CHECK(sum(numbers) == left);

    for (const std::size_t part : {1, 7, 1000}) {
        ExactSum all, taken_away;
        for (std::size_t i = 0; i < numbers.size(); i += part) {
            ExactSum some;
            for (std::size_t k = i; k < std::min(i + part, numbers.size()); ++k)
                some.add(numbers[k]);
            all.add(some);
            if (i % 2 == 1) {
                all.subtract(some);
                taken_away.add(some);
            }
        }
        all.add(taken_away);
        CHECK(all.value() == left);
    }
}

TEST_CASE("replacing the terms of an exact sum leaves the sum of the new ones") {
    constexpr double infinite = std::numeric_limits<double>::infinity();
    std::mt19937_64 random(5);
    std::uniform_real_distribution<double> digits(-1.0, 1.0);
    std::uniform_int_distribution<int> exponent(-1060, 900);
    std::vector<double> terms(40, 0.0);
    ExactSum all;
    for (int i = 0; i < 20000; ++i) {
        double& term = terms[static_cast<std::size_t>(i) % terms.size()];
        const double now = i % 7 == 0 ? 0.0 : std::ldexp(digits(random), exponent(random));
        all.replace(std::exchange(term, now), now);
        if (i % 3 == 0) all.normalise();
        if (i % 100 == 0) CHECK(all.value() == sum(terms));
    }
    all.replace(std::exchange(terms[0], infinite), infinite);
    all.replace(std::exchange(terms[1], std::nan("")), std::nan(""));
    CHECK(std::isnan(all.value()));
    all.replace(std::exchange(terms[1], -1.0), -1.0);
    CHECK(all.value() == infinite);
    all.replace(std::exchange(terms[0], 2.0), 2.0);
    CHECK(all.value() == sum(terms));
    for (double& term : terms)
        all.replace(std::exchange(term, 0.0), 0.0);
    CHECK(all.value() == 0.0);
}

TEST_CASE("sums that ranks need at every step are exact, and their messages short") {
    constexpr double infinite = std::numeric_limits<double>::infinity();
    // Of each step and rank: first sums of one size, then others, none, and all sizes that occur.
    const auto term = [](int step, int rank, std::size_t k) {
        if (step == 30) return 0.0;
        if (step == 31) return rank == 1 ? infinite : 1.0;
        if (step == 32) return rank == 0 ? 1e300 : 1e-300;
        const double sign = (rank + static_cast<int>(k)) % 2 == 0 ? 1.0 : -1.0;
        return sign * std::ldexp(1.0 + 0.1 * rank, step % 7 - (step < 20 ? 40 : 90));
    };
    constexpr int steps = 40;
    constexpr std::size_t sums = 3;
    ThreadRanks::run(3, [&](ranks::Communicator& ranks) {
        ranks::RepeatedSums repeated;
        std::int64_t shortest = std::numeric_limits<std::int64_t>::max();
        for (int step = 0; step < steps; ++step) {
            std::vector<ExactSum> own(sums), all(sums);
            for (std::size_t k = 0; k < sums; ++k) {
                own[k].add(term(step, ranks.rank(), k));
                for (int r = 0; r < ranks.count(); ++r)
                    all[k].add(term(step, r, k));
            }
            const std::int64_t before = ranks.traffic().other_bytes;
            repeated.add_up(&ranks, own);
            shortest =
                std::min(shortest, step == 0 ? shortest : ranks.traffic().other_bytes - before);
            for (std::size_t k = 0; k < sums; ++k) {
                const double found = own[k].value(), expected = all[k].value();
                if (found != expected) throw std::runtime_error("a sum of ranks is wrong");
            }
        }
        if (shortest > static_cast<std::int64_t>(8 * (1 + 6 * sums)))
            throw std::runtime_error("the messages are long");
    });
}

}  // namespace beadwave::validation::exact_sum_test
