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

void WallBlockShare::share(ranks::Communicator& ranks, std::size_t walls, std::span<Vec3> force,
                           std::span<double> torque) const {
    const std::size_t width = walls * (torque.empty() ? 3 : 4);
    std::vector<double> all(width * blocks_.size());
    std::vector<std::size_t> begin = begin_;
    for (std::size_t& each : begin)
        each *= width;
    const auto each_number = [&](std::size_t from, std::size_t to, auto visit) {
        double* number = all.data() + width * from;
        for (std::size_t k = from; k < to; ++k) {
            for (std::size_t w = blocks_[k] * walls; w < (blocks_[k] + 1) * walls; ++w) {
                for (double* const part : {&force[w].x, &force[w].y, &force[w].z})
                    visit(*number++, *part);
                if (!torque.empty()) visit(*number++, torque[w]);
            }
        }
    };
    const auto rank = static_cast<std::size_t>(ranks.rank());
    each_number(begin_[rank], begin_[rank + 1],
                [](double& travels, double here) { travels = here; });
    ranks.share(all, begin);
    each_number(0, blocks_.size(), [](double travels, double& here) { here = travels; });
}

}  // namespace beadwave::packing
