// The forces on walls, which one process adds block by block, on ranks that share a packing.
#pragma once

#include "block_share.hpp"
#include "packing/packing.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace beadwave::packing {

class WallBlockShare {
  public:
    /// The blocks of this rank that have pairs with walls, ascending. Collective.
    void set(ranks::Communicator& ranks, std::span<const std::uint32_t> own);

    /// The forces on `walls` walls, and the torques unless they are empty, of each block of this
    /// rank. They become those of all blocks of all ranks that have pairs with walls. Collective.
    void share(const BlockShare& share, std::size_t walls, std::vector<Vec3>& force,
               std::vector<double>& torque) const;

  private:
    std::vector<std::uint32_t> blocks_;  // of all ranks
    std::vector<std::size_t> begin_;     // of each rank
};

}  // namespace beadwave::packing
