// The pairs of the neighbour list before a new one, by the numbers of their particles.
#pragma once

#include "number_index.hpp"
#include "packing/contacts/pair_laws.hpp"
#include "packing/neighbours/pair_matching.hpp"

#include <algorithm>
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
    std::uint32_t kind;   ///< of PairLaws; of a pair that came from another rank: unknown
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

/// What a pair of a new list was before.
struct PairBefore {
    const OldPair* pair = nullptr;  ///< null: it is new
    double sign = 1.0;              ///< -1: it had its bodies in the other order
};

/// The pairs that a new list may go on with.
struct PairsBefore {
    OldPairs old;
    std::vector<OldPair> came;  ///< from other ranks, sorted by their first particles

    PairBefore find(const OrientedKey& key) const {
        PairBefore before;
        const auto look = [&](const OldPair& was) {
            if (was.pair.key == key.key) before = {&was, was.pair.flip != key.flip ? -1.0 : 1.0};
        };
        std::ranges::for_each(old.row(key.key.first), look);
        const auto first_of = [](const OldPair& pair) { return pair.pair.key.first; };
        for (auto pair = std::ranges::lower_bound(came, key.key.first, {}, first_of);
             pair != came.end() && first_of(*pair) == key.key.first; ++pair)
            look(*pair);
        return before;
    }
};

/// The pairs of a new list, and which of them its entries are.
struct ListedPairs {
    std::vector<PairBefore> before;
    std::vector<std::uint32_t> of_entry;  ///< no_pair: padding

    /// The entry that an entry was in the list before; no_pair: the pair is new or came.
    std::uint32_t entry_before(std::size_t entry) const {
        if (of_entry[entry] == no_pair || before.empty()) return no_pair;
        const OldPair* const pair = before[of_entry[entry]].pair;
        return pair != nullptr && pair->kind != PairLaws::unknown ? pair->entry : no_pair;
    }
};

}  // namespace beadwave::packing
