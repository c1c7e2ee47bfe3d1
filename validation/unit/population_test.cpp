// Which particles of a packing are there: what is saved of it, and what it takes of memory.

#include "packing/flow/population.hpp"

#include "poured_packings.hpp"
#include "sanitised.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <stdexcept>
#include <vector>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace beadwave::validation::population_test {

using packing::Population;
using packing::Presence;

namespace {

constexpr double dt = 1e-5;

/// Ten spheres that are there, and `waiting` that are poured above an exit.
packing::Packing filling(std::size_t waiting) {
    packing::Packing p = soft_packing("hertz");
    for (int i = 0; i < 10; ++i)
        p.add(1e-3, 1e-5, {0.1 * i, 1.0, 0.0});
    add_pour(p, waiting, 1e-3, {.lower = {0, 0, 0}, .upper = {1, 1, 1}}, 100.0, {0, 0, -1});
    p.exits.push_back({packing::Plane{.point = {0, 0, -1}, .normal = {0, 0, 1}}});
    return p;
}

}  // namespace

TEST_CASE("a population that is restored has the same particles inside") {
    const packing::Packing p = filling(5);
    Population population(p, dt);
    CHECK(population.presence(9) == Presence::inside);
    CHECK(population.presence(10) == Presence::waiting);
    population.enter(20, {10, {0.5, 0.5, 0.5}});
    population.enter(40, {11, {0.2, 0.5, 0.5}});
    population.leave(60, {10, 0}, {0.5, 0.5, -1.1}, {}, {});
    population.leave(80, {3, 0}, {0.3, 1.0, -1.1}, {}, {});
    const std::vector<double> saved = population.numbers();
    Population other(p, dt);
    other.restore(saved);
    CHECK(other.numbers() == saved);
    CHECK(other.count(Presence::inside) == 10);
    CHECK(other.count(Presence::waiting) == 3);
    CHECK(other.left_through(0) == 2);
    CHECK(other.presence(10) == Presence::left);
    CHECK(other.entry_step(11) == 40);
    CHECK(other.leave_step(3) == 80);
    std::vector<char> absent(15, 0);
    for (const std::size_t i : {3, 10, 12, 13, 14})
        absent[i] = 1;
    CHECK(other.absent() == absent);
}

TEST_CASE("numbers that contradict each other are no population") {
    const packing::Packing p = filling(5);
    Population population(p, dt);
    const std::vector<double> good = population.numbers();
    constexpr std::size_t per_particle = 4;
    for (const std::size_t number : {std::size_t{0}, per_particle * 12}) {
        std::vector<double> bad = good;
        bad[number] = 2.0;  // left, without a step at which it did
        CHECK_THROWS_AS(population.restore(bad), std::invalid_argument);
    }
    population.restore(good);
    CHECK(population.numbers() == good);
}

#ifdef __GLIBC__
TEST_CASE("particles that wait take less than a byte, others only what differs") {
    if (sanitised) return;  // another allocator
    constexpr std::size_t count = 1'000'000;
    const packing::Packing p = filling(count);
    const auto used = [] {
        const struct mallinfo2 now = mallinfo2();
        return static_cast<double>(now.uordblks + now.hblkhd);
    };
    const double before = used();
    Population population(p, dt);
    CHECK(used() - before < 1.0 * count);
    for (std::size_t i = 0; i < count / 2; ++i)
        population.enter(20, {10 + i, {}});
    CHECK(used() - before < 5.0 * count);
    CHECK(population.count(Presence::inside) == count / 2 + 10);
}
#endif

}  // namespace beadwave::validation::population_test
