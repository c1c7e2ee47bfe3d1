// Displacement and velocity of a wall at a given time. Engines also need the middle of the step
// before the start; there a driven wall is where it is at the start.
#pragma once

#include "packing/packing.hpp"

#include <algorithm>

namespace beadwave::packing {

/// From its position at the start [m].
inline Vec3 wall_displacement(const Wall& wall, double time) {
    Vec3 u = time * wall.velocity;
    if (wall.drive) u += wall.drive->displacement(std::max(time, 0.0)) * wall.normal;
    return u;
}

/// [m/s]
inline Vec3 wall_velocity(const Wall& wall, double time) {
    Vec3 v = wall.velocity;
    if (wall.drive) v += wall.drive->velocity(std::max(time, 0.0)) * wall.normal;
    return v;
}

}  // namespace beadwave::packing
