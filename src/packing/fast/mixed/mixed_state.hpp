// What a packing in mixed precision holds in addition to its doubles.
#pragma once

#include "mixed_kernel.hpp"
#include "packing/fast/block_share.hpp"
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
    std::size_t pair_width = 0;             ///< MixedEntries::width
    std::vector<double> inverse_radii_sum;  ///< MixedTable
    std::vector<std::size_t> wall_entries;  ///< those whose direction may change at each step
    int now = 0;            ///< the side of `body` and `predicted` that the next step reads
    double rounding = 0.0;  ///< the largest present_rounding() at rebuilds of the list
    bool stale = true;      ///< they are not of the present state

    MixedLines lines(int side) {
        return {body[side].data(), predicted[side].size() > 0 ? predicted[side].data() : nullptr};
    }
    /// What travels of a particle that other ranks' pairs have. `slides`: also its velocities.
    std::vector<HaloPart> halo(int side, bool slides) {
        constexpr std::size_t unit = sizeof(float);
        const auto part = [](FloatColumn& lines, std::size_t width, std::size_t from,
                             std::size_t count) {
            return HaloPart{reinterpret_cast<std::byte*>(lines.data() + from), width * unit,
                            count * unit};
        };
        std::vector<HaloPart> parts{part(body[side], mixed_line, 0, 3),
                                    part(body[side], mixed_line, 4, 3)};
        if (slides) parts.push_back(part(body[side], mixed_line, 7, 9));
        for (const std::size_t from : {0, 4}) {
            if (predicted[side].size() > 0)
                parts.push_back(part(predicted[side], mixed_predicted_line, from, 3));
        }
        return parts;
    }
    /// Column 0 of an entry's record; its next column is `entry_block` numbers behind it.
    float* record(std::size_t entry) {
        return pair.data() + entry / entry_block * (entry_block * pair_width) + entry % entry_block;
    }
    float& spring(std::size_t entry, std::size_t field) {
        return record(entry)[(4 + field) * entry_block];
    }
};

}  // namespace beadwave::packing
