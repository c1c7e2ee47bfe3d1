// What the shape of a wall answers for a particle.
#pragma once

#include "laws/triple.hpp"

namespace beadwave::packing {

using Vec3 = laws::Triple<double>;

/// The point of a wall that is closest to the centre of a particle.
struct SurfacePoint {
    Vec3 point;       ///< [m]
    Vec3 normal;      ///< of unit length, towards the particles
    double distance;  ///< of the centre from the surface; negative behind it [m]
};

}  // namespace beadwave::packing
