#include "tile_statistics.hpp"

#include "ranks/communicator.hpp"

#include <array>

namespace beadwave::dynamics {

void TileStatistics::add_sleep_loss(Totals& totals, ranks::Communicator* ranks) const {
    std::array<ranks::ExactSum, 2> lost;
    for (const Entry& entry : entries_) {
        lost[0].add(entry.sleep_loss_energy);
        lost[1].add(entry.sleep_loss_momentum);
    }
    ranks::add_up(ranks, lost);
    totals.sleep_loss_energy += lost[0].value();
    totals.sleep_loss_momentum += lost[1].value();
}

StabilityLimits TileStatistics::stability_limits(ranks::Communicator* ranks) const {
    StabilityLimits largest;
    for (const StabilityLimits& tile : stability_limits_)
        largest.keep_larger(tile);
    if (ranks == nullptr) return largest;
    // In the order of ranks: of equal limits, that of the first bead is kept.
    StabilityLimits of_all;
    for (const auto& theirs : ranks->gather_numbers_to_all<StabilityLimits>({&largest, 1}))
        of_all.keep_larger(theirs.front());
    return of_all;
}

void TileStatistics::add_columns(std::vector<StateColumn>& columns, const TileActivity& activity,
                                 std::size_t first, double planned) {
    planned_ = planned;
    moving_.clear();
    lost_.clear();
    for (std::size_t t = 0; t < entries_.size(); ++t) {
        const auto [begin, end] = activity.moving(t);
        for (const std::size_t place : {begin, end})
            moving_.push_back(begin == end ? 0.0 : static_cast<double>(first + place));
        lost_.insert(lost_.end(), {entries_[t].sleep_loss_energy, entries_[t].sleep_loss_momentum});
    }
    const std::size_t here = 2 * layout_.first_tile, all = 2 * layout_.all_tiles;
    columns.push_back({"sleep_moving", moving_, here, all});
    columns.push_back({"sleep_loss", lost_, here, all});
    columns.push_back({"sleep_planned", {&planned_, 1}});
}

double TileStatistics::restore(TileActivity& activity, std::size_t first) {
    for (std::size_t t = 0; t < entries_.size(); ++t) {
        const auto begin = static_cast<std::size_t>(moving_[2 * t]);
        const auto end = static_cast<std::size_t>(moving_[2 * t + 1]);
        const std::size_t offset = begin == end ? 0 : first;
        activity.mark_active(t, begin - offset, end - offset);
        entries_[t].sleep_loss_energy = lost_[2 * t];
        entries_[t].sleep_loss_momentum = lost_[2 * t + 1];
    }
    return planned_;
}

}  // namespace beadwave::dynamics
