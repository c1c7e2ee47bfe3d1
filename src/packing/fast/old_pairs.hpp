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
    /// The row of each particle, by its number. Rows are in the order of the bodies, because pairs
    /// near each other are found one after another. Empty on ranks.
    std::vector<std::uint32_t> row_of_particle{};
    /// On ranks: of each row, ascending.
    std::vector<std::uint32_t> numbers{};
    NumberIndex row_of_number{};

    std::uint32_t row_number(std::uint32_t particle) const {
        return row_of_particle.empty() ? row_of_number.find(particle, numbers)
                                       : row_of_particle[particle];
    }
    std::span<const OldPair> row(std::uint32_t particle) const {
        const std::uint32_t k = row_number(particle);
        if (k == NumberIndex::none) return {};
        return std::span(all).subspan(row_begin[k], row_begin[k + 1] - row_begin[k]);
    }
};

/// What a pair of a new list was before.
struct PairBefore {
    double overlap = 0.0;           ///< [m]
    std::uint32_t entry = no_pair;  ///< of its contact memory; no_pair: the pair is new
    std::uint32_t kind = PairLaws::unknown;
    std::int32_t wall = -1;
    bool turned = false;  ///< it had its bodies in the other order

    bool is_new() const { return entry == no_pair; }
};

/// The pairs that a new list may go on with.
struct PairsBefore {
    OldPairs old;
    std::vector<OldPair> came;  ///< from other ranks, sorted by their first particles

    PairBefore find(const OrientedKey& key) const {
        PairBefore before;
        const auto look = [&](const OldPair& was) {
            if (was.pair.key == key.key)
                before = {was.overlap, was.entry, was.kind, key.key.wall,
                          was.pair.flip != key.flip};
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
        const PairBefore& pair = before[of_entry[entry]];
        return pair.kind != PairLaws::unknown ? pair.entry : no_pair;
    }
};

}  // namespace beadwave::packing
