// How tests cut the blocks of a packing among ranks, so that no result waits for a clock.
#pragma once

#include "packing/fast/rank_balance.hpp"
#include "splitmix.hpp"

#include <cstddef>
#include <cstdint>

namespace beadwave::validation {

/// With each list another cut, drawn at random: each rank has a block or more. All ranks must give
/// the same seed.
inline packing::BalanceHooks random_cuts(std::uint64_t seed) {
    return {.times = {}, .cuts = [drawn = seed](packing::Cuts& cuts) mutable {
                const std::size_t ranks = cuts.size() - 1, blocks = cuts.back();
                std::size_t r = 1;
                for (std::size_t b = 1; r < ranks; ++b) {
                    drawn = mixed(drawn);
                    if (drawn % (blocks - b) < ranks - r) cuts[r++] = b;
                }
            }};
}

/// All blocks take the same time, as far as any rank knows.
inline packing::BalanceHooks equal_times() {
    return {.times = [](const packing::BlockShare&,
                        std::span<double> seconds) { std::ranges::fill(seconds, 1.0); },
            .cuts = {}};
}

}  // namespace beadwave::validation
