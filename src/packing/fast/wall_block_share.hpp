// The forces on walls, which one process adds block by block, on ranks that share a packing.
#pragma once

#include "packing/packing.hpp"
#include "ranks/communicator.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace beadwave::packing {

class WallBlockShare {
  public:
    /// The blocks of this rank that have pairs with walls, ascending. Collective.
    void set(ranks::Communicator& ranks, std::span<const std::uint32_t> own);

    /// Gets the forces on walls of all blocks from the ranks that have them, `walls` numbers per
    /// block, and the torques unless they are empty. Collective.
    void share(ranks::Communicator& ranks, std::size_t walls, std::span<Vec3> force,
               std::span<double> torque) const;

  private:
    std::vector<std::uint32_t> blocks_;  // of all ranks
    std::vector<std::size_t> begin_;     // of each rank
};

}  // namespace beadwave::packing
