// The forces of the particles on the walls: the blocks' parts, added in the order of the blocks,
// also those of other ranks.
#pragma once

#include "block_share.hpp"
#include "packing/packing.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace beadwave::packing {

class WallForces {
  public:
    /// `turn`: some of the walls do.
    WallForces(std::size_t walls, bool turn) : force(walls), torque(walls), turn_(turn) {}

    /// The blocks of this rank that have pairs with walls, ascending. Collective.
    void set_blocks(ranks::Communicator& ranks, std::span<const std::uint32_t> own);

    void begin_step(std::size_t own_blocks);
    /// Force and, if walls turn, torque of an own block on each wall; 0 until they are set.
    Vec3* force_of_block(std::size_t own) { return block_force_.data() + own * force.size(); }
    double* torque_of_block(std::size_t own) { return block_torque_.data() + own * force.size(); }
    /// With ranks collective.
    void end_step(const BlockShare& share);

    std::vector<Vec3> force, force_before;      ///< at the end of this step and of that before [N]
    std::vector<double> torque, torque_before;  ///< about the directions of the walls [N m]

  private:
    void share_blocks(const BlockShare& share);

    bool turn_;
    std::vector<Vec3> block_force_;
    std::vector<double> block_torque_;
    std::vector<std::uint32_t> blocks_;  // of all ranks
    std::vector<std::size_t> begin_;     // of each rank
};

}  // namespace beadwave::packing
