#include "pair_travel.hpp"

#include "ranks/exchange_lists.hpp"

#include <algorithm>
#include <utility>

namespace beadwave::packing {
namespace {

/// A pair as it travels: this many numbers, and its contact memory.
constexpr std::size_t key_numbers = 9;

void put_key(std::vector<double>& to, const OldPair& old) {
    const PairKey& key = old.pair.key;
    for (const double number :
         {static_cast<double>(key.first), static_cast<double>(key.second),
          static_cast<double>(key.wall), static_cast<double>(key.image[0]),
          static_cast<double>(key.image[1]), static_cast<double>(key.image[2]),
          static_cast<double>(key.patch), old.pair.flip ? 1.0 : 0.0, old.overlap})
        to.push_back(number);
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

}  // namespace

std::vector<OldPair> exchange_pairs(ranks::Communicator& ranks, const std::vector<OldPair>& old,
                                    std::span<simd::Column* const> columns, std::size_t entries,
                                    const OwnersOf& owners) {
    const auto own = static_cast<std::size_t>(ranks.rank());
    const auto each_target = [&](const OldPair& pair, const auto& send) {
        std::size_t last = own;
        for (const std::size_t to : owners(pair)) {
            if (to != own && to != last) send(to);
            last = to;
        }
    };
    ranks::NumberLists counts(static_cast<std::size_t>(ranks.count()), std::vector<double>{0.0});
    for (const OldPair& pair : old)
        each_target(pair, [&](std::size_t to) { counts[to][0] += 1.0; });
    std::size_t arriving = 0;
    for (const std::vector<double>& count : ranks::exchange_lists(ranks, counts)) {
        if (!count.empty()) arriving += static_cast<std::size_t>(count[0]);
    }
    for (simd::Column* const column : columns) {
        simd::Column longer(entries + arriving);
        std::copy_n(column->data(), entries, longer.data());
        *column = std::move(longer);
    }
    std::vector<OldPair> came;
    came.reserve(arriving);
    // A few at a time: where all travel, messages with all of them would need more memory than the
    // pairs themselves.
    constexpr std::size_t piece = std::size_t{1} << 15;
    const std::size_t width = key_numbers + columns.size();
    for (std::size_t from = 0; ranks.any(from < old.size()); from += piece) {
        ranks::NumberLists out(counts.size());
        for (std::size_t k = from; k < std::min(old.size(), from + piece); ++k) {
            each_target(old[k], [&](std::size_t to) {
                put_key(out[to], old[k]);
                for (const simd::Column* const column : columns)
                    out[to].push_back((*column)[old[k].entry]);
            });
        }
        for (const std::vector<double>& message : ranks::exchange_lists(ranks, out)) {
            for (std::size_t at = 0; at < message.size(); at += width) {
                const std::size_t entry = entries + came.size();
                came.push_back(pair_of(message.data() + at, entry));
                for (std::size_t k = 0; k < columns.size(); ++k)
                    (*columns[k])[entry] = message[at + key_numbers + k];
            }
        }
    }
    std::ranges::sort(came, {}, [](const OldPair& pair) { return pair.pair.key.first; });
    return came;
}

}  // namespace beadwave::packing
