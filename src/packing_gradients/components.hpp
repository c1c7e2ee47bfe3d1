// Single components of vectors.
#pragma once

#include "packing_gradients/pair_step.hpp"

#include <cstddef>

namespace beadwave::packing_gradients {

/// axis: 0 to 2.
inline double& component(Vec3& v, std::size_t axis) {
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

inline Vec3 masked(const Vec3& v, const Vec3& mask) {
    return {v.x * mask.x, v.y * mask.y, v.z * mask.z};
}

}  // namespace beadwave::packing_gradients
