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

namespace beadwave::ranks {
class Communicator;
}

namespace beadwave::packing {

struct ListPart {
    /// With the numbers that bodies have in the list of all.
    NeighbourList list;
    /// Ascending numbers of particles, each in one part only. All their pairs are in the list, and
    /// pairs of one of them and another.
    std::vector<std::uint32_t> own;

    bool has(std::uint32_t particle) const { return std::ranges::binary_search(own, particle); }
};

class ListParts {
  public:
    /// The parts are slabs of the packing with about `most` particles each, thicker than pairs
    /// reach: their surfaces are closer than `skin` [m]. Ranks share the slabs, which are those of
    /// one process, in the order of the ranks, and the search for what is in them; null: one
    /// process. The packing must outlive the parts. Collective.
    ListParts(const Packing& packing, double skin, ranks::Communicator* ranks = nullptr,
              std::size_t most = std::size_t{1} << 16);

    /// Calls visit(part) for the slabs of this rank, one after another. `moved` [m]: of the walls.
    void visit(std::span<const Vec3> moved,
               const std::function<void(const ListPart&)>& visit) const;

  private:
    /// Slabs of equal width across an axis.
    struct Slabs {
        std::size_t axis = 0, count = 1;
        double lower = 0.0, width = 1.0;  ///< of all slabs together [m]
        bool repeat = false;              ///< behind the last one comes the first

        /// The place in the slabs [in their widths], from 0 up to `count`.
        double place(const Vec3& position) const;
        std::size_t of(double place) const {
            return std::min(static_cast<std::size_t>(place), count - 1);
        }
        /// How far a place is outside of a slab [in widths].
        double outside(double place, std::size_t slab) const;
    };
    /// One slab if the packing is small.
    static Slabs slabs_of(const Packing& packing, double reach, std::size_t most,
                          ranks::Communicator* ranks);

    const Packing& packing_;
    double skin_;
    Slabs slabs_;
    std::size_t first_slab_ = 0;  ///< of this rank
    /// Of each slab of this rank the numbers of its particles and of those near it, ascending.
    std::vector<std::vector<std::uint32_t>> members_;
};

}  // namespace beadwave::packing
