// The pairs of the neighbour list before a new one, by the numbers of their particles.
#pragma once

#include "number_index.hpp"
#include "packing/neighbours/pair_matching.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace beadwave::packing {

/// Identity of a pair by particle ids, the lower one first. `flip`: the pair holds them in the
/// other order.
struct OrientedKey {
    PairKey key;
    bool flip;
};

inline OrientedKey oriented_key(PairKey key, const std::vector<std::uint32_t>& id) {
    key.first = id[key.first];
    key.second = key.wall >= 0 ? 0 : id[key.second];
    if (key.wall >= 0 || key.first < key.second) return {key, false};
    std::swap(key.first, key.second);
    for (std::int32_t& periods : key.image)
        periods = -periods;
    return {key, true};
}

struct OldPair {
    OrientedKey pair;
    std::uint32_t entry;  ///< of its contact memory
    double overlap;       ///< [m]
};

/// The pairs of a list in rows, one for each lower number of a particle.
struct OldPairs {
    std::vector<OldPair> all;
    std::vector<std::uint32_t> row_begin;  ///< and the end of the last
    /// Of each row, ascending; empty: all particles have rows, by their numbers.
    std::vector<std::uint32_t> numbers{};
    NumberIndex row_of_number{};

    std::span<const OldPair> row(std::uint32_t number) const {
        std::size_t k = number;
        if (!numbers.empty()) {
            k = row_of_number.find(number, numbers);
            if (k == NumberIndex::none) return {};
        }
        return std::span(all).subspan(row_begin[k], row_begin[k + 1] - row_begin[k]);
    }
};

}  // namespace beadwave::packing
