// The pairs of the blocks as columns of entries, which the vector code runs through.
//
// A pair is an entry of the block of its first particle, and also of that of its second where this
// is another one. The entries of a block are consecutive, a multiple of entry_block; behind its
// pairs are some of padding, with the dummy body.
#pragma once

#include "packing_kernel.hpp"
#include "simd/column.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace beadwave::packing {

class PairEntries {
  public:
    /// Entries for this number of pairs in each block, all of them padding, whose sums go to the
    /// line `discard`. `dummy`: the last body.
    void reset(std::span<const std::size_t> pairs_of_block, std::uint32_t dummy,
               std::uint16_t discard);
    /// After the columns are set: what each batch prefetches.
    void build_prefetch_list();

    std::size_t count() const { return first.size(); }
    std::size_t blocks() const { return begin_.size() - 1; }
    std::size_t begin(std::size_t block) const { return begin_[block]; }
    std::size_t end(std::size_t block) const { return begin_[block + 1]; }
    bool is_padding(std::size_t entry) const { return second[entry] == dummy_; }

    /// The entries of a block for the vector code, without the contacts' memory.
    Entries of_block(std::size_t block) const;

    std::vector<std::uint32_t> first, second;  ///< bodies
    std::vector<std::uint32_t> kind;           ///< of PairLaws
    std::vector<std::uint16_t> to_first, to_second;
    std::vector<std::uint32_t> between;  ///< of each block: pairs of two particles, the first ones
    simd::Column gap;                    ///< [m]
    std::vector<char> single_kind;       ///< of each block: all its entries are of one kind

  private:
    std::uint32_t dummy_ = 0;
    std::vector<std::size_t> begin_{0};
    std::vector<std::uint32_t> prefetch_, prefetch_begin_;
    std::vector<std::size_t> first_batch_;  // of each block
};

}  // namespace beadwave::packing
