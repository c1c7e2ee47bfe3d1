// The order of the particles in the fast engine: compact blocks, along a curve within each.

#include "fast_packing_engine.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
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

/// Orders the items so that each block is compact: splits them in two along their widest axis, with
/// whole blocks on the first side, and so on recursively. Compared with a space-filling curve fewer
/// blocks touch, so more of them can sleep, and fewer pairs belong to two blocks.
void split(std::span<SortItem> items) {
    const std::size_t blocks = (items.size() + block_size - 1) / block_size;
    if (blocks <= 1) return;
    const std::size_t axis = Bounds(items).widest(), middle = blocks / 2 * block_size;
    std::ranges::nth_element(items, items.begin() + static_cast<std::ptrdiff_t>(middle), {},
                             [axis](const SortItem& s) { return std::pair(s.at[axis], s.id); });
    split(items.first(middle));
    split(items.subspan(middle));
}

/// Sorts the particles of a block along a Morton curve.
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
    std::ranges::sort(keyed, {}, [](const auto& k) { return std::pair(k.first, k.second.id); });
    for (std::size_t i = 0; i < items.size(); ++i)
        items[i] = keyed[i].second;
}

}  // namespace

/// Sorts particles into compact blocks, and within each block along a Morton curve.
void FastPackingEngine::sort_slots() {
    std::vector<SortItem> items = all_items();
    std::span<SortItem> present(items);
    if (population_.changes()) {
        // Behind the others, so that their blocks sleep.
        const auto absent = std::ranges::stable_partition(
            items, [&](const SortItem& item) { return !population_.is_absent(item.id); });
        present = present.first(items.size() - absent.size());
    }
    split(present);
#pragma omp parallel for num_threads(threads_) if (threads_ > 1)
    for (std::size_t b = 0; b < blocks(); ++b) {
        const std::size_t begin = b * block_size, end = std::min(particles(), begin + block_size);
        sort_block(std::span(items).subspan(begin, end - begin), smallest_radius_);
    }
    for (std::size_t i = 0; i < items.size(); ++i)
        slot_[items[i].id] = static_cast<std::uint32_t>(i);
}

std::vector<SortItem> FastPackingEngine::all_items() const {
    std::vector<double> numbers(4 * particles());
    double* to = numbers.data() + 4 * share_.begin_slot();
    for (std::size_t i = share_.begin(); i < share_.end(); ++i) {
        put(to, triple(place(i) + 4));
        to[3] = static_cast<double>(id_[i]);
        to += 4;
    }
    if (share_.shared()) share_.ranks().share(numbers, share_.particle_borders(4));
    std::vector<SortItem> items;
    items.reserve(particles());
    const auto part = [](double x) { return std::isfinite(x) ? x : 0.0; };
    for (const double* from = numbers.data(); items.size() < particles(); from += 4)
        items.push_back({{part(from[0]), part(from[1]), part(from[2])},
                         static_cast<std::uint32_t>(from[3])});
    return items;
}

}  // namespace beadwave::packing
