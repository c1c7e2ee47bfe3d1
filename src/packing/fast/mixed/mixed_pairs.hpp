// The pairs of a packing in mixed precision: what it holds in floats in addition to the doubles,
// and its step.
#pragma once

#include "float_column.hpp"
#include "laws/tangential/slider.hpp"
#include "mixed_kernel.hpp"
#include "packing/fast/block_share.hpp"
#include "packing/fast/bodies.hpp"
#include "packing/fast/contact_memory.hpp"
#include "packing/fast/law_table.hpp"
#include "packing/fast/pair_entries.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace beadwave::packing {

class MixedPairs {
  public:
    /// `slider`: index in laws::AnySlider. `slides`: there is a tangential law; `slips`: or rolling
    /// resistance. `strains`: the box, and so ghosts move by themselves.
    MixedPairs(std::size_t slider, bool slides, bool slips, bool strains,
               const simd::InstructionSet& instructions);

    /// Takes the pairs of a new list, with the springs of their contacts, whose columns it frees.
    /// Gaps become floats.
    void adopt(const Bodies& bodies, PairEntries& entries, ContactMemory& memory,
               const LawTable& table);

    /// The floats are no longer those of the present state.
    void mark_stale() { stale_ = true; }
    bool is_stale() const { return stale_; }
    /// Writes the lines of floats that no step has written.
    void prepare_step(const Bodies& bodies, const PairEntries& entries, int threads);
    void step_block(const LawTable& table, const PackingKernel& kernel, const Entries& entries,
                    double step, Scratch& scratch, const Sums& sums);
    void kick(Kick& kick) { kernel_.kick(kick, lines(now_ ^ 1)); }
    void push(Kick& kick) { kernel_.push(kick, lines(now_ ^ 1)); }
    /// Writes the next lines of a body, of which `bodies` has the doubles.
    void put_next(const Bodies& bodies, std::size_t body) { put_body(bodies, now_ ^ 1, body); }
    /// The parts of the next lines that travel, of a particle that other ranks' pairs have.
    std::vector<HaloPart> next_halo();
    /// The lines that the kicks have written are the present ones.
    void flip() { now_ ^= 1; }

    laws::SliderMemory<double> spring(std::size_t entry) const;
    void swap_springs(std::size_t one, std::size_t two);
    /// The overlap by the lines of floats: those of doubles may be of the next step already.
    double overlap(const PairEntries& entries, std::size_t entry) const;

    /// How wrong the floats make the overlaps, in parts of them; the largest so far.
    double rounding() const { return rounding_; }
    void include_rounding(double present) { rounding_ = std::max(rounding_, present); }
    void restore_rounding(double saved) { rounding_ = saved; }

  private:
    MixedLines lines(std::size_t side) {
        return {body_[side].data(),
                predicted_[side].size() > 0 ? predicted_[side].data() : nullptr};
    }
    /// Index of column 0 of an entry's record; its next column is `entry_block` numbers behind it.
    std::size_t record_of(std::size_t entry) const {
        return entry / entry_block * (entry_block * pair_width_) + entry % entry_block;
    }
    float* record(std::size_t entry) { return pair_.data() + record_of(entry); }
    const float* record(std::size_t entry) const { return pair_.data() + record_of(entry); }
    float& field(std::size_t entry, std::size_t k) { return record(entry)[(4 + k) * entry_block]; }
    void put_direction(const Bodies& bodies, const PairEntries& entries, std::size_t entry);
    void put_parameters(const KindTable& table, std::size_t entry, double inverse_radii_sum);
    void put_body(const Bodies& bodies, std::size_t side, std::size_t body);

    MixedKernel kernel_;
    bool slides_, slips_, strains_;
    std::array<FloatColumn, 2> body_, predicted_;
    FloatColumn pair_;
    std::size_t pair_width_ = 0;             // MixedEntries::width
    std::vector<double> inverse_radii_sum_;  // MixedTable
    std::vector<std::size_t> wall_entries_;  // their direction may change at each step
    std::size_t now_ = 0;                    // the side that the next step reads
    double rounding_ = 0.0;
    bool stale_ = true;
};

}  // namespace beadwave::packing
