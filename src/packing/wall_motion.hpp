// How walls move. Engines also need the middle of the step before the start; there a driven wall is
// where it is at the start.
#pragma once

#include "packing/wall.hpp"

#include <algorithm>
#include <span>
#include <vector>

namespace beadwave::packing {

/// From its position at the start [m].
inline Vec3 wall_displacement(const Wall& wall, double time) {
    Vec3 u = time * wall.velocity;
    if (wall.drive) u += wall.drive->displacement(std::max(time, 0.0)) * wall.direction();
    return u;
}

/// [m/s]
inline Vec3 wall_velocity(const Wall& wall, double time) {
    Vec3 v = wall.velocity;
    if (wall.drive) v += wall.drive->velocity(std::max(time, 0.0)) * wall.direction();
    return v;
}

/// The displacements of all walls [m].
inline std::vector<Vec3> wall_displacements(std::span<const Wall> walls, double time) {
    std::vector<Vec3> all;
    for (const Wall& wall : walls)
        all.push_back(wall_displacement(wall, time));
    return all;
}

/// The motion of a wall in a step that ends at `time` [s].
struct WallStep {
    Vec3 from;       ///< displacement when the neighbour list was built [m]
    Vec3 moved;      ///< displacement since then [m]
    Vec3 half;       ///< velocity in the middle of the step [m/s]
    Vec3 predicted;  ///< velocity at its end [m/s]
};

inline WallStep wall_step(const Wall& wall, const Vec3& at_list, double time, double dt) {
    return {.from = at_list,
            .moved = wall_displacement(wall, time) - at_list,
            .half = wall_velocity(wall, time - 0.5 * dt),
            .predicted = wall_velocity(wall, time)};
}

}  // namespace beadwave::packing
