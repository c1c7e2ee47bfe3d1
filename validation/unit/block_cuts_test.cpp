// The cuts of blocks among ranks: as even as any, with limits, moved when it pays; and rates that
// follow what blocks took, of machines that are made up here.

#include "packing/fast/block_cuts.hpp"

#include "splitmix.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>
#include <vector>

namespace beadwave::validation::block_cuts_test {

using packing::BlockWork;
using packing::Cuts;

namespace {

/// Calls visit(cuts) for each way to cut the blocks, one or more for each rank.
void each_cut(std::size_t blocks, std::size_t ranks, const std::function<void(const Cuts&)>& visit,
              Cuts some = {0}) {
    if (some.size() == ranks) {
        some.push_back(blocks);
        return visit(some);
    }
    for (std::size_t b = some.back() + 1; b + (ranks - some.size()) <= blocks; ++b) {
        Cuts more = some;
        more.push_back(b);
        each_cut(blocks, ranks, visit, more);
    }
}

/// Ranks whose machines take so many times as long, and blocks that take so long [s] at 1.
struct Machines {
    std::vector<double> slow, block;
    std::vector<std::int64_t> weight;

    double time(const Cuts& cuts, std::size_t r) const {
        double sum = 0.0;
        for (std::size_t b = cuts[r]; b < cuts[r + 1]; ++b)
            sum += block[b] * slow[r];
        return sum;
    }
    /// Of a step: of the rank that takes longest.
    double time(const Cuts& cuts) const {
        double most = 0.0;
        for (std::size_t r = 0; r < slow.size(); ++r)
            most = std::max(most, time(cuts, r));
        return most;
    }
    double best_time() const {
        double best = std::numeric_limits<double>::infinity();
        each_cut(block.size(), slow.size(),
                 [&](const Cuts& cuts) { best = std::min(best, time(cuts)); });
        return best;
    }
};

Machines equal_machines(std::size_t ranks, std::size_t blocks) {
    return {std::vector<double>(ranks, 1.0), std::vector<double>(blocks, 1e-4),
            std::vector<std::int64_t>(blocks, 8000)};
}

/// What the ranks know, list by list, of blocks that stay what they are.
struct Balance {
    Cuts cuts;
    std::vector<double> rates;

