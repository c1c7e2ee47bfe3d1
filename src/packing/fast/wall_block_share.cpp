#include "wall_block_share.hpp"

namespace beadwave::packing {

void WallBlockShare::set(ranks::Communicator& ranks, std::span<const std::uint32_t> own) {
    blocks_.clear();
    begin_ = {0};
    for (const auto& theirs : ranks.gather_numbers_to_all<std::uint32_t>(own)) {
        blocks_.insert(blocks_.end(), theirs.begin(), theirs.end());
        begin_.push_back(blocks_.size());
    }
}

void WallBlockShare::share(const BlockShare& share, std::size_t walls, std::vector<Vec3>& force,
                           std::vector<double>& torque) const {
    const bool turns = !torque.empty();
    const std::size_t width = walls * (turns ? 4 : 3);
    std::vector<double> all(width * blocks_.size());
    std::vector<std::size_t> begin = begin_;
    for (std::size_t& each : begin)
        each *= width;
    const auto rank = static_cast<std::size_t>(share.ranks().rank());
    double* to = all.data() + begin[rank];
    for (std::size_t k = begin_[rank]; k < begin_[rank + 1]; ++k) {
        const std::size_t own = blocks_[k] - share.first_block();
        for (std::size_t w = own * walls; w < (own + 1) * walls; ++w) {
            for (const double part : {force[w].x, force[w].y, force[w].z})
                *to++ = part;
            if (turns) *to++ = torque[w];
        }
    }
    share.ranks().share(all, begin);
    force.clear();
    torque.clear();
    for (const double* from = all.data(); from != all.data() + all.size(); from += width / walls) {
        force.push_back({from[0], from[1], from[2]});
        if (turns) torque.push_back(from[3]);
    }
}

}  // namespace beadwave::packing
