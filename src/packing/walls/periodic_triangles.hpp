// The triangles of a mesh and their images by one period of the box.
#pragma once

#include "packing/edges.hpp"
#include "packing/packing.hpp"
#include "packing/walls/triangle_surface.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace beadwave::packing {

/// Periods along x, y and z.
using Image = std::array<std::int32_t, 3>;

inline std::array<double, 3> periods_of(const Box& box) {
    return components(box.upper - box.lower);
}

/// All images by one period, in the order of the surface's triangles; the middle one is no image.
std::vector<Image> images_of(const Box& box);

struct MeshExtent {
    std::array<double, 3> lower, upper;

    MeshExtent() {
        lower.fill(std::numeric_limits<double>::infinity());
        upper.fill(-std::numeric_limits<double>::infinity());
    }
    void include(const Vec3& corner) {
        const auto at = components(corner);
        for (std::size_t a = 0; a < 3; ++a) {
            lower[a] = std::min(lower[a], at[a]);
            upper[a] = std::max(upper[a], at[a]);
        }
    }
};

MeshExtent extent_of(const std::vector<Corners>& triangles);

/// Sums of a corner and periods are exact.
struct Rounding {
    double quantum;

    explicit Rounding(double largest) : quantum(std::exp2(std::ceil(std::log2(largest)) - 42.0)) {}
    double operator()(double x) const { return std::round(x / quantum) * quantum; }
    Vec3 operator()(const Vec3& v) const { return {(*this)(v.x), (*this)(v.y), (*this)(v.z)}; }
};

/// Makes corners that meet across a side of the box one.
void join_sides(std::vector<Corners>& triangles, const Box& box, const Rounding& rounding);

/// The triangles of each of images_of(), one image after the other.
std::vector<Corners> copies_of(const std::vector<Corners>& triangles, const Box& box,
                               const Rounding& rounding);

}  // namespace beadwave::packing
