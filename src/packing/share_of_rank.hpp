// Which of many things a rank goes through, where ranks share them.
#pragma once

#include "packing/engine_state.hpp"
#include "ranks/communicator.hpp"

#include <cstddef>

namespace beadwave::packing {

/// About as many on each rank, one rank after another; null: one rank, which has all.
inline NumberRange share_of_rank(std::size_t count, const ranks::Communicator* ranks) {
    if (ranks == nullptr) return {0, count};
    return numbers_of_rank(count, ranks->rank(), ranks->count());
}

/// The rank of so many that has this one of `count` things.
inline std::size_t rank_with(std::size_t number, std::size_t count, int ranks) {
    std::size_t rank = number * static_cast<std::size_t>(ranks) / count;
    while (number >= numbers_of_rank(count, static_cast<int>(rank), ranks).end)
        ++rank;
    return rank;
}

}  // namespace beadwave::packing
