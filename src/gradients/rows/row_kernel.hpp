// The interface between the rows of a reverse sweep (rows.hpp) and their vector code: one step of
// some neighbouring beads, forwards and backwards, for laws without speed. Plain pointers in, plain
// pointers out. The vector code is compiled once per instruction set.
//
// Columns have one number per bead, or per contact, which is the one to the left of its bead; they
// begin on a multiple of row_block numbers. Behind the last contact all numbers are 0.
#pragma once

#include "gradients/law_kernel.hpp"
#include "simd/instruction_sets.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace beadwave::gradients {

/// The number of entries of a row is a multiple of this, the lanes of the widest register.
inline constexpr std::size_t row_block = 8;

/// The chain: what its steps do not change.
struct RowChain {
    double time_step;                          ///< [s]
    const LawKernel* law;                      ///< of contacts that the vector code leaves to it
    const double* numbers[simd::most_fields];  ///< of the law
    std::size_t law_numbers, memory_numbers;
    const double *gap, *kick, *body_force;  ///< [m], dt / (2 m) or 0 [s/kg], [N]
    const std::uint8_t* read;               ///< per block of row_block beads: whether it is read
};

/// What contacts remembered before the steps in which they loaded further: one list per register of
/// `lanes` contacts, in lists of `capacity`.
class LoadingLog {
  public:
    void clear(std::size_t contacts, std::size_t steps, std::size_t memory_numbers);
    void keep(double* const* memory, std::size_t contact, std::size_t lanes, std::int32_t step);
    /// The memory of the last entry, which is removed.
    void take(double* const* memory, std::size_t contact, std::size_t lanes);
    bool has(std::size_t contact, std::int32_t step) const {
        const std::size_t list = contact / least_lanes, n = count_[list];
        return n > 0 && steps_[list * capacity_ + n - 1] == step;
    }

  private:
    static constexpr std::size_t least_lanes = 2;
    std::size_t capacity_ = 0, numbers_ = 0;
    std::vector<std::uint32_t> count_;
    std::unique_ptr<std::int32_t[]> steps_;
    std::unique_ptr<double[]> memory_;
};

/// One step of the beads [begin, end), without those of the blocks behind `length`, whose contacts
/// are open. The contacts of the beads [begin + row_block, end + row_block) get their force; those
/// of the first block have it from the row to the left, unless they are the first of the chain.
struct ForwardRow {
    std::size_t begin, end, length;
    std::int32_t step;            ///< of the log
    double *displacement, *half;  ///< half-step velocity of the next step
    double* force;                ///< per contact [N]
    double *velocity, *change;    ///< after the step, of blocks that are read
    bool store_all;               ///< velocity and change of all beads
    double* const* memory;
    double* record;   ///< what the reverse step reads, per contact; null: nothing
    LoadingLog* log;  ///< null: none
};

/// The same step backwards. A bar is the derivative of the objective by the quantity.
struct ReverseRow {
    std::size_t begin, end, length;
    std::int32_t step;
    const double* record;
    double *displacement_bar, *velocity_bar;  ///< the velocity is the half-step velocity
    double* const* memory;                    ///< after the step; becomes that of before
    double* const* memory_bar;
    double* const* law_bar;  ///< results are added, as to the following
    double* overlap_sum;     ///< of the bars of the overlap: minus those by gaps
    double* push_sum;        ///< of the bars of velocity changes
    double* kick_bar;        ///< those times the forces of the contacts
    double* edge;            ///< what the row to the right needs: 4 row_block numbers
    LoadingLog* log;
    /// Seeds by velocities and contact forces; of blocks that are read.
    const double *velocity_seed, *force_seed;
};

struct RowKernel {
    void (*forward)(const RowChain&, const ForwardRow&) = nullptr;
    void (*reverse)(const RowChain&, const ReverseRow&) = nullptr;
};

/// Null pointers for RowPath::none. Defined by vector_code.cpp for each instruction set.
template <simd::Target>
RowKernel row_kernel(RowPath path);

}  // namespace beadwave::gradients
