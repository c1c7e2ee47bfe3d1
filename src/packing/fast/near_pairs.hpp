// Which pairs of a block a step may leave out. In a flow half of the pairs in the list are apart.
// Now and then a block looks at the distances of all its pairs and packs those that are apart by
// no more than a margin into columns of their own. Steps compute these alone, until bodies may have
// moved by that margin. The forces of the others are zero and their memory does not change, and
// those that are packed keep the order of the list: all results are the same to the bit, whichever
// pairs are left out.
#pragma once

#include "block_share.hpp"
#include "block_sleep.hpp"
#include "far_reach.hpp"
#include "law_table.hpp"
#include "listed_contacts.hpp"
#include "packing_kernel.hpp"
#include "simd/column.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace beadwave::packing {

class NearPairs {
  public:
    /// All must outlive it.
    NearPairs(ListedContacts& contacts, const LawTable& table, const BlockShare& share,
              const BlockSleep& sleep, const FarReach& far, int threads)
        : contacts_(contacts),
          table_(table),
          share_(share),
          sleep_(sleep),
          far_(far),
          threads_(threads) {}

    /// A new list, whose pairs are apart by `skin` at most [m]. `acts` false: no pair is ever left
    /// out. Pairs whose bodies pull each other from afar, or move otherwise than by move(), may not
    /// be.
    void reset(bool acts, double skin);

    // An advance: begin(), steps, and before the last one, and before a new list or whatever asks
    // for contacts, restore().

    /// An advance of so many steps begins.
    void begin(std::int64_t steps) { acts_now_ = acts_ && steps >= fewest_steps; }
    /// All pairs have their memory in the columns of the list.
    void restore();

    /// What a step computes of a block: the packed entries, if there are any, then those of the
    /// list from far_end on. If it `looks`, look() follows before places change.
    struct Part {
        const Entries* near = nullptr;
        const KindTable* table = nullptr;
        std::size_t far_end = 0;
        bool looks = false;
    };
    /// The part of a block in the step that begins. Threads may ask for different blocks.
    Part part(std::size_t block);
    /// Packs the pairs of a block anew. The step has computed all that touch.
    void look(std::size_t block, const Lines& lines, const PackingKernel& kernel,
              std::size_t thread);

    /// A block's particles but the fast ones have moved by what lies in this range of velocities
    /// times `time` [s].
    void move(std::size_t block, const Extent& velocity, double time);
    /// A block has not moved.
    void stay(std::size_t block) {
        if (acts_) next_travel_[block] = travel_[block];
    }
    /// How far each block has moved, and with this step.
    HaloPart present_halo() { return part_of_blocks(travel_); }
    HaloPart next_halo() { return part_of_blocks(next_travel_); }
    void end_step() { travel_.swap(next_travel_); }
    /// Two bodies of a pair have approached by at most this in another way, in each block [m].
    void approach_by(double distance) { approached_ += distance; }

    bool acts() const { return acts_; }
    /// How often a pair was left out of a step.
    std::int64_t left_out() const;

  private:
    static constexpr std::int64_t fewest_steps = 48;

    struct Block {
        bool may = false;
        std::size_t far_end = 0;  // entries that may be left out: pairs of two particles
        bool leaves_out = false;
        double margin = 0.0;
        int wait = 0, pause = 0;          // steps until the next look, and after one in vain
        std::int64_t steps = 0;           // since `from`
        std::int64_t steps_left_out = 0;  // of all pairs
        double approached = 0.0;          // at `from`
        std::vector<Extent> from;         // travel of this block and of those adjacent to it

        // What is packed.
        Entries near{};
        KindTable table{};
        std::vector<std::uint32_t> listed;  // places in the list
        std::vector<std::uint32_t> first, second, kind, prefetch_begin;
        std::vector<std::uint16_t> to_first, to_second;
        std::vector<simd::Column> numbers;
    };

    /// No two bodies of the block's pairs have approached by more since `from` [m].
    double approach(std::size_t block) const;
    void begin_travel(std::size_t block);
    /// The entries of the list with their memory.
    Entries entries(std::size_t block) const;
    /// Copies the memory of the packed pairs back to the list.
    void restore(std::size_t block);
    /// Packs the pairs of block.listed, a multiple of entry_block.
    void pack(std::size_t block);
    /// Each batch prefetches what those have that come first in the list's order from its first
    /// entry on, about what it needs.
    void list_prefetches(std::size_t block);

    ListedContacts& contacts_;
    const LawTable& table_;
    const BlockShare& share_;
    const BlockSleep& sleep_;
    const FarReach& far_;
    int threads_;
    bool acts_ = false, acts_now_ = false;
    double skin_ = 0.0, approached_ = 0.0;
    std::vector<Block> blocks_;
    std::vector<std::vector<std::uint32_t>> found_;  // of each thread
    std::vector<Extent> travel_, next_travel_;       // of each block
};

}  // namespace beadwave::packing
