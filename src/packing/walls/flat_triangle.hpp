// Triangles that are only a point or a line.
#pragma once

#include "packing/vector_length.hpp"
#include "packing/walls/triangle_surface.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace beadwave::packing {

/// Whether a triangle is no surface: its height is below 1e-10 of its longest edge. Its corners
/// must be finite.
inline bool is_flat(const Corners& c) {
    constexpr double thinnest = 1e-10;
    double longest = 0.0;
    for (std::size_t k = 0; k < 3; ++k)
        longest = std::max(longest, length_of(c[(k + 1) % 3] - c[k]));
    // In units of the longest edge, so that no square overflows or vanishes.
    const double unit = longest > 0.0 ? 1.0 / longest : 0.0;
    const double area = length_of(cross(unit * (c[1] - c[0]), unit * (c[2] - c[0])));
    return !(area > thinnest) || !std::isfinite(unit) || !std::isnormal(longest * longest);
}

}  // namespace beadwave::packing
