// The pairs of the neighbour list before a new one, by the numbers of their particles.
#pragma once

#include "packing/contacts/pair_laws.hpp"
#include "packing/neighbours/pair_matching.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <numeric>
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
    // Without branches: there is no order in which of the numbers is lower.
    const bool flip = static_cast<bool>((key.wall < 0) & (key.first >= key.second));
    const std::uint32_t mask = 0U - unsigned{flip}, change = (key.first ^ key.second) & mask;
    key.first ^= change;
    key.second ^= change;
    const std::int32_t sign = 1 - 2 * std::int32_t{flip};
    for (std::int32_t& periods : key.image)
        periods *= sign;
    return {key, flip};
}

/// Pairs with the same first particle and different marks are different.
inline std::uint32_t mark_of(const PairKey& key) {
    return key.wall >= 0 ? ~static_cast<std::uint32_t>(key.wall) : key.second;
}

/// A pair of the list before, and what the new list takes from it.
struct OldPair {
    OrientedKey pair;
    std::uint32_t entry;  ///< of its contact memory
    std::uint32_t kind;   ///< of PairLaws; of a pair that came from another rank: unknown
    double overlap;       ///< [m]
};

/// Old pairs in rows, one for each body.
class RowsOfPairs {
  public:
    /// row_of(pair) is below `rows`; no_pair: the pair is in no row.
    template <class RowOf>
    RowsOfPairs(std::span<const OldPair> pairs, std::size_t rows, const RowOf& row_of, int threads)
        : begin_(rows + 1, 0) {
        std::vector<std::uint32_t> row(pairs.size());
#pragma omp parallel for num_threads(threads) if (threads > 1)
        for (std::size_t k = 0; k < pairs.size(); ++k)
            row[k] = row_of(pairs[k]);
        for (const std::uint32_t its : row) {
            if (its != no_pair) ++begin_[its + 1];
        }
        std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
        numbers_.resize(begin_.back());
        marks_.resize(begin_.back() + together);
        std::vector<std::uint32_t> at(begin_.begin(), begin_.end() - 1);
        for (std::size_t k = 0; k < pairs.size(); ++k) {
            if (row[k] == no_pair) continue;
            const std::uint32_t to = at[row[k]]++;
            numbers_[to] = static_cast<std::uint32_t>(k);
            marks_[to] = mark_of(pairs[k].pair.key);
        }
    }

    /// The number of the first pair in a row with this mark for which is_it(number); no_pair: there
    /// is none.
    template <class IsIt>
    std::uint32_t find(std::size_t row, std::uint32_t mark, const IsIt& is_it) const {
        const std::uint32_t end = begin_[row + 1];
        for (std::uint32_t from = begin_[row]; from < end; from += together) {
            // Without branches: there is no order in where a pair is.
            unsigned same = 0;
            for (unsigned k = 0; k < together; ++k)
                same |= unsigned{marks_[from + k] == mark} << k;
            if (end - from < together) same &= (1U << (end - from)) - 1U;
            for (; same != 0; same &= same - 1) {
                const std::uint32_t number =
                    numbers_[from + static_cast<std::uint32_t>(std::countr_zero(same))];
                if (is_it(number)) return number;
            }
        }
        return no_pair;
    }

  private:
    static constexpr std::uint32_t together = 8;

    std::vector<std::uint32_t> begin_, numbers_;
    std::vector<std::uint32_t> marks_;  // of these pairs; behind them are some that are not used
};

/// Where each entry of a new list was in the memory before.
struct EntriesBefore {
    std::vector<std::uint32_t> from;  ///< no_pair: nowhere
    std::vector<char> turned;         ///< with its bodies in the other order
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

/// The pairs of a new list, and which of them its entries are.
struct ListedPairs {
    std::vector<PairBefore> before;       ///< empty: all are new
    std::vector<std::uint32_t> of_entry;  ///< no_pair: padding
    bool travelled = false;  ///< between ranks: entries of the memory are not those of the old list

    const PairBefore* before_of(std::size_t entry) const {
        if (before.empty() || of_entry[entry] == no_pair) return nullptr;
        const PairBefore& pair = before[of_entry[entry]];
        return pair.is_new() ? nullptr : &pair;
    }
    /// The entry that an entry was in the list before; no_pair: it is not known.
    std::uint32_t entry_before(std::size_t entry) const {
        const PairBefore* const pair = travelled ? nullptr : before_of(entry);
        return pair != nullptr ? pair->entry : no_pair;
    }
};

}  // namespace beadwave::packing
