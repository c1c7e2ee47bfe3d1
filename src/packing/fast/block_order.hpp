// The order of the particles: compact blocks, along a curve within each.
#pragma once

#include "block_share.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace beadwave::packing {

/// Position of a particle [m], to sort by; components that are not finite count as 0.
struct SortItem {
    std::array<double, 3> at;
    double number;  ///< of the particle
};

/// The box around items.
struct ItemBounds {
    std::array<double, 3> lower{}, upper{};

    ItemBounds() = default;
    /// There is one or more.
    explicit ItemBounds(std::span<const SortItem> items);
    void include(const ItemBounds& other);
    double width(std::size_t axis) const { return upper[axis] - lower[axis]; }
    std::size_t widest() const;  ///< the first of the widest axes
};

/// The number of items before the cut of a part with more than a block.
constexpr std::size_t middle_of(std::size_t items) {
    return (items + block_size - 1) / block_size / 2 * block_size;
}

/// Orders the items so that each block is compact: splits them in two along their widest axis, with
/// whole blocks on the first side, and so on recursively. Compared with a space-filling curve fewer
/// blocks touch, so more of them can sleep, and fewer pairs belong to two blocks.
void split_into_blocks(std::span<SortItem> items, int threads = 1);

/// Sorts the particles of a block along a Morton curve.
void sort_block(std::span<SortItem> items, double smallest_radius);

}  // namespace beadwave::packing