    explicit Balance(const Machines& on) : cuts{0}, rates(on.block.size(), 1.0) {
        for (std::size_t r = 1; r <= on.slow.size(); ++r)
            cuts.push_back(r * on.block.size() / on.slow.size());
    }
    /// A list of so many steps; one block takes longer by a pause [s].
    void list(const Machines& on, double steps, std::size_t paused = 0, double pause = 0.0) {
        std::vector<double> seconds;
        for (std::size_t r = 0; r < on.slow.size(); ++r) {
            for (std::size_t b = cuts[r]; b < cuts[r + 1]; ++b)
                seconds.push_back(steps * on.block[b] * on.slow[r] + (b == paused ? pause : 0.0));
        }
        rates = packing::renewed_rates(rates, {seconds, on.weight, steps});
        BlockWork work{on.weight, {}};
        for (std::size_t b = 0; b < rates.size(); ++b)
            work.cost.push_back(std::llround(1e6 * rates[b]) * on.weight[b]);
        cuts = packing::cuts_that_pay(work, cuts);
    }
    void lists(const Machines& on, double steps, int count) {
        for (int k = 0; k < count; ++k)
            list(on, steps);
    }
};

}  // namespace

TEST_CASE("the cuts are as even as those of any other way, within the limits of weights") {
    std::uint64_t drawn = 3;
    const auto below = [&](std::uint64_t end) { return (drawn = mixed(drawn)) % end; };
    int limited = 0;
    for (int k = 0; k < 1000; ++k) {
        const std::size_t ranks = 1 + below(4), blocks = ranks + below(8);
        BlockWork work;
        for (std::size_t b = 0; b < blocks; ++b) {
            work.weight.push_back(static_cast<std::int64_t>(below(50)));
            work.cost.push_back(static_cast<std::int64_t>(below(3) == 0 ? 0 : below(1000)));
        }
        // No rank has more than twice the mean weight, rounded up, or one block.
        const std::int64_t all = std::accumulate(work.weight.begin(), work.weight.end(), 0L),
                           count = static_cast<std::int64_t>(ranks),
                           most = std::max((2 * all + count - 1) / count,
                                           std::ranges::max(work.weight));
        std::int64_t best = std::numeric_limits<std::int64_t>::max(), unlimited = best;
        each_cut(blocks, ranks, [&](const Cuts& cuts) {
            std::int64_t cost = 0, weight = 0;
            for (std::size_t r = 0; r < ranks; ++r) {
                std::int64_t costs = 0, weights = 0;
                for (std::size_t b = cuts[r]; b < cuts[r + 1]; ++b)
                    costs += work.cost[b], weights += work.weight[b];
                cost = std::max(cost, costs), weight = std::max(weight, weights);
            }
            unlimited = std::min(unlimited, cost);
            if (weight <= most) best = std::min(best, cost);
        });
        limited += best > unlimited ? 1 : 0;
        const Cuts found = packing::even_cuts(work, ranks);
        REQUIRE(found.size() == ranks + 1);
        CHECK(found.front() == 0);
        CHECK(found.back() == blocks);
        CHECK(std::ranges::adjacent_find(found, std::greater_equal<>()) == found.end());
        CHECK(packing::largest_part(work.cost, found) == best);
        CHECK(packing::largest_part(work.weight, found) <= most);
    }
    CHECK(limited > 10);
}

TEST_CASE("cuts stay until others make the largest cost smaller by a twentieth") {
    const auto work = [](std::int64_t middle) {
        return BlockWork{{10, 10, 10}, {1000, middle, 1000 - middle}};
    };
    // The middle block is on the first rank. On the second one both would have 1000.
    CHECK(packing::cuts_that_pay(work(50), {0, 2, 3}) == Cuts{0, 2, 3});
    CHECK(packing::cuts_that_pay(work(56), {0, 2, 3}) == Cuts{0, 1, 3});
    // Of three ranks one may have twice the mean weight at most, whatever it gains to stay.
    const BlockWork heavy{{10, 10, 10, 1, 1, 1}, {10, 10, 10, 10, 10, 10}};
    CHECK(packing::cuts_that_pay(heavy, {0, 3, 4, 6}) == Cuts{0, 2, 4, 6});
}

TEST_CASE("a rank that is three times slower gets fewer blocks, and gets them back") {
    for (const std::size_t ranks : {2, 3}) {
        for (const double steps : {5.0, 50.0, 1000.0}) {
            CAPTURE(ranks);
            CAPTURE(steps);
            Machines machines = equal_machines(ranks, 40);
            const double even = machines.best_time();
            // Lists of few steps say little.
            const int lists = steps < 10.0 ? 100 : 12;
            Balance balance(machines);
            machines.slow[0] = 3.0;
            const double before = machines.time(balance.cuts), best = machines.best_time();
            balance.lists(machines, steps, lists);
            // The cuts stay if a twentieth or less is to be gained, and move by whole blocks of the
            // slow rank.
            const double block = 3.0 * machines.block[0];
            CHECK(before > 1.6 * best);
            CHECK(machines.time(balance.cuts) < best / 0.95 + block);
            machines.slow[0] = 1.0;
            balance.lists(machines, steps, lists);
            CHECK(machines.time(balance.cuts) < even / 0.95 + machines.block[0]);
        }
    }
}

TEST_CASE("a rank that stops for a moment loses a block or two, and gets them back") {
    const Machines machines = equal_machines(2, 24);
    Balance balance(machines);
    balance.lists(machines, 100.0, 3);
    CHECK(balance.cuts == Cuts{0, 12, 24});
    // For as long as 10,000 steps of the block. With a rate of at most 4 it takes as long as three
    // blocks more.
    balance.list(machines, 100.0, 5, 1.0);
    CHECK(balance.cuts[1] >= 10);
    CHECK(balance.cuts[1] < 12);
    balance.lists(machines, 100.0, 3);
    CHECK(balance.cuts == Cuts{0, 12, 24});
}

TEST_CASE("blocks that sleep cost little, but no rank gets more than twice its share of them") {
    // The last blocks sleep.
    Machines machines = equal_machines(2, 30);
    std::fill(machines.block.begin() + 10, machines.block.end(), 0.0);
    Balance two(machines);
    two.lists(machines, 200.0, 4);
    CHECK(two.cuts[1] >= 5);
    CHECK(two.cuts[1] <= 6);
    machines.slow.assign(5, 1.0);  // six of the blocks each
    Balance five(machines);
    five.lists(machines, 200.0, 4);
    CHECK(machines.time(five.cuts) < 5.5 * machines.block[0]);
    for (std::size_t r = 0; r < 5; ++r)
        CHECK(five.cuts[r + 1] - five.cuts[r] <= 12);
    // All of them sleep: nothing is measured.
    std::ranges::fill(machines.block, 0.0);
    const Balance asleep = five;
    five.list(machines, 200.0);
    CHECK(five.cuts == asleep.cuts);
    CHECK(five.rates == asleep.rates);
}

TEST_CASE("a silo whose lower half touches more is cut by what its blocks took") {
    // Per pair in the list blocks below take 2.5 times as long as those above.
    Machines machines = equal_machines(3, 36);
    std::fill(machines.block.begin(), machines.block.begin() + 18, 2.5e-4);
    Balance balance(machines);
    CHECK(machines.time(balance.cuts) > 1.3 * machines.best_time());
    balance.lists(machines, 300.0, 2);
    CHECK(machines.time(balance.cuts) < machines.best_time() / 0.95 + 2.5e-4);
}

TEST_CASE("a list without steps, or with a few, leaves the rates") {
    const Machines machines = equal_machines(2, 8);
    std::vector<double> rates{1, 2, 1, 1, 0.5, 1, 1, 1};
    const auto after = [&](double steps) {
        std::vector<double> seconds(8, steps * 1e-4);
        return packing::renewed_rates(rates, {seconds, machines.weight, steps});
    };
    CHECK(after(0.0) == rates);
    // After n steps n/(n + 64) of the way to the measured rate, 1.
    CHECK(std::abs(after(1.0)[1] - (2.0 - 1.0 / 65.0)) < 1e-12);
    CHECK(std::abs(after(64.0)[4] - 0.75) < 1e-12);
}

}  // namespace beadwave::validation::block_cuts_test
