#include "rank_balance.hpp"

#include <cmath>

namespace beadwave::packing {
namespace {

constexpr double cost_of_one = 65536.0;  // at a rate of 1

}  // namespace

void RankBalance::end_list(const BlockShare& share, std::vector<std::int64_t> weight) {
    ranks::Communicator& ranks = share.ranks();
    std::vector<double> seconds(weight.size());
    const std::span<double> own =
        std::span(seconds).subspan(share.first_block(), share.own_blocks());
    for (std::size_t k = 0; k < own.size(); ++k)
        own[k] = seconds_[k] / threads_;
    if (hooks_.times) hooks_.times(share, own);
    ranks.share(seconds, share.block_borders(1));
    weight.push_back(steps_);
    ranks.sum(weight);
    const double steps = static_cast<double>(weight.back()) / ranks.count();
    weight.pop_back();
    rates_.resize(weight.size(), 1.0);
    rates_ =
        renewed_rates(std::move(rates_),
                      {.seconds = std::move(seconds), .weight = std::move(weight), .steps = steps});
}

std::int64_t RankBalance::cost(std::size_t block) const {
    return std::llround(cost_of_one * rates_[block]);
}

Cuts RankBalance::next_cuts(const BlockWork& work, const BlockShare& share) {
    // The particles take their rates into the blocks of the next list.
    for (std::size_t b = 0; b < rates_.size(); ++b) {
        rates_[b] = work.weight[b] == 0 ? 1.0
                                        : static_cast<double>(work.cost[b]) /
                                              (cost_of_one * static_cast<double>(work.weight[b]));
    }
    Cuts cuts = cuts_that_pay(work, share.block_borders(1));
    if (hooks_.cuts) hooks_.cuts(cuts);
    return cuts;
}

}  // namespace beadwave::packing
