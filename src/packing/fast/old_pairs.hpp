// The pairs of the neighbour list before a new one, by the numbers of their particles.
#pragma once

#include "packing/neighbours/pair_matching.hpp"

#include <cstdint>
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

}  // namespace beadwave::packing
