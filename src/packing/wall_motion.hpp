// Where a wall is and how fast, at a time.
#pragma once

#include "packing/packing.hpp"

namespace beadwave::packing {

/// From its place at the start [m].
inline Vec3 wall_displacement(const Wall& wall, double time) {
    Vec3 u = time * wall.velocity;
    if (wall.drive) u += wall.drive->displacement(time) * wall.normal;
    return u;
}

/// [m/s]
inline Vec3 wall_velocity(const Wall& wall, double time) {
    Vec3 v = wall.velocity;
    if (wall.drive) v += wall.drive->velocity(time) * wall.normal;
    return v;
}

}  // namespace beadwave::packing
