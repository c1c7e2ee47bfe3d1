#include "block_order.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace beadwave::packing {
namespace {

/// Spreads the bits of a 21-bit number, with two zeros between neighbours.
std::uint64_t spread(std::uint64_t x) {
    x &= 0x1FFFFF;
    x = (x | x << 32) & 0x1F00000000FFFFULL;
    x = (x | x << 16) & 0x1F0000FF0000FFULL;
    x = (x | x << 8) & 0x100F00F00F00F00FULL;
    x = (x | x << 4) & 0x10C30C30C30C30C3ULL;
    return (x | x << 2) & 0x1249249249249249ULL;
}

struct Cut {
    std::size_t axis, middle;
};

/// How the items are split in two.
Cut cut_of(std::span<const SortItem> items, int threads = 1) {
    ItemBounds all(items.first(1));
    const auto parts = static_cast<std::size_t>(threads);
#pragma omp parallel for num_threads(threads) if (threads > 1)
    for (std::size_t k = 0; k < parts; ++k) {
        const std::size_t begin = k * items.size() / parts, end = (k + 1) * items.size() / parts;
        const ItemBounds own(items.subspan(begin, end - begin));
#pragma omp critical(beadwave_cut)
        all.include(own);
    }
    return {all.widest(), middle_of(items.size())};
}

auto along(std::size_t axis) {
    return [axis](const SortItem& s) { return std::pair(s.at[axis], s.number); };
}

void split(std::span<SortItem> items) {
    if (items.size() <= block_size) return;
    const auto [axis, middle] = cut_of(items);
    std::ranges::nth_element(items, items.begin() + static_cast<std::ptrdiff_t>(middle), {},
                             along(axis));
    split(items.first(middle));
    split(items.subspan(middle));
}

/// As nth_element, by all threads: two numbers from a sample, with the middle between them, divide
/// the items into three parts.
void split_by_threads(std::span<SortItem> items, std::vector<SortItem>& room, const Cut& cut,
                      int threads) {
    const auto key = along(cut.axis);
    constexpr std::size_t samples = 4096, apart = samples / 32;
    std::vector<std::pair<double, double>> sample;
    for (std::size_t k = 0; k < samples; ++k)
        sample.push_back(key(items[k * items.size() / samples]));
    std::ranges::sort(sample);
    const std::size_t at = cut.middle * samples / items.size();
    const auto low = sample[at > apart ? at - apart : 0],
               high = sample[std::min(samples - 1, at + apart)];
    const auto part_of = [&](const SortItem& item) {
        const auto its = key(item);
        return its < low ? 0 : its < high ? 1 : 2;
    };
    const auto chunks = static_cast<std::size_t>(threads) * 4;
    const auto chunk = [&](std::size_t c) {
        const std::size_t begin = c * items.size() / chunks, end = (c + 1) * items.size() / chunks;
        return items.subspan(begin, end - begin);
    };
    std::vector<std::array<std::size_t, 3>> next(chunks);
#pragma omp parallel for num_threads(threads)
    for (std::size_t c = 0; c < chunks; ++c) {
        for (const SortItem& item : chunk(c))
            ++next[c][static_cast<std::size_t>(part_of(item))];
    }
    std::array<std::size_t, 4> begin{};
    for (std::size_t part = 0, sum = 0; part < 3; ++part) {
        for (auto& counts : next)
            sum += std::exchange(counts[part], sum);
        begin[part + 1] = sum;
    }
#pragma omp parallel for num_threads(threads)
    for (std::size_t c = 0; c < chunks; ++c) {
        for (const SortItem& item : chunk(c))
            room[next[c][static_cast<std::size_t>(part_of(item))]++] = item;
    }
#pragma omp parallel for num_threads(threads)
    for (std::size_t c = 0; c < chunks; ++c)
        std::ranges::copy(std::span(room).subspan(c * items.size() / chunks, chunk(c).size()),
                          chunk(c).begin());
    // The middle is in one of the parts, most likely in the second, which is small.
    const std::size_t part = cut.middle < begin[1] ? 0 : cut.middle < begin[2] ? 1 : 2;
    const auto its = items.subspan(begin[part], begin[part + 1] - begin[part]);
    std::ranges::nth_element(
        its, its.begin() + static_cast<std::ptrdiff_t>(cut.middle - begin[part]), {}, key);
}

/// Splits items until parts are small; adds these to `parts`.
void split_large(std::span<SortItem> items, std::vector<SortItem>& room, int threads,
                 std::vector<std::span<SortItem>>& parts) {
    constexpr std::size_t small = 64 * block_size;
    if (items.size() <= small) return parts.push_back(items);
    const Cut cut = cut_of(items, threads);
    split_by_threads(items, room, cut, threads);
    split_large(items.first(cut.middle), room, threads, parts);
    split_large(items.subspan(cut.middle), room, threads, parts);
}

}  // namespace

ItemBounds::ItemBounds(std::span<const SortItem> items)
    : lower(items.front().at), upper(items.front().at) {
    for (const SortItem& item : items) {
        for (std::size_t a = 0; a < 3; ++a) {
            lower[a] = std::min(lower[a], item.at[a]);
            upper[a] = std::max(upper[a], item.at[a]);
        }
    }
}

void ItemBounds::include(const ItemBounds& other) {
    for (std::size_t a = 0; a < 3; ++a) {
        lower[a] = std::min(lower[a], other.lower[a]);
        upper[a] = std::max(upper[a], other.upper[a]);
    }
}

std::size_t ItemBounds::widest() const {
    std::size_t widest = 0;
    for (const std::size_t a : {std::size_t{1}, std::size_t{2}})
        if (width(a) > width(widest)) widest = a;
    return widest;
}

void split_into_blocks(std::span<SortItem> items, int threads) {
    if (threads <= 1) return split(items);
    std::vector<SortItem> room(items.size());
    std::vector<std::span<SortItem>> parts;
    split_large(items, room, threads, parts);
#pragma omp parallel for schedule(dynamic) num_threads(threads)
    for (std::size_t k = 0; k < parts.size(); ++k)
        split(parts[k]);
}

void sort_block(std::span<SortItem> items, double smallest_radius) {
    const ItemBounds bounds(items);
    const double longest = std::max(bounds.width(bounds.widest()), smallest_radius);
    const double scale = std::min(1.0 / smallest_radius, 2097151.0 / longest);
    std::vector<std::pair<std::uint64_t, SortItem>> keyed;
    keyed.reserve(items.size());
    for (const SortItem& item : items) {
        const auto part = [&](std::size_t a) {
            return spread(static_cast<std::uint64_t>((item.at[a] - bounds.lower[a]) * scale));
        };
        keyed.emplace_back(part(0) | part(1) << 1 | part(2) << 2, item);
    }
    std::ranges::sort(keyed, {}, [](const auto& k) { return std::pair(k.first, k.second.number); });
    for (std::size_t i = 0; i < items.size(); ++i)
        items[i] = keyed[i].second;
}

}  // namespace beadwave::packing
