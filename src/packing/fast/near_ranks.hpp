// Which particles of this process may be neighbours of particles of other ranks.
#pragma once

#include "block_share.hpp"
#include "packing/edges.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace beadwave::packing {

/// The particles of this process, in the order of their slots.
struct NearSearch {
    std::span<const Vec3> position;  ///< [m]
    std::span<const double> radius;  ///< [m]
    std::span<const char> absent;    ///< these have no neighbours; empty: none
    Box box;
    Edges edges;  ///< of the box now
    double skin;  ///< [m]
};

/// For each rank: the numbers of the own particles, or of images of them, that are so close to a
/// box around one of its blocks that they may be in its neighbour list, ascending. More are found
/// than the list will have, and none is missed. Collective.
std::vector<std::vector<std::uint32_t>> near_other_ranks(const NearSearch& search,
                                                         const BlockShare& share);

}  // namespace beadwave::packing
