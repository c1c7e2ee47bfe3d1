// Which beads move, tile by tile, and what of each tile must be visited next.
//
// Information travels at most one bead a step. So for a round of T steps a tile is visited in a
// window: its beads that moved at the last look, and those within T beads of any that did. The rest
// sleeps, and the result is the same to the bit.
#pragma once

#include "tiled_layout.hpp"

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace beadwave::dynamics {

/// Beads [begin, end) of one tile.
struct Window {
    std::size_t tile, begin, end;
};

class TileWatch {
  public:
    TileWatch(const TileLayout& layout, bool sleep);

    /// The beads [begin, end) of the tile move; all others of it rest.
    void saw(std::size_t tile, std::size_t begin, std::size_t end) { moving_[tile] = {begin, end}; }

    /// The same of the tile before the first one here, or behind the last, of another rank.
    void saw_before(std::size_t begin, std::size_t end) { before_ = {begin, end}; }
    void saw_behind(std::size_t begin, std::size_t end) { behind_ = {begin, end}; }

    /// What the beads of a tile were last seen to do: [begin, end) move.
    std::pair<std::size_t, std::size_t> moving(std::size_t tile) const {
        return {moving_[tile].begin, moving_[tile].end};
    }

    /// Windows of a round in which nothing gets farther than `reach` beads, by tile; those of the
    /// round before have been seen by now.
    std::span<const Window> plan(std::size_t reach);

    /// Beads in the last windows.
    std::size_t planned_beads() const { return planned_beads_; }

    /// Whether the chain is one tile in which beads from end to end moved at the last look.
    bool one_whole_tile() const;

    /// As before the first round: the next one asks every tile.
    void plan_all();

  private:
    struct Extent {
        std::size_t begin = 0, end = 0;
        bool empty() const { return begin == end; }
    };

    Window window(std::size_t tile, std::size_t reach) const;
    void ask(std::size_t tile, std::size_t reach);

    const TileLayout& layout_;
    bool sleep_;
    std::vector<Extent> moving_;  // per tile
    Extent before_, behind_;      // of other ranks' tiles
    std::vector<Window> windows_, fresh_;
    std::size_t planned_beads_ = 0;
};

}  // namespace beadwave::dynamics
