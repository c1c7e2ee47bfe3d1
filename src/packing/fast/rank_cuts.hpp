// The cuts of split_into_blocks() through the particles of all ranks. What travels are the bounds
// of the parts and counts of particles, no places.
#pragma once

#include "block_order.hpp"
#include "ranks/communicator.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace beadwave::packing {

/// The slots [begin, end) of the order, and this rank's items among those that get them.
struct OrderPart {
    std::size_t begin, end;
    std::span<SortItem> own;

    std::size_t size() const { return end - begin; }
};

/// Cuts the items of all ranks, `all` in number, into parts of at most `most` items, or a block;
/// reorders those of this rank. Their numbers are distinct, whole, and below `numbers`. Parts are
/// ascending, the same on all ranks. Collective.
std::vector<OrderPart> cut_on_ranks(ranks::Communicator& ranks, std::span<SortItem> own,
                                    std::size_t all, std::size_t most, std::size_t numbers,
                                    int threads);

}  // namespace beadwave::packing
