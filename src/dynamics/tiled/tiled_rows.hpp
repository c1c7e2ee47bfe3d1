// The state of a row of beads and contacts as columns: of the whole chain, or the workspace of a
// tile.
#pragma once

#include "simd/column.hpp"

#include <cstring>
#include <vector>

namespace beadwave::dynamics {

/// Columns beside those of beads and contacts, for what beads carry.
struct ExtraColumns {
    std::size_t motion = 0;  ///< that a neighbouring tile needs
    std::size_t sums = 0;    ///< that a task adds to
    std::size_t others = 0;
    std::size_t scratch = 0;  ///< only in a workspace
};

class Rows {
  public:
    /// `count` beads and contacts, all at rest.
    Rows(std::size_t count, std::size_t memory_fields, bool conservative, bool scratch,
         const ExtraColumns& extra = {})
        : memory_fields_(memory_fields),
          conservative_(conservative),
          scratch_(scratch),
          extra_(extra) {
        // If the addresses of two columns agree in their last 12 bits, the processor makes a load
        // from one of them wait for a store to the other.
        constexpr std::size_t page = 4096 / sizeof(double), shift = 448 / sizeof(double);
        stride_ = (count + 2 * block_beads + page - 1) / page * page + shift;
        if (!scratch)
            stride_ = (count + 2 * block_beads + block_beads - 1) / block_beads * block_beads;
        store_ = simd::Column(stride_ * columns());
    }

    double* displacement() { return column(0); }
    double* velocity() { return column(1); }
    double* velocity_change() { return column(2); }
    double* force() { return column(3); }
    double* memory(std::size_t k) { return column(4 + k); }
    double* power() { return conservative_ ? nullptr : column(4 + memory_fields_); }
    const double* displacement() const { return column(0); }
    const double* velocity() const { return column(1); }
    const double* force() const { return column(3); }
    const double* memory(std::size_t k) const { return column(4 + k); }
    const double* power() const { return conservative_ ? nullptr : column(4 + memory_fields_); }

    /// Extra column k: first those of the motion, then sums, then the others.
    double* extra(std::size_t k) { return column(first_extra() + k); }
    /// Scratch column k of a workspace: the half-step velocity, then the extra ones.
    double* scratch(std::size_t k) { return column(columns() - 1 - extra_.scratch + k); }
    bool has_scratch() const { return scratch_; }

    /// Pointers to entry `first` of every column of beads and contacts.
    State view(std::size_t first = 0) {
        State state{.displacement = displacement() + first,
                    .velocity = velocity() + first,
                    .velocity_change = velocity_change() + first,
                    .half = scratch_ ? scratch(0) + first : nullptr,
                    .half_after = scratch_ ? scratch(0) + first : nullptr,
                    .force = force() + first,
                    .power = conservative_ ? nullptr : power() + first,
                    .memory = {}};
        for (std::size_t k = 0; k < memory_fields_; ++k)
            state.memory[k] = memory(k) + first;
        return state;
    }

    /// Copies `count` entries of everything that a neighbouring tile needs.
    void copy_motion_to(Rows& other, std::size_t from, std::size_t to, std::size_t count) const {
        for (std::size_t k = 0; k < motion_columns(); ++k)
            copy(motion(k), other, from, to, count);
    }
    /// Packs what copy_motion_to() copies: one column after another.
    std::size_t motion_columns() const { return 3 + memory_fields_ + extra_.motion; }
    void pack_motion(std::size_t from, std::size_t count, double* out) const {
        for (std::size_t k = 0; k < motion_columns(); ++k)
            std::memcpy(out + k * count, column(motion(k)) + from, count * sizeof(double));
    }
    /// Unpacks `count` entries, from entry `skipped` on, of `packed` packed entries.
    void unpack_motion(const double* in, std::size_t packed, std::size_t skipped, std::size_t to,
                       std::size_t count) {
        for (std::size_t k = 0; k < motion_columns(); ++k) {
            std::memcpy(column(motion(k)) + to, in + k * packed + skipped, count * sizeof(double));
        }
    }
    /// Copies what copy_motion_to() copies, and the sums that a task adds to.
    void copy_sums_to(Rows& other, std::size_t from, std::size_t to, std::size_t count) const {
        copy_motion_to(other, from, to, count);
        if (!conservative_) copy(4 + memory_fields_, other, from, to, count);
        for (std::size_t k = 0; k < extra_.sums; ++k)
            copy(first_extra() + extra_.motion + k, other, from, to, count);
    }
    /// Copies `count` entries of everything.
    void copy_to(Rows& other, std::size_t from, std::size_t to, std::size_t count) const {
        copy_sums_to(other, from, to, count);
        copy(3, other, from, to, count);
        for (std::size_t k = 0; k < extra_.others; ++k)
            copy(first_extra() + extra_.motion + extra_.sums + k, other, from, to, count);
    }

  private:
    /// Displacement, velocity, half-step velocity change, then memory: all except the force, which
    /// follows from them.
    std::size_t motion(std::size_t k) const {
        if (k < 3) return k;
        return k < 3 + memory_fields_ ? k + 1 : first_extra() + (k - 3 - memory_fields_);
    }
    std::size_t first_extra() const { return 4 + memory_fields_ + (conservative_ ? 0 : 1); }
    std::size_t columns() const {
        return first_extra() + extra_.motion + extra_.sums + extra_.others +
               (scratch_ ? 1 + extra_.scratch : 0);
    }
    double* column(std::size_t k) { return store_.data() + k * stride_; }
    const double* column(std::size_t k) const { return store_.data() + k * stride_; }
    void copy(std::size_t k, Rows& other, std::size_t from, std::size_t to,
              std::size_t count) const {
        std::memcpy(other.column(k) + to, column(k) + from, count * sizeof(double));
    }

    std::size_t memory_fields_;
    bool conservative_, scratch_;
    ExtraColumns extra_;
    std::size_t stride_;
    simd::Column store_;
};

}  // namespace beadwave::dynamics
