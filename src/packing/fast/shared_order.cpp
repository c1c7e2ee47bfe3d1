#include "shared_order.hpp"

#include <algorithm>

namespace beadwave::packing {

SharedOrder::SharedOrder(ranks::Communicator& ranks, std::vector<std::vector<Stretch>> of_rank)
    : ranks_(&ranks), begin_{0} {
    for (const std::vector<Stretch>& each : of_rank) {
        for (const Stretch& stretch : each)
            count_ = std::max(count_, stretch.end);
    }
    for (std::size_t r = 0; r < of_rank.size(); ++r) {
        std::size_t at = begin_.back();
        for (const Stretch& stretch : of_rank[r]) {
            for (std::size_t from = stretch.begin; from < stretch.end;) {
                const std::size_t block = from / sum_block * sum_block,
                                  block_end = std::min(block + sum_block, count_),
                                  to = std::min(block_end, stretch.end);
                const bool whole = from == block && to == block_end;
                const std::size_t numbers = whole ? 1 : to - from;
                pieces_.push_back({from, at, numbers, to == block_end});
                if (static_cast<int>(r) == ranks.rank()) own_.push_back({to - from, whole});
                at += numbers;
                from = to;
            }
        }
        begin_.push_back(at);
    }
    std::ranges::sort(pieces_, {}, &Piece::first);
    stretches_ = std::move(of_rank[static_cast<std::size_t>(ranks.rank())]);
}

std::size_t SharedOrder::number(std::size_t own) const {
    for (const Stretch& stretch : stretches_) {
        const std::size_t length = stretch.end - stretch.begin;
        if (own < length) return stretch.begin + own;
        own -= length;
    }
    return count_;
}

}  // namespace beadwave::packing
