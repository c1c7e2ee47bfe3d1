// The deepest contact of all steps. The vector code gives overlap times (1/R_1 + 1/R_2) of a
// block's deepest contact, which is at least `factor` times its depth: only where that is more than
// the depth known so far are the block's contacts looked at one by one.
#pragma once

#include "packing/contacts/deep_contact.hpp"
#include "packing/particle_column.hpp"
#include "ranks/communicator.hpp"

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace beadwave::packing {

class DepthWatch {
  public:
    /// For particles of these radii [m].
    explicit DepthWatch(const ParticleColumn<double>& radius) {
        const double smallest = radius.smallest(), largest = radius.largest();
        factor_ = 1.0 + smallest / largest;
    }

    void begin_step(std::size_t own_blocks) { block_.assign(own_blocks, {}); }
    /// Whether the contacts of a block must be looked at: what the vector code gives of them.
    /// Half a percent is for rounding, which also differs between instruction sets.
    bool may_be_deeper(double found) const { return found > 0.995 * factor_ * bound(); }
    /// The deepest contact of an own block.
    void set_block(std::size_t own, const DeepContact& contact) { block_[own] = contact; }
    void note(const DeepContact& contact) {
        if (contact.depth > bound()) deepest_ = contact;
    }
    /// An old pair that is too deep for its wall to know the side, before the list forgets it.
    void note_lost(const DeepContact& contact) {
        if (contact.depth >= lost_depth && contact.depth > deepest_.depth) deepest_ = contact;
    }
    void end_step() {
        std::ranges::for_each(block_, [&](const DeepContact& each) { note(each); });
    }

    /// `ranks` null: one process; else of all, collective.
    DeepContact deepest(ranks::Communicator* ranks) const {
        if (ranks == nullptr) return deepest_;
        DeepContact deepest;
        for (const auto& theirs : ranks->gather_numbers_to_all<DeepContact>({&deepest_, 1})) {
            const DeepContact& each = theirs.front();
            // One process keeps the first of equals.
            const bool deeper = each.depth > deepest.depth ||
                                (each.depth == deepest.depth && each.step < deepest.step);
            if (deeper) deepest = each;
        }
        return deepest;
    }

  private:
    double bound() const { return std::max(large_depth, deepest_.depth); }

    double factor_ = 1.0;
    DeepContact deepest_;
    std::vector<DeepContact> block_;
};

}  // namespace beadwave::packing
