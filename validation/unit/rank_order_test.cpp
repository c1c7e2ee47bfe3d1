// The order of particles that ranks find together is that of one process.

#include "packing/fast/rank_order.hpp"

#include "thread_ranks.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

namespace beadwave::validation::rank_order_test {

using packing::block_size;
using packing::SortItem;

double uniform(std::uint64_t& state) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return std::ldexp(static_cast<double>(state >> 11), -53);
}

/// Sorted by one process: present items first.
std::vector<std::uint32_t> slots_of_one(std::vector<SortItem> present,
                                        const std::vector<SortItem>& absent, double radius) {
    packing::split_into_blocks(present);
    present.insert(present.end(), absent.begin(), absent.end());
    for (std::size_t begin = 0; begin < present.size(); begin += block_size) {
        const std::size_t size = std::min(block_size, present.size() - begin);
        packing::sort_block(std::span(present).subspan(begin, size), radius);
    }
    std::vector<std::uint32_t> slots(present.size());
    for (std::size_t slot = 0; slot < present.size(); ++slot)
        slots[static_cast<std::size_t>(present[slot].number)] = static_cast<std::uint32_t>(slot);
    return slots;
}

/// Each rank has a stretch of the items, of unequal lengths.
std::vector<SortItem> part_of(const std::vector<SortItem>& all, int rank, int count) {
    const auto border = [&](int r) {
        const double part = static_cast<double>(r) / count;
        return static_cast<std::ptrdiff_t>(part * part * static_cast<double>(all.size()));
    };
    return {all.begin() + border(rank), all.begin() + border(rank + 1)};
}

void check_order(const std::vector<SortItem>& present, const std::vector<SortItem>& absent,
                 const std::vector<int>& counts, int threads = 1) {
    const double radius = 0.01;
    const std::size_t all = present.size() + absent.size();
    const std::vector<std::uint32_t> expected = slots_of_one(present, absent, radius);
    for (const int count : counts) {
        std::vector<std::uint32_t> found(all, 0xFFFFFFFFU);
        ThreadRanks::run(count, [&](ranks::Communicator& ranks) {
            for (const packing::Placed& each : packing::order_on_ranks(
                     ranks, part_of(present, ranks.rank(), count),
                     part_of(absent, ranks.rank(), count), all, radius, threads))
                found[each.number] = each.slot;
        });
        INFO(count);
        CHECK(found == expected);
    }
}

struct Items {
    std::vector<SortItem> present, absent;
};

Items loose(std::size_t present, std::size_t absent) {
    std::uint64_t state = 7;
    Items items;
    for (std::size_t k = 0; k < present + absent; ++k) {
        // Some in a far corner, and some below zero.
        const double far = k % 10 == 0 ? 30.0 : 1.0;
        (k % (present + absent) < present ? items.present : items.absent)
            .push_back({{far * (uniform(state) - 0.3), uniform(state), far * uniform(state)},
                        static_cast<double>((k * 7919) % (present + absent))});
    }
    return items;
}

TEST_CASE("ranks find the order of loose particles that one process finds") {
    const Items items = loose(20011, 0);
    check_order(items.present, {}, {1, 2, 3, 16, 64});
    check_order(items.present, {}, {3}, 2);
}

TEST_CASE("ranks find the same order of a crystal, where whole layers have one coordinate") {
    std::vector<SortItem> items;
    for (int x = 0; x < 24; ++x) {
        for (int y = 0; y < 24; ++y) {
            for (int z = 0; z < 24; ++z)
                items.push_back({{0.02 * x - 0.24, y % 2 == 0 ? 0.0 : -0.0, 0.02 * z},
                                 static_cast<double>(items.size())});
        }
    }
    check_order(items, {}, {2, 5, 13});
    for (SortItem& item : items)
        item.at = {1.0, 1.0, 1.0};
    check_order(items, {}, {4});
}

TEST_CASE("absent particles are behind the others on any number of ranks") {
    const Items some = loose(5000, 4000), few = loose(700, 3000), none = loose(0, 3000);
    for (const Items& items : {some, few, none})
        check_order(items.present, items.absent, {2, 3, 8});
}

/// The most bytes that any of the ranks receives for an order.
double received_for_order(std::size_t particles, int count) {
    const Items items = loose(particles, 0);
    std::vector<std::int64_t> received(static_cast<std::size_t>(count));
    ThreadRanks::run(count, [&](ranks::Communicator& ranks) {
        const auto own = static_cast<std::size_t>(ranks.rank());
        const std::size_t each = particles / static_cast<std::size_t>(count);
        const auto begin = items.present.begin() + static_cast<std::ptrdiff_t>(own * each);
        packing::order_on_ranks(ranks, {begin, begin + static_cast<std::ptrdiff_t>(each)}, {},
                                particles, 0.01, 1);
        received[own] = dynamic_cast<ThreadRanks&>(ranks).received();
    });
    return static_cast<double>(*std::ranges::max_element(received));
}

TEST_CASE("what a rank receives for an order depends on its own particles, not on those of all") {
    // Scattered particles, most of which travel: 40 bytes each to be sorted, 8 with the answer, and
    // the parts are within a quarter of equal. Counts of 64 intervals for each cut come on top.
    constexpr std::size_t each = 16384;
    for (const int count : {4, 8, 16}) {
        const double received = received_for_order(each * static_cast<std::size_t>(count), count);
        MESSAGE(count, " ranks: ", received / each, " bytes per particle of a rank");
        CHECK(received > 24.0 * each);
        CHECK(received < 1.25 * 48.0 * each + 4e4 * count);
    }
}

}  // namespace beadwave::validation::rank_order_test
