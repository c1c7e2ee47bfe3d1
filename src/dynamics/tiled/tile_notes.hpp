// What is remembered of each tile beside its state: for totals, checkpoints and doubts.
#pragma once

#include "beadwave/dynamics/engine.hpp"
#include "ranks/exact_sum.hpp"
#include "tile_watch.hpp"
#include "tiled_kernel.hpp"
#include "tiled_layout.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

namespace beadwave::dynamics {

class TileNotes {
  public:
    explicit TileNotes(const TileLayout& layout)
        : layout_(layout), notes_(layout.tiles()), rates_(layout.tiles()) {}

    void saw(std::size_t tile, const Look& seen) {
        Note& note = notes_[tile];
        note.finite = seen.finite;
        note.lost_energy += seen.discarded_energy;
        note.lost_momentum += seen.discarded_momentum;
    }
    void changed(std::size_t tile, std::size_t begin, std::size_t end) {
        Note& note = notes_[tile];
        note.changed_begin = std::min(note.changed_begin, begin);
        note.changed_end = std::max(note.changed_end, end);
    }
    void keep_rates(std::size_t tile, const Rates& seen) { rates_[tile].keep_larger(seen); }
    void forget_rates() { std::ranges::fill(rates_, Rates{}); }

    bool all_finite() const {
        return std::ranges::all_of(notes_, [](const Note& note) { return note.finite; });
    }

    /// Calls function(begin, end) with what has changed of each tile, and forgets it.
    template <class Function>
    void take_changes(const Function& function) {
        for (Note& note : notes_) {
            if (note.changed_begin < note.changed_end)
                function(note.changed_begin, note.changed_end);
            note.changed_begin = nowhere;
            note.changed_end = 0;
        }
    }

    /// Adds what a sleep speed has cost to the totals, all ranks' together.
    void add_lost(Totals& totals, ranks::Ranks* ranks) const;

    /// The largest of all ranks.
    Rates rates(ranks::Ranks* ranks) const;

    /// What cannot be seen by looking at the beads, which are counted from number `first` on: which
    /// of them a sleep speed has put to rest, what that cost, and how many were planned.
    void add_columns(std::vector<StateColumn>& columns, const TileWatch& watch, std::size_t first,
                     double planned);
    /// Takes up what was written into those columns; returns how many were planned.
    double restore(TileWatch& watch, std::size_t first);

  private:
    static constexpr std::size_t nowhere = std::numeric_limits<std::size_t>::max();

    struct Note {
        std::size_t changed_begin = nowhere, changed_end = 0;  ///< since the last totals
        double lost_energy = 0.0, lost_momentum = 0.0;         ///< to the sleep speed
        bool finite = true;
    };

    const TileLayout& layout_;
    std::vector<Note> notes_;
    std::vector<Rates> rates_;
    // Columns of the state, two numbers a tile, and the number planned.
    std::vector<double> moving_, lost_;
    double planned_ = 0.0;
};

}  // namespace beadwave::dynamics
