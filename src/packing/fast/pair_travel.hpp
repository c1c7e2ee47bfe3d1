// Pairs of the list before a new one, on their way to the ranks that have their particles from then
// on.
#pragma once

#include "old_pairs.hpp"
#include "ranks/communicator.hpp"
#include "simd/column.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace beadwave::packing {

/// The pairs of the list before, by their numbers p.
struct PairsBefore {
    std::span<const std::uint32_t> entries;  ///< of each: its place in the columns
    std::function<OldPair(std::size_t p)> pair;
    /// The ranks that have its particles; of a pair with a wall twice the same.
    std::function<std::array<std::size_t, 2>(std::size_t p)> owners;
};

/// Sends each pair, with its numbers in the columns, to the other ranks among its owners. Returns
/// the pairs that this rank owns, and leaves only their numbers in the columns, one after another.
/// Collective.
std::vector<OldPair> exchange_pairs(ranks::Communicator& ranks, const PairsBefore& before,
                                    std::span<simd::Column* const> columns);

}  // namespace beadwave::packing
