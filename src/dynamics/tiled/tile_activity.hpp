// Which beads move, tile by tile, and which beads of each tile the next time block must advance.
//
// Information travels at most one bead per step. So a time block of T steps advances an active
// window of each tile: the beads that moved in the last scan, and all beads within T beads of
// these. The other beads sleep, and the result is the same to the bit.
#pragma once

#include "tiled_layout.hpp"

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace beadwave::dynamics {

/// Beads [begin, end) of one tile.
struct ActiveWindow {
    std::size_t tile, begin, end;
};

class TileActivity {
  public:
    TileActivity(const TileLayout& layout, bool sleep);

    /// The beads [begin, end) of the tile move; all its other beads are at rest.
    void mark_active(std::size_t tile, std::size_t begin, std::size_t end) {
        moving_[tile] = {begin, end};
    }

    /// The beads [begin, end) of another rank's tile move: of the tile before the first one, or
    /// behind the last one.
    void mark_active_before(std::size_t begin, std::size_t end) { before_ = {begin, end}; }
    void mark_active_behind(std::size_t begin, std::size_t end) { behind_ = {begin, end}; }

    /// The beads [begin, end) of the tile that moved in the last scan.
    std::pair<std::size_t, std::size_t> moving(std::size_t tile) const {
        return {moving_[tile].begin, moving_[tile].end};
    }

    /// Active windows, tile by tile, of a time block in which information travels at most `reach`
    /// beads. All windows of the time block before must have been scanned.
    std::span<const ActiveWindow> plan(std::size_t reach);

    /// Beads in the windows of the last plan().
    std::size_t planned_beads() const { return planned_beads_; }

    /// Whether the chain is one tile in which all beads moved in the last scan.
    bool one_whole_tile() const;

    /// Makes the next time block consider every tile, as before the first one.
    void plan_all();

  private:
    struct Extent {
        std::size_t begin = 0, end = 0;
        bool empty() const { return begin == end; }
    };

    ActiveWindow window(std::size_t tile, std::size_t reach) const;
    void add_window(std::size_t tile, std::size_t reach);

    const TileLayout& layout_;
    bool sleep_;
    std::vector<Extent> moving_;  // per tile
    Extent before_, behind_;      // of the tiles of other ranks
    std::vector<ActiveWindow> windows_, fresh_;
    std::size_t planned_beads_ = 0;
};

}  // namespace beadwave::dynamics
