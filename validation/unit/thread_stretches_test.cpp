// Items that threads share: each is done once, and a thread begins with its own ones.

#include "stepping/thread_stretches.hpp"

#include "packing/fast/block_cuts.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>

namespace beadwave::validation::thread_stretches_test {

using stepping::ThreadStretches;

namespace {

std::vector<std::size_t> done_by(ThreadStretches& stretches, int thread) {
    std::vector<std::size_t> items;
    stretches.each(thread, [&](std::size_t item) { items.push_back(item); });
    return items;
}

using Items = std::vector<std::size_t>;

/// As the blocks of a packing are.
void cut(ThreadStretches& stretches, const std::vector<std::int64_t>& weights, int threads) {
    const std::size_t count = std::min(weights.size(), static_cast<std::size_t>(threads));
    stretches.cut(count > 0 ? packing::even_cuts({weights, weights}, count) : packing::Cuts{});
}

}  // namespace

TEST_CASE("a thread does its own items in order, then the last ones of others") {
    ThreadStretches stretches;
    stretches.cut({0, 3, 6});
    for (int time = 0; time < 2; ++time) {
        stretches.begin();
        CHECK(done_by(stretches, 1) == Items{3, 4, 5, 2, 1, 0});
        CHECK(done_by(stretches, 0).empty());
    }
    stretches.begin();
    CHECK(done_by(stretches, 0) == Items{0, 1, 2, 5, 4, 3});
}

TEST_CASE("stretches of items are cut by weight") {
    const auto own = [](const std::vector<std::int64_t>& weights, int threads) {
        std::vector<std::size_t> first;
        ThreadStretches stretches;
        cut(stretches, weights, threads);
        for (int t = 0; t < threads; ++t) {
            stretches.begin();
            const Items items = done_by(stretches, t);
            CHECK(items.size() == weights.size());
            first.push_back(items.empty() ? weights.size() : items.front());
        }
        return first;
    };
    CHECK(own({5, 1, 1, 1, 1, 1}, 2) == Items{0, 1});
    CHECK(own({1, 1, 1, 1, 1, 5}, 2) == Items{0, 5});
    CHECK(own({1, 1, 1, 1}, 4) == Items{0, 1, 2, 3});
    CHECK(own({0, 0, 0}, 1) == Items{0});
    CHECK(own({}, 3) == Items{0, 0, 0});
    // Threads without items begin with those of the next.
    CHECK(own({7}, 3) == Items{0, 0, 0});
}

TEST_CASE("threads that share items do each of them once") {
    constexpr int threads = 4;
    ThreadStretches stretches;
    std::vector<std::int64_t> weights(1000);
    for (std::size_t k = 0; k < weights.size(); ++k)
        weights[k] = k < 100 ? 50 : 1;
    cut(stretches, weights, threads);
    for (int time = 0; time < 20; ++time) {
        std::vector<std::atomic<int>> done(weights.size());
        stretches.begin();
        {
            std::vector<std::jthread> team;
            for (int t = 0; t < threads; ++t)
                team.emplace_back(
                    [&, t] { stretches.each(t, [&](std::size_t item) { ++done[item]; }); });
        }
        std::size_t wrong = 0;
        for (const std::atomic<int>& times : done)
            wrong += times != 1 ? 1 : 0;
        CHECK(wrong == 0);
    }
}

}  // namespace beadwave::validation::thread_stretches_test
