// Which blocks sleep, so that steps skip them.
#pragma once

#include "block_share.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace beadwave::packing {

/// Whether steps skip sleeping blocks. Results are bitwise the same either way.
enum class Sleep { no, yes };

/// A block falls asleep after three steps in which nothing moved in it and in all adjacent blocks.
/// Both buffers and all memory then hold what the step would write.
class BlockSleep {
  public:
    explicit BlockSleep(Sleep sleep) : sleeps_(sleep == Sleep::yes) {}

    /// All blocks are awake, and none is adjacent to another.
    void reset(std::size_t blocks) {
        adjacent_.assign(blocks, {});
        stays_awake_.assign(blocks, false);
        quiet_steps_.assign(blocks, 0);
    }
    void add_adjacent(std::uint32_t a, std::uint32_t b) {
        if (!adjacent_[a].empty() && adjacent_[a].back() == b) return;
        adjacent_[a].push_back(b);
        adjacent_[b].push_back(a);
    }
    void end_adjacent() { std::ranges::for_each(adjacent_, sort_out); }
    /// The blocks that have pairs with a block.
    std::span<const std::uint32_t> adjacent(std::size_t block) const { return adjacent_[block]; }
    void keep_awake(std::size_t block) { stays_awake_[block] = true; }
    void wake(std::size_t block) { quiet_steps_[block] = 0; }

    void begin_step() { quiet_steps_before_ = quiet_steps_; }
    bool is_asleep(std::size_t block) const { return sleeps_ && rests(block, quiet_steps_before_); }
    /// After its step: whether nothing moved in it.
    void end_step(std::size_t block, bool quiet) {
        quiet_steps_[block] = quiet && !stays_awake_[block]
                                  ? std::min(quiet_steps_before_[block] + 1, steps_before_sleep)
                                  : 0;
    }
    bool will_sleep(std::size_t block) const { return sleeps_ && rests(block, quiet_steps_); }

    /// The quiet steps of each block.
    HaloPart halo() { return part_of_blocks(quiet_steps_); }

  private:
    static constexpr int steps_before_sleep = 3;

    bool rests(std::size_t block, const std::vector<int>& quiet_steps) const {
        const auto is_quiet = [&](std::size_t b) { return quiet_steps[b] >= steps_before_sleep; };
        return is_quiet(block) && std::ranges::all_of(adjacent_[block], is_quiet);
    }

    bool sleeps_;
    std::vector<std::vector<std::uint32_t>> adjacent_;
    std::vector<int> quiet_steps_, quiet_steps_before_;
    std::vector<char> stays_awake_;
};

}  // namespace beadwave::packing
