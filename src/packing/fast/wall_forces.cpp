#include "wall_forces.hpp"

#include <algorithm>

namespace beadwave::packing {

void WallForces::set_blocks(ranks::Communicator& ranks, std::span<const std::uint32_t> own) {
    blocks_.clear();
    begin_ = {0};
    for (const auto& theirs : ranks.gather_numbers_to_all<std::uint32_t>(own)) {
        blocks_.insert(blocks_.end(), theirs.begin(), theirs.end());
        begin_.push_back(blocks_.size());
    }
}

void WallForces::begin_step(std::size_t own_blocks) {
    force_before = force;
    torque_before = torque;
    block_force_.assign(own_blocks * force.size(), Vec3{});
    if (turn_) block_torque_.assign(own_blocks * force.size(), 0.0);
}

void WallForces::end_step(const BlockShare& share) {
    if (share.shared()) share_blocks(share);
    std::ranges::fill(force, Vec3{});
    for (std::size_t k = 0; k < block_force_.size(); ++k)
        force[k % force.size()] += block_force_[k];
    std::ranges::fill(torque, 0.0);
    for (std::size_t k = 0; k < block_torque_.size(); ++k)
        torque[k % torque.size()] += block_torque_[k];
}

/// Makes the blocks' forces and torques of this rank those of all ranks.
void WallForces::share_blocks(const BlockShare& share) {
    const std::size_t walls = force.size(), width = walls * (turn_ ? 4 : 3);
    std::vector<double> all(width * blocks_.size());
    std::vector<std::size_t> begin = begin_;
    for (std::size_t& each : begin)
        each *= width;
    const auto rank = static_cast<std::size_t>(share.ranks().rank());
    double* to = all.data() + begin[rank];
    for (std::size_t k = begin_[rank]; k < begin_[rank + 1]; ++k) {
        const std::size_t own = blocks_[k] - share.first_block();
        for (std::size_t w = own * walls; w < (own + 1) * walls; ++w) {
            for (const double part : {block_force_[w].x, block_force_[w].y, block_force_[w].z})
                *to++ = part;
            if (turn_) *to++ = block_torque_[w];
        }
    }
    share.ranks().share(all, begin);
    block_force_.clear();
    block_torque_.clear();
    for (const double* from = all.data(); from != all.data() + all.size(); from += width / walls) {
        block_force_.push_back({from[0], from[1], from[2]});
        if (turn_) block_torque_.push_back(from[3]);
    }
}

}  // namespace beadwave::packing
