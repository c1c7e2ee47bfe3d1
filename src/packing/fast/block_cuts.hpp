// How the blocks of a packing are divided among ranks: so that each rank takes about as long for
// its own as the others.
//
// The weight of a block is the number of its particles and of their pairs. Its rate is the time
// that it took per step and weight, over that of all blocks together: 1 where all are alike, more
// on a slow machine or with many walls, little where particles sleep. So the cost of a block, its
// weight times its rate, is what it would take on the rank that had its particles.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace beadwave::packing {

/// The first block of each rank, and at the end the number of all blocks.
using Cuts = std::vector<std::size_t>;

/// A cut must make the largest cost of a rank smaller by this part of it.
inline constexpr double least_gain_of_cuts = 0.05;
/// No rank gets more than so many times the mean weight of a rank, or one block: memory follows the
/// weight.
inline constexpr std::int64_t most_weight = 2;
/// After so many steps a measured rate counts as much as what was known before.
inline constexpr double steps_to_trust = 64.0;
/// A measured rate counts as at most so many times that of before, or of all blocks: a process that
/// was stopped for a moment was stopped in one block.
inline constexpr double largest_growth = 4.0;
/// Blocks that sleep count as a little.
inline constexpr double least_rate = 1.0 / 64.0;

/// What blocks took while a list was in use.
struct MeasuredBlocks {
    std::vector<double> seconds;  ///< of a rank that steps one block after another
    std::vector<std::int64_t> weight;
    double steps;
};
/// The rates after this list; `before` it: those of its blocks.
std::vector<double> renewed_rates(std::vector<double> before, const MeasuredBlocks& measured);

/// The blocks of the next list.
struct BlockWork {
    std::vector<std::int64_t> weight, cost;
};
/// The largest sum of these numbers of blocks that a rank has.
std::int64_t largest_part(std::span<const std::int64_t> of_blocks, const Cuts& cuts);
/// The cuts with the smallest largest_part() of the costs, if no rank has too large a weight. Each
/// rank has a block or more; there are as many blocks.
Cuts even_cuts(const BlockWork& work, std::size_t ranks);
/// The present cuts, unless others gain enough.
Cuts cuts_that_pay(const BlockWork& work, const Cuts& present);

}  // namespace beadwave::packing
