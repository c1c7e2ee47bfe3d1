// Pairs of the list before a new one, on their way to the ranks that have their particles from then
// on.
#pragma once

#include "old_pairs.hpp"
#include "ranks/communicator.hpp"
#include "simd/column.hpp"

#include <array>
#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace beadwave::packing {

/// The ranks that have the particles of a pair; of a pair with a wall twice the same.
using OwnersOf = std::function<std::array<std::size_t, 2>(const OldPair& pair)>;

/// Sends each pair, with its numbers in the columns of `entries` numbers, to the other ranks among
/// its owners. Returns those that came, by their lower particle; their numbers are behind those of
/// the columns. Collective.
std::vector<OldPair> exchange_pairs(ranks::Communicator& ranks, const std::vector<OldPair>& old,
                                    std::span<simd::Column* const> columns, std::size_t entries,
                                    const OwnersOf& owners);

}  // namespace beadwave::packing
