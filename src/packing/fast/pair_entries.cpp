#include "pair_entries.hpp"

#include <utility>

namespace beadwave::packing {
namespace {

/// With so many bodies, each with its pairs, the caches of a core hold most of what a step needs.
constexpr std::uint32_t most_in_caches = 12'000;

}  // namespace

void PairEntries::reset(std::span<const std::size_t> pairs_of_block, std::uint32_t dummy,
                        std::uint16_t discard) {
    dummy_ = dummy;
    begin_.assign(1, 0);
    for (const std::size_t pairs : pairs_of_block)
        begin_.push_back(begin_.back() + (pairs + entry_block - 1) / entry_block * entry_block);
    const std::size_t entries = begin_.back();
    first.assign(entries, 0);
    second.assign(entries, dummy);
    kind.assign(entries, 0);
    to_first.assign(entries, discard);
    to_second.assign(entries, discard);
    gap = simd::Column(entries, 1e6);
    single_kind.assign(blocks(), true);
    between.assign(blocks(), 0);
}

void PairEntries::build_prefetch_list() {
    prefetch_.clear();
    prefetch_begin_.clear();
    first_batch_.clear();
    std::vector<std::size_t> seen_by(std::size_t{dummy_} + 1, blocks());
    for (std::size_t b = 0; b < blocks(); ++b) {
        first_batch_.push_back(prefetch_begin_.size());
        for (std::size_t e = begin(b); e < end(b); ++e) {
            if ((e - begin(b)) % batch == 0)
                prefetch_begin_.push_back(static_cast<std::uint32_t>(prefetch_.size()));
            for (const std::uint32_t body : {first[e], second[e]}) {
                if (std::exchange(seen_by[body], b) != b) prefetch_.push_back(body);
            }
        }
    }
    // Two more ends: of the last batch, and of the empty one after it.
    prefetch_begin_.insert(prefetch_begin_.end(), 2, static_cast<std::uint32_t>(prefetch_.size()));
}

Entries PairEntries::of_block(std::size_t block) const {
    const std::size_t from = begin(block);
    return {.count = end(block) - from,
            .first = first.data() + from,
            .second = second.data() + from,
            .kind = kind.data() + from,
            .to_first = to_first.data() + from,
            .to_second = to_second.data() + from,
            .prefetch = prefetch_.data(),
            .prefetch_begin = prefetch_begin_.data() + first_batch_[block],
            .prefetches = dummy_ > most_in_caches,
            .single_kind = single_kind[block] != 0,
            .number = from,
            .gap = gap.data() + from,
            .memory = {},
            .sliding = {},
            .rolling = {},
            .tangential_force = {},
            .work = {}};
}

}  // namespace beadwave::packing
