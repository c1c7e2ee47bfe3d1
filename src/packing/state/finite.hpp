// Whether a vector is one of finite numbers.
#pragma once

#include "packing/walls/surface_point.hpp"

#include <cmath>

namespace beadwave::packing {

inline bool finite(const Vec3& v) {
    return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}

}  // namespace beadwave::packing
