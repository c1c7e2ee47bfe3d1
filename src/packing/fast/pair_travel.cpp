#include "pair_travel.hpp"

#include "ranks/exchange_lists.hpp"

#include <algorithm>
#include <utility>

namespace beadwave::packing {
namespace {

/// The numbers of a pair as it travels.
constexpr std::size_t key_numbers = 9;

void put_key(double* to, const OldPair& old) {
    const PairKey& key = old.pair.key;
    for (const double number :
         {static_cast<double>(key.first), static_cast<double>(key.second),
          static_cast<double>(key.wall), static_cast<double>(key.image[0]),
          static_cast<double>(key.image[1]), static_cast<double>(key.image[2]),
          static_cast<double>(key.patch), old.pair.flip ? 1.0 : 0.0, old.overlap})
        *to++ = number;
}

OldPair pair_of(const double* from, std::size_t entry) {
    OldPair old{};
    PairKey& key = old.pair.key;
    key.first = static_cast<std::uint32_t>(from[0]);
    key.second = static_cast<std::uint32_t>(from[1]);
    key.wall = static_cast<std::int32_t>(from[2]);
    for (std::size_t k = 0; k < 3; ++k)
        key.image[k] = static_cast<std::int32_t>(from[3 + k]);
    key.patch = static_cast<std::uint32_t>(from[6]);
    old.pair.flip = from[7] != 0.0;
    old.overlap = from[8];
    old.entry = static_cast<std::uint32_t>(entry);
    old.kind = PairLaws::unknown;
    return old;
}

/// Which pairs travel.
class PairTravel {
  public:
    PairTravel(ranks::Communicator& ranks, const PairsBefore& before)
        : ranks_(ranks), leaving_(static_cast<std::size_t>(ranks.count())) {
        const auto own = static_cast<std::size_t>(ranks.rank());
        for (std::size_t p = 0; p < before.entries.size(); ++p) {
            const std::array<std::size_t, 2> owners = before.owners(p);
            for (std::size_t k = 0; k < (owners[0] == owners[1] ? 1U : 2U); ++k)
                (owners[k] == own ? staying_ : leaving_[owners[k]])
                    .push_back(static_cast<std::uint32_t>(p));
        }
        ranks::NumberLists counts;
        for (const std::vector<std::uint32_t>& to : leaving_)
            counts.push_back({static_cast<double>(to.size())});
        begin_.push_back(staying_.size());
        for (const std::vector<double>& count : ranks::exchange_lists(ranks, std::move(counts)))
            begin_.push_back(begin_.back() +
                             (count.empty() ? 0 : static_cast<std::size_t>(count[0])));
    }

    /// Those that stay, among the pairs before; from now on they come first.
    const std::vector<std::uint32_t>& staying() const { return staying_; }
    std::size_t pairs() const { return begin_.back(); }  ///< of this rank from now on

    /// put(p, numbers) writes `width` numbers of a leaving pair, and take(p, numbers) reads those
    /// of one that has come. A few pairs at a time: messages with all of them would need more
    /// memory than the pairs.
    template <class Put, class Take>
    void exchange(std::size_t width, const Put& put, const Take& take) const {
        const std::size_t count = leaving_.size(),
                          piece = std::max<std::size_t>(1024, (std::size_t{1} << 15) / count);
        const auto some = [&](std::size_t all, std::size_t from) {
            return from < all ? std::min(piece, all - from) : 0;
        };
        for (std::size_t from = 0; true; from += piece) {
            ranks::NumberLists out(count), in(count);
            bool any = false;
            for (std::size_t r = 0; r < count; ++r) {
                out[r].resize(width * some(leaving_[r].size(), from));
                for (std::size_t k = 0; k < out[r].size() / width; ++k)
                    put(leaving_[r][from + k], out[r].data() + width * k);
                in[r].resize(width * some(begin_[r + 1] - begin_[r], from));
                any = any || !out[r].empty() || !in[r].empty();
            }
            if (!any) return;
            ranks::exchange_known_lists(ranks_, std::move(out), in);
            for (std::size_t r = 0; r < count; ++r) {
                for (std::size_t k = 0; k < in[r].size() / width; ++k)
                    take(begin_[r] + from + k, in[r].data() + width * k);
            }
        }
    }

  private:
    ranks::Communicator& ranks_;
    std::vector<std::uint32_t> staying_;
    std::vector<std::vector<std::uint32_t>> leaving_;  // to each rank
    std::vector<std::size_t> begin_;                   // of those that come from each rank
};

}  // namespace

std::vector<OldPair> exchange_pairs(ranks::Communicator& ranks, const PairsBefore& before,
                                    std::span<simd::Column* const> columns) {
    const PairTravel travel(ranks, before);
    const std::size_t staying = travel.staying().size();
    std::vector<OldPair> pairs(travel.pairs());
    for (std::size_t k = 0; k < staying; ++k) {
        pairs[k] = before.pair(travel.staying()[k]);
        pairs[k].entry = static_cast<std::uint32_t>(k);
    }
    travel.exchange(
        key_numbers, [&](std::size_t p, double* to) { put_key(to, before.pair(p)); },
        [&](std::size_t at, const double* from) { pairs[at] = pair_of(from, at); });
    for (simd::Column* const column : columns) {
        simd::Column now(pairs.size());
        for (std::size_t k = 0; k < staying; ++k)
            now[k] = (*column)[before.entries[travel.staying()[k]]];
        travel.exchange(
            1, [&](std::size_t p, double* to) { *to = (*column)[before.entries[p]]; },
            [&](std::size_t at, const double* from) { now[at] = *from; });
        *column = std::move(now);
    }
    return pairs;
}

}  // namespace beadwave::packing
