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

/// Position of a particle [m], to sort by; components that are not finite count as 0.
struct SortItem {
    std::array<double, 3> at;
    std::uint32_t id;
};

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

}  // namespace

/// Sorts particles into compact blocks, and within each block along a Morton curve.
void FastPackingEngine::sort_slots() {
    std::vector<SortItem> items(n_);
    double smallest = packing_.radius[0];
    for (std::size_t i = 0; i < n_; ++i) {
        const Vec3 p = triple(place(i) + 4);
        const auto part = [](double x) { return std::isfinite(x) ? x : 0.0; };
        items[i] = {{part(p.x), part(p.y), part(p.z)}, id_[i]};
        smallest = std::min(smallest, packing_.radius[i]);
    }
    std::span<SortItem> present(items);
    if (population_.changes()) {
        // Behind the others, so that their blocks sleep.
        const auto absent = std::ranges::stable_partition(
            items, [&](const SortItem& item) { return !population_.is_absent(item.id); });
        present = present.first(items.size() - absent.size());
    }
    split(present);
    std::vector<std::pair<std::uint64_t, std::uint32_t>> keys(n_);
#pragma omp parallel for num_threads(threads_) if (threads_ > 1)
    for (std::size_t b = 0; b < blocks(); ++b) {
        const std::size_t begin = b * block_size, end = block_end(b);
        const Bounds bounds{std::span<const SortItem>(items).subspan(begin, end - begin)};
        const double longest = std::max(bounds.width(bounds.widest()), smallest);
        const double scale = std::min(1.0 / smallest, 2097151.0 / longest);
        for (std::size_t i = begin; i < end; ++i) {
            const auto part = [&](std::size_t a) {
                return spread(
                    static_cast<std::uint64_t>((items[i].at[a] - bounds.lower[a]) * scale));
            };
            keys[i] = {part(0) | part(1) << 1 | part(2) << 2, items[i].id};
        }
        std::sort(keys.begin() + static_cast<std::ptrdiff_t>(begin),
                  keys.begin() + static_cast<std::ptrdiff_t>(end));
    }
    items = {};
    const std::vector<std::uint32_t> old_slot = slot_;
    const auto reorder = [&](Column& column) {
        Column sorted(line * n_);
        for (std::size_t i = 0; i < n_; ++i) {
            std::copy_n(column.data() + line * old_slot[keys[i].second], line,
                        sorted.data() + line * i);
        }
        column = std::move(sorted);
    };
    reorder(place_[now_]);
    for (Column& half : half_)
        reorder(half);
    if (predicted_needed_) reorder(predicted_[now_]);
    if (rolls_) {
        const std::vector<double> old_work = rolling_work_;
        for (std::size_t i = 0; i < n_; ++i)
            rolling_work_[i] = old_work[old_slot[keys[i].second]];
    }
    for (std::size_t i = 0; i < n_; ++i) {
        id_[i] = keys[i].second;
        slot_[id_[i]] = static_cast<std::uint32_t>(i);
    }
}

}  // namespace beadwave::packing
