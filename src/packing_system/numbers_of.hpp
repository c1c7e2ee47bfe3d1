// Vectors and quaternions as the numbers that a history holds.
#pragma once

#include "packing/packing.hpp"

#include <span>

namespace beadwave::running {

static_assert(sizeof(packing::Vec3) == 3 * sizeof(double));
static_assert(sizeof(shapes::Quaternion) == 4 * sizeof(double));

inline std::span<const double> numbers_of(std::span<const packing::Vec3> vectors) {
    return {reinterpret_cast<const double*>(vectors.data()), 3 * vectors.size()};
}

inline std::span<const double> numbers_of(std::span<const shapes::Quaternion> quaternions) {
    return {reinterpret_cast<const double*>(quaternions.data()), 4 * quaternions.size()};
}

}  // namespace beadwave::running
