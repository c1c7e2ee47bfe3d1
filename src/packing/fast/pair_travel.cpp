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
    return old;
}

}  // namespace

std::vector<OldPair> exchange_pairs(ranks::Communicator& ranks, const std::vector<OldPair>& old,
                                    std::span<simd::Column* const> columns, std::size_t entries,
                                    const OwnersOf& owners) {
    const auto own = static_cast<std::size_t>(ranks.rank());
    const std::size_t width = key_numbers + columns.size();
    ranks::NumberLists out(static_cast<std::size_t>(ranks.count()));
    for (const OldPair& pair : old) {
        std::size_t last = own;
        for (const std::size_t to : owners(pair)) {
            if (to == own || to == last) continue;
            last = to;
            put_key(out[to], pair);
            for (const simd::Column* const column : columns)
                out[to].push_back((*column)[pair.entry]);
        }
    }
    const ranks::NumberLists in = ranks::exchange_lists(ranks, out);
    out.clear();
    std::size_t arriving = 0;
    for (const std::vector<double>& message : in)
        arriving += message.size() / width;
    for (simd::Column* const column : columns) {
        simd::Column longer(entries + arriving);
        std::copy_n(column->data(), entries, longer.data());
        *column = std::move(longer);
    }
    std::vector<OldPair> came;
    for (const std::vector<double>& message : in) {
        for (std::size_t at = 0; at < message.size(); at += width) {
            const std::size_t entry = entries + came.size();
            came.push_back(pair_of(message.data() + at, entry));
            for (std::size_t k = 0; k < columns.size(); ++k)
                (*columns[k])[entry] = message[at + key_numbers + k];
        }
    }
    std::ranges::sort(came, {}, [](const OldPair& pair) { return pair.pair.key.first; });
    return came;
}

}  // namespace beadwave::packing
