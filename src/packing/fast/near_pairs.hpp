// Which pairs of a block a step may leave out. In a flow half of the pairs in the list are apart.
// Now and then a block puts those that are apart by more than a margin behind the others, and no
// step computes them until their bodies may have moved by that margin. Their forces are zero and
// their memory does not change, and the others keep the order of the list: all results are the
// same to the bit, whichever pairs are left out.
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
    NearPairs(ListedContacts& contacts, LawTable& table, const BlockShare& share,
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
    /// Puts all pairs back in the order of the list.
    void restore();

    /// What a step computes of a block's entries: all but [near_end, far_end), of which it only
    /// looks at the overlaps if it `looks`.
    struct Part {
        std::size_t near_end, far_end;
        bool looks;
    };
    /// The part of a block in the step that begins. Threads may ask for different blocks.
    Part part(std::size_t block, std::size_t thread);
    /// After a step that looks: where it leaves the overlaps of the block's entries [m].
    double* overlaps(std::size_t thread) { return spare_[thread].overlap.data(); }
    void put_aside(std::size_t block, std::size_t thread);
    /// The prefetch list of a block's entries as they are now.
    void give(Entries& e, std::size_t block) const;

    /// A block's particles but the fast ones have moved by what lies in this range of velocities
    /// times `time` [s].
    void move(std::size_t block, const Extent& velocity, double time);
    /// A block has not moved.
    void stay(std::size_t block) {
        if (acts_) next_travel_[block] = travel_[block];
    }
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
        std::size_t between = 0;                // entries of pairs of two particles
        std::size_t near_end = 0, far_end = 0;  // the same: all are in the list's order
        double margin = 0.0;
        int wait = 0, pause = 0;          // steps until the next look, and after one in vain
        std::int64_t steps = 0;           // since `from`
        std::int64_t steps_left_out = 0;  // of all pairs
        double approached = 0.0;          // at `from`
        std::vector<Extent> from;         // travel of this block and of those adjacent to it
        std::vector<std::uint32_t> prefetch_begin;

        bool leaves_out() const { return near_end < far_end; }
    };
    struct Spare {
        simd::Column overlap, numbers;
        std::vector<std::uint32_t> order, place, words;
    };

    /// No two bodies of the block's pairs have approached by more since `from` [m].
    double approach(std::size_t block) const;
    void begin_travel(std::size_t block);
    /// Sets spare.place: where the pairs of the list's order are now.
    void find_places(std::size_t block, Spare& spare) const;
    void restore(std::size_t block, Spare& spare);
    /// Entry k of the block becomes what entry order[k] was.
    void arrange(std::size_t block, std::span<const std::uint32_t> order, Spare& spare);
    /// Each batch prefetches what those have that come first in the list's order from its first
    /// entry on, about what it needs.
    void list_prefetches(std::size_t block);

    ListedContacts& contacts_;
    LawTable& table_;
    const BlockShare& share_;
    const BlockSleep& sleep_;
    const FarReach& far_;
    int threads_;
    bool acts_ = false, acts_now_ = false;
    double skin_ = 0.0, approached_ = 0.0;
    std::vector<Block> blocks_;
    std::vector<std::uint32_t> listed_at_;  // place of each entry in its block's list order
    std::vector<simd::Column*> columns_;
    std::vector<Spare> spare_;                  // of each thread
    std::vector<Extent> travel_, next_travel_;  // of each block
};

}  // namespace beadwave::packing
