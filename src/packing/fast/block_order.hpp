// The order of the particles: compact blocks, along a curve within each.
#pragma once

#include "block_share.hpp"

#include <array>
#include <cstdint>
#include <span>

namespace beadwave::packing {

/// Position of a particle [m], to sort by; components that are not finite count as 0.
struct SortItem {
    std::array<double, 3> at;
    double number;  ///< of the particle
};

/// Orders the items so that each block is compact: splits them in two along their widest axis, with
/// whole blocks on the first side, and so on recursively. Compared with a space-filling curve fewer
/// blocks touch, so more of them can sleep, and fewer pairs belong to two blocks.
void split_into_blocks(std::span<SortItem> items, int threads = 1);

/// Sorts the particles of a block along a Morton curve.
void sort_block(std::span<SortItem> items, double smallest_radius);

}  // namespace beadwave::packing
