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

struct Bounds {
    std::array<double, 3> lower, upper;

    explicit Bounds(std::span<const SortItem> items)
        : lower(items.front().at), upper(items.front().at) {
        for (const SortItem& item : items) {
            for (std::size_t a = 0; a < 3; ++a) {
                lower[a] = std::min(lower[a], item.at[a]);
                upper[a] = std::max(upper[a], item.at[a]);
            }
        }
    }
    double width(std::size_t a) const { return upper[a] - lower[a]; }
    std::size_t widest() const {
        std::size_t widest = 0;
        for (const std::size_t a : {std::size_t{1}, std::size_t{2}})
            if (width(a) > width(widest)) widest = a;
        return widest;
    }
};

}  // namespace

void split_into_blocks(std::span<SortItem> items) {
    const std::size_t blocks = (items.size() + block_size - 1) / block_size;
    if (blocks <= 1) return;
    const std::size_t axis = Bounds(items).widest(), middle = blocks / 2 * block_size;
    std::ranges::nth_element(items, items.begin() + static_cast<std::ptrdiff_t>(middle), {},
                             [axis](const SortItem& s) { return std::pair(s.at[axis], s.number); });
    split_into_blocks(items.first(middle));
    split_into_blocks(items.subspan(middle));
}

void sort_block(std::span<SortItem> items, double smallest_radius) {
    const Bounds bounds(items);
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
