// A vector as three numbers of a record.
#pragma once

#include "packing/walls/surface_point.hpp"

#include <span>

namespace beadwave::observers {

inline void put_vector(const packing::Vec3& v, std::span<double> out) {
    out[0] = v.x, out[1] = v.y, out[2] = v.z;
}

}  // namespace beadwave::observers
