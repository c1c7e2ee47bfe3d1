// A column of a packing against a vector with the same values, and what it takes of memory.

#include "packing/particle_column.hpp"

#include "sanitised.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <vector>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace beadwave::validation::particle_column_test {

using packing::ParticleColumn;

namespace {

using Column = ParticleColumn<double>;

double seventh(std::size_t i) {
    return static_cast<double>(i) / 7.0;
}

void check_same(const Column& column, const std::vector<double>& expected) {
    REQUIRE(column.size() == expected.size());
    CHECK(column.all() == expected);
    CHECK(std::ranges::equal(column, expected));
    CHECK(*std::ranges::max_element(column) == *std::ranges::max_element(expected));
    CHECK(column.begin()[static_cast<std::ptrdiff_t>(expected.size()) - 1] == expected.back());
}

}  // namespace

TEST_CASE("a column of equal values, of others, and of a rule reads like a vector of them") {
    Column column;
    std::vector<double> expected;
    const auto add = [&](std::size_t count, auto value) {
        for (std::size_t i = 0; i < count; ++i) {
            column.push_back(value(i));
            expected.push_back(value(i));
        }
    };
    add(5000, [](std::size_t) { return 2.0; });
    add(3, seventh);
    column.append_alike(9000, -1.5);
    expected.resize(expected.size() + 9000, -1.5);
    column.append(10000, seventh);
    for (std::size_t i = 0; i < 10000; ++i)
        expected.push_back(seventh(i));
    add(1, seventh);
    check_same(column, expected);
    for (const std::size_t at : {std::size_t{0}, std::size_t{5001}, std::size_t{20000}}) {
        column[at] = 40.0 + static_cast<double>(at);  // of equal values, of others, of a rule
        expected[at] = column.all()[at];
    }
    column.back() = 99.0;
    expected.back() = 99.0;
    check_same(column, expected);
    column.resize(expected.size() + 4500, 3.0);
    expected.resize(expected.size() + 4500, 3.0);
    check_same(column, expected);
    column.resize(4100);
    expected.resize(4100);
    check_same(column, expected);
    column.clear();
    CHECK(column.empty());
    CHECK(column == Column{});
}

TEST_CASE(
    "stretches of a column have its values in their order, and few are enough for equal ones") {
    Column column;
    column.append_alike(10'000, 4.0);
    column.push_back(9.0);
    column.append_alike(20'000, 5.0);
    column.append(5000, seventh);
    std::vector<double> seen;
    std::size_t visits = 0;
    column.each_stretch([&](std::size_t begin, std::size_t end, double value) {
        REQUIRE(begin == seen.size());
        REQUIRE(end > begin);
        seen.resize(end, value);
        ++visits;
    });
    CHECK(seen == column.all());
    // A part of 4096 with two values goes one by one, as what follows the rule.
    CHECK(visits < 2 * 4096 + 5000 + 20);
    CHECK(column.smallest() == 0.0);
    CHECK(column.largest() == seventh(4999));
    CHECK(column.largest(5, 9000) == 4.0);
    CHECK(column.largest(5, 10'001) == 9.0);
    CHECK(column.largest(10'000, 10'001) == 9.0);
    CHECK(column.largest(10'001, 12'000) == 5.0);
    column[12'345] = -1.0;
    CHECK(column.smallest() == -1.0);
    CHECK(column.alike_until(0) > 4000);
    CHECK(column.alike_until(12'345) == 12'346);
}

TEST_CASE("zero and minus zero are different values of a column") {
    Column column;
    column.push_back(0.0);
    column.push_back(-0.0);
    CHECK(!std::signbit(column.all()[0]));
    CHECK(std::signbit(column.all()[1]));
}

TEST_CASE("a copy of a column and the column itself change apart") {
    const Column first(std::vector<double>{1.0, 2.0, 3.0});
    Column second = first, third = second;
    second[1] = 5.0;
    third.push_back(4.0);
    CHECK(first == Column{1.0, 2.0, 3.0});
    CHECK(second == Column{1.0, 5.0, 3.0});
    CHECK(third == Column{1.0, 2.0, 3.0, 4.0});
}

#ifdef __GLIBC__
TEST_CASE("equal values and those of a rule take less than a byte per particle, copies too") {
    if (sanitised) return;  // another allocator
    constexpr std::size_t count = 1'000'000;
    const auto used = [] {
        const struct mallinfo2 now = mallinfo2();
        return static_cast<double>(now.uordblks + now.hblkhd);
    };
    const double before = used();
    Column equal, by_rule, stored;
    for (std::size_t i = 0; i < count; ++i)
        equal.push_back(1.0);
    by_rule.append(count, seventh);
    CHECK(used() - before < 1.0 * count);
    for (std::size_t i = 0; i < count; ++i)
        stored.push_back(seventh(i));
    CHECK(used() - before > 8.0 * count);
    const Column copies[] = {equal, by_rule, stored, stored};
    CHECK(used() - before < 9.0 * count);
    CHECK(copies[3][count - 1] == seventh(count - 1));
}
#endif

}  // namespace beadwave::validation::particle_column_test
