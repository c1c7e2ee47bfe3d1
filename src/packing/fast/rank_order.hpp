// The order of block_order.hpp, found by ranks together: none of them has or sorts the places of
// all particles.
#pragma once

#include "block_order.hpp"
#include "ranks/communicator.hpp"

#include <cstdint>
#include <vector>

namespace beadwave::packing {

/// Where a particle is in the order of all.
struct Placed {
    std::uint32_t number, slot;
};

/// The slots of this rank's particles, in any order: those that one process finds if it sorts the
/// present particles of all ranks with split_into_blocks(), puts the absent ones behind, by ranks
/// and as they are given, and then sorts each block with sort_block(). Numbers are distinct and
/// below `particles`, the number of all. Collective.
///
/// The largest parts are cut by all ranks together (rank_cuts.hpp). Then each rank sorts some of
/// the parts, and sends the slots back to the ranks that have the particles.
std::vector<Placed> order_on_ranks(ranks::Communicator& ranks, std::vector<SortItem> present,
                                   const std::vector<SortItem>& absent, std::size_t particles,
                                   double smallest_radius, int threads);

}  // namespace beadwave::packing
