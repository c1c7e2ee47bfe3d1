// What a packing in mixed precision holds in addition to its doubles.
#pragma once

#include "mixed_kernel.hpp"
#include "simd/column.hpp"

#include <array>
#include <cstddef>
#include <new>
#include <vector>

namespace beadwave::packing {

/// Floats in the memory of a column, which is aligned and in large pages.
class FloatColumn {
  public:
    FloatColumn() = default;
    explicit FloatColumn(std::size_t count)
        : store_((count + 1) / 2),
          floats_(::new (static_cast<void*>(store_.data())) float[count]{}),
          count_(count) {}

    float* data() { return floats_; }
    std::size_t size() const { return count_; }

  private:
    simd::Column store_;
    float* floats_ = nullptr;
    std::size_t count_ = 0;
};

struct MixedState {
    MixedState(std::size_t slider, const simd::InstructionSet& instructions)
        : kernel(simd::for_target(instructions.target, [&]<simd::Target target>() {
              return mixed_kernel<target>(slider);
          })) {}

    MixedKernel kernel;
    std::array<FloatColumn, 2> body, predicted;
    FloatColumn pair;
    std::vector<double> inverse_radii_sum;  ///< MixedTable
    std::vector<std::size_t> wall_entries;  ///< those whose direction may change at each step
    int now = 0;            ///< the side of `body` and `predicted` that the next step reads
    double rounding = 0.0;  ///< the largest present_rounding() at rebuilds of the list
    bool stale = true;      ///< they are not of the present state

    MixedLines lines(int side) {
        return {body[side].data(), predicted[side].size() > 0 ? predicted[side].data() : nullptr};
    }
    /// Column 0 of an entry's record; its next column is `entry_block` numbers behind it.
    float* record(std::size_t entry) {
        return pair.data() + entry / entry_block * (entry_block * mixed_pair) + entry % entry_block;
    }
    float& spring(std::size_t entry, std::size_t field) {
        return record(entry)[(4 + field) * entry_block];
    }
};

}  // namespace beadwave::packing
