// Vectors from and to the numbers of a line.
#pragma once

#include "packing/walls/surface_point.hpp"

namespace beadwave::packing {

inline Vec3 triple(const double* p) {
    return {p[0], p[1], p[2]};
}
inline void put(double* p, Vec3 v) {
    p[0] = v.x;
    p[1] = v.y;
    p[2] = v.z;
}

}  // namespace beadwave::packing
