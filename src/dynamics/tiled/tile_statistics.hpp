// What is stored per tile in addition to the state: for totals, checkpoints and warnings.
#pragma once

#include "beadwave/dynamics/engine.hpp"
#include "ranks/exact_sum.hpp"
#include "tile_activity.hpp"
#include "tiled_kernel.hpp"
#include "tiled_layout.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

namespace beadwave::dynamics {

class TileStatistics {
  public:
    explicit TileStatistics(const TileLayout& layout)
        : layout_(layout), entries_(layout.tiles()), stability_limits_(layout.tiles()) {}

    void add(std::size_t tile, const Scan& found) {
        Entry& entry = entries_[tile];
        entry.finite = found.finite;
        entry.sleep_loss_energy += found.sleep_loss_energy;
        entry.sleep_loss_momentum += found.sleep_loss_momentum;
    }
    void changed(std::size_t tile, std::size_t begin, std::size_t end) {
        Entry& entry = entries_[tile];
        entry.changed_begin = std::min(entry.changed_begin, begin);
        entry.changed_end = std::max(entry.changed_end, end);
    }
    void update_stability_limits(std::size_t tile, const StabilityLimits& seen) {
        stability_limits_[tile].keep_larger(seen);
    }
    void clear_stability_limits() { std::ranges::fill(stability_limits_, StabilityLimits{}); }

    bool all_finite() const {
        return std::ranges::all_of(entries_, [](const Entry& entry) { return entry.finite; });
    }

    /// Calls function(begin, end) with the changed beads of each tile, and clears these ranges.
    template <class Function>
    void take_changes(const Function& function) {
        for (Entry& entry : entries_) {
            if (entry.changed_begin < entry.changed_end)
                function(entry.changed_begin, entry.changed_end);
            entry.changed_begin = nowhere;
            entry.changed_end = 0;
        }
    }

    /// Adds the sleep loss of all ranks to the totals.
    void add_sleep_loss(Totals& totals, ranks::Communicator* ranks) const;

    /// The largest of all ranks.
    StabilityLimits stability_limits(ranks::Communicator* ranks) const;

    /// State that does not follow from the beads: which of them move and are not put to sleep, the
    /// sleep loss, and the number of planned beads. `first`: number of the bead at index 0.
    void add_columns(std::vector<StateColumn>& columns, const TileActivity& activity,
                     std::size_t first, double planned);
    /// Restores the state from these columns; returns the number of planned beads.
    double restore(TileActivity& activity, std::size_t first);

  private:
    static constexpr std::size_t nowhere = std::numeric_limits<std::size_t>::max();

    struct Entry {
        std::size_t changed_begin = nowhere, changed_end = 0;       ///< since the last totals()
        double sleep_loss_energy = 0.0, sleep_loss_momentum = 0.0;  ///< by putting beads to sleep
        bool finite = true;
    };

    const TileLayout& layout_;
    std::vector<Entry> entries_;
    std::vector<StabilityLimits> stability_limits_;
    // Columns of the state, two numbers per tile, and the number of planned beads.
    std::vector<double> moving_, lost_;
    double planned_ = 0.0;
};

}  // namespace beadwave::dynamics
