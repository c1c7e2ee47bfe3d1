// Keeps the ranks of a packing even: measures how long steps of blocks take, and cuts the blocks
// anew with each list if that pays (block_cuts.hpp). Which rank has a block changes no bit of any
// result, so that cuts may follow a clock.
#pragma once

#include "block_cuts.hpp"
#include "block_share.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

namespace beadwave::packing {

/// Tests say with these what blocks took, or how they are cut: they wait for no clock.
struct BalanceHooks {
    /// Changes what the blocks of this rank took [s].
    std::function<void(const BlockShare& share, std::span<double> seconds)> times;
    /// Changes the next cuts, in the same way on all ranks.
    std::function<void(Cuts& cuts)> cuts;
};

class RankBalance {
  public:
    using Clock = std::chrono::steady_clock;

    explicit RankBalance(int threads) : threads_(threads) {}
    void set(BalanceHooks hooks) { hooks_ = std::move(hooks); }

    /// A new list, with so many blocks of this rank.
    void begin_list(std::size_t own_blocks) {
        seconds_.assign(own_blocks, 0.0);
        steps_ = 0;
    }
    /// A step of an own block that began then has ended. Threads may call it for different blocks.
    void add(std::size_t own, Clock::time_point began) {
        seconds_[own] += std::chrono::duration<double>(Clock::now() - began).count();
    }
    void end_step() { ++steps_; }

    /// The list ends. `weight`: of all blocks in it, the part that this rank knows. Collective.
    void end_list(const BlockShare& share, std::vector<std::int64_t> weight);
    /// Of a unit of weight of a block of the list that has ended.
    std::int64_t cost(std::size_t block) const;
    /// The cuts of the next list, whose work is that of all ranks.
    Cuts next_cuts(const BlockWork& work, const BlockShare& share);

  private:
    int threads_;
    BalanceHooks hooks_;
    std::vector<double> seconds_;  // that steps of each own block took in this list
    std::int64_t steps_ = 0;
    std::vector<double> rates_;  // of all blocks; none: not known yet
};

}  // namespace beadwave::packing
