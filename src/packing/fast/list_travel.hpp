// How far bodies have moved since the list of pairs was built, and when a new list is due.
#pragma once

#include "far_reach.hpp"
#include "list_walls.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace beadwave::packing {

class ListTravel {
  public:
    ListTravel(const Packing& packing, double time_step);

    /// Pairs are in the list up to this distance of their surfaces [m].
    double skin() const { return skin_; }
    /// The largest distance of two centres in the list [m].
    double reach() const { return reach_; }
    FarReach far;

    /// A new list for the particles of so many blocks.
    void reset_blocks(std::size_t own_blocks) { block_.assign(own_blocks, {}); }
    void begin_list() {
        all_ = {};
        farthest_ = FarReach::nowhere;
        ++lists_;
    }
    std::int64_t lists() const { return lists_; }

    // A step: what each own block finds, then include(), and end_step() if places move on.
    void begin_step(std::size_t own_blocks) {
        next_.assign(own_blocks, {});
        next_farthest_.assign(own_blocks, FarReach::nowhere);
    }
    /// The range of the displacements of a block's particles but the fast ones [m].
    Extent& of_block(std::size_t own) { return next_[own]; }
    /// FarReach::farthest() of a block [m].
    double& farthest_of_block(std::size_t own) { return next_farthest_[own]; }
    /// A block has not moved.
    void stay(std::size_t own) { next_[own] = block_[own]; }
    /// Takes the blocks' ranges together, also those of other ranks. Collective.
    void include(const BlockShare& share);
    void end_step() { block_.swap(next_); }
    /// The same as a device found it.
    void set(const Extent& all, double farthest) {
        all_ = all;
        farthest_ = farthest;
    }

    /// The largest difference of two displacements, also of walls [m], or more.
    double largest_difference(const ListWalls& walls) const;
    /// A new list came when bodies had moved by so much [m].
    void note_leap(double moved) { largest_leap_ = std::max(largest_leap_, moved - skin_); }
    double largest_leap() const { return largest_leap_; }

    /// The range of all displacements, for a saved state: its corners.
    std::array<double, 6> corners() const;
    void restore(std::int64_t lists, std::span<const double> corners);

  private:
    void share_with_ranks(ranks::Communicator& ranks);

    double skin_, reach_;
    std::int64_t lists_ = 0;
    std::vector<Extent> block_;  // of displacements since the list was built
    std::vector<Extent> next_;   // as it is found; kept, because steps allocate nothing
    Extent all_;
    std::vector<double> next_farthest_;
    double farthest_ = FarReach::nowhere;
    double largest_leap_ = 0.0;
};

}  // namespace beadwave::packing
