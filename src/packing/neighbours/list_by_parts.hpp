// The neighbour list of a packing at the start, part by part: for what needs each pair once, and
// not the whole list.
#pragma once

#include "packing/neighbours/neighbour_list.hpp"
#include "packing/packing.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace beadwave::packing {

struct ListPart {
    /// With the numbers that bodies have in the list of all.
    NeighbourList list;
    /// Ascending numbers of particles, each in one part only. All their pairs are in the list, and
    /// pairs of one of them and another.
    std::vector<std::uint32_t> own;

    bool has(std::uint32_t particle) const { return std::ranges::binary_search(own, particle); }
};

/// Calls visit(part) for slabs of the packing with about `most` particles each; of up to 16 slabs,
/// each thicker than pairs reach. `moved` [m]: of the walls.
void visit_neighbours(const Packing& packing, std::span<const Vec3> moved,
                      const std::function<void(const ListPart&)>& visit,
                      std::size_t most = std::size_t{1} << 16);

}  // namespace beadwave::packing
