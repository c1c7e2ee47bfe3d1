// What a packing in mixed precision holds in addition to its doubles.
#pragma once

#include "mixed_kernel.hpp"
#include "simd/column.hpp"

#include <array>
#include <cstddef>
#include <vector>

namespace beadwave::packing {

struct MixedState {
    MixedState(std::size_t slider, const simd::InstructionSet& instructions)
        : kernel(simd::for_target(
              instructions.target,
              [&]<simd::Target target>() { return mixed_kernel<target>(slider); })) {}

    MixedKernel kernel;
    std::array<simd::FloatColumn, 2> body, predicted;
    simd::FloatColumn pair;
    std::vector<double> inverse_radii_sum;  ///< MixedTable
    std::vector<std::size_t> wall_entries;  ///< those whose direction may change at each step
    int now = 0;        ///< the side of `body` and `predicted` that the next step reads
    bool stale = true;  ///< they are not of the present state

    MixedLines lines(int side) {
        return {body[side].data(), predicted[side].size() > 0 ? predicted[side].data() : nullptr};
    }
    /// Column 0 of an entry's record; its next column is `entry_block` numbers behind it.
    float* record(std::size_t entry) {
        return pair.data() + entry / entry_block * (entry_block * mixed_pair) +
               entry % entry_block;
    }
    float& spring(std::size_t entry, std::size_t field) {
        return record(entry)[(4 + field) * entry_block];
    }
};

}  // namespace beadwave::packing
