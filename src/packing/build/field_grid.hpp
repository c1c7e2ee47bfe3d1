// The grid on which the fields of a packing are measured, as data (observers/fields.hpp).
#pragma once

#include "packing/packing.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace beadwave::packing {

/// observers/field_kernel.hpp explains them.
enum class FieldKernel { gaussian, lucy };

/// The region of the measures, cut into equal cells along the axes.
struct FieldGrid {
    std::array<std::int64_t, 3> cells{1, 1, 1};  ///< along x, y and z; z is 1 in the plane
    double width = 0.0;                          ///< of the kernel [m]
    FieldKernel kernel = FieldKernel::gaussian;

    std::size_t count() const { return static_cast<std::size_t>(cells[0] * cells[1] * cells[2]); }
};

/// Files of more cells than this would hold more zeros than numbers.
inline constexpr std::int64_t most_field_cells = 1'000'000;

/// The least width of a kernel, as a part of the smallest radius: contacts are lines, whose parts
/// in each cell are summed up in steps of one width.
inline constexpr double narrowest_field_kernel = 0.1;

/// What is wrong with this grid for the packing; empty: nothing.
std::string fault_of(const FieldGrid& grid, const Packing& packing);

}  // namespace beadwave::packing
