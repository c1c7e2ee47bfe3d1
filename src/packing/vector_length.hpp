// The length of a vector and its components. Not for vector code, whose instruction set a function
// that is not inlined would take over.
#pragma once

#include "packing/walls/surface_point.hpp"

#include <cmath>

namespace beadwave::packing {

inline double length_of(const Vec3& v) {
    return std::sqrt(dot(v, v));
}

inline constexpr double Vec3::*axes[] = {&Vec3::x, &Vec3::y, &Vec3::z};

}  // namespace beadwave::packing
