#include "tile_notes.hpp"

#include "ranks/ranks.hpp"

#include <array>

namespace beadwave::dynamics {

void TileNotes::add_lost(Totals& totals, ranks::Ranks* ranks) const {
    std::array<ranks::ExactSum, 2> lost;
    for (const Note& note : notes_) {
        lost[0].add(note.lost_energy);
        lost[1].add(note.lost_momentum);
    }
    ranks::add_up(ranks, lost);
    totals.discarded += lost[0].value();
    totals.discarded_momentum += lost[1].value();
}

Rates TileNotes::rates(ranks::Ranks* ranks) const {
    Rates largest;
    for (const Rates& tile : rates_)
        largest.keep_larger(tile);
    if (ranks == nullptr) return largest;
    // In their order, so that of equal ones the first bead counts.
    Rates of_all;
    for (const auto& theirs : ranks->gather_numbers_to_all<Rates>({&largest, 1}))
        of_all.keep_larger(theirs.front());
    return of_all;
}

void TileNotes::add_columns(std::vector<StateColumn>& columns, const TileWatch& watch,
                            std::size_t first, double planned) {
    planned_ = planned;
    moving_.clear();
    lost_.clear();
    for (std::size_t t = 0; t < notes_.size(); ++t) {
        const auto [begin, end] = watch.moving(t);
        for (const std::size_t place : {begin, end})
            moving_.push_back(begin == end ? 0.0 : static_cast<double>(first + place));
        lost_.insert(lost_.end(), {notes_[t].lost_energy, notes_[t].lost_momentum});
    }
    const std::size_t here = 2 * layout_.first_tile, all = 2 * layout_.all_tiles;
    columns.push_back({"sleep_awake", moving_, here, all});
    columns.push_back({"sleep_lost", lost_, here, all});
    columns.push_back({"sleep_planned", {&planned_, 1}});
}

double TileNotes::restore(TileWatch& watch, std::size_t first) {
    for (std::size_t t = 0; t < notes_.size(); ++t) {
        const auto begin = static_cast<std::size_t>(moving_[2 * t]);
        const auto end = static_cast<std::size_t>(moving_[2 * t + 1]);
        const std::size_t offset = begin == end ? 0 : first;
        watch.saw(t, begin - offset, end - offset);
        notes_[t].lost_energy = lost_[2 * t];
        notes_[t].lost_momentum = lost_[2 * t + 1];
    }
    return planned_;
}

}  // namespace beadwave::dynamics
