#include "packing/walls/wall.hpp"

#include <cmath>

namespace beadwave::packing {

const char* Plane::fault() const {
    if (!(std::isfinite(point.x) && std::isfinite(point.y) && std::isfinite(point.z)))
        return "point is not finite";
    if (!(std::abs(dot(normal, normal) - 1.0) < 1e-12)) return "normal is not of unit length";
    return nullptr;
}

}  // namespace beadwave::packing
