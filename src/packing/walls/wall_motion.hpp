// How walls move. Engines also need the middle of the step before the start; there a driven wall is
// where it is at the start.
#pragma once

#include "packing/walls/mesh_seams.hpp"
#include "packing/walls/wall.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

namespace beadwave::packing {

/// A gap or overlap below this part of R_1 + R_2 is rounding: the bodies just touch.
inline constexpr double touching = 1e-12;

/// The gap of two bodies that enter the list for the first time [m].
inline double first_gap(double distance, double radii) {
    const double gap = distance - radii;
    return gap < touching * radii && gap > -touching * radii ? 0.0 : gap;
}

// Motion of walls without a load; a load moves a wall as the particles let it (wall_loads.hpp).

/// The displacement of a wall from its position at the start [m].
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

/// The motion of one wall at present.
struct WallMotion {
    Vec3 displacement;  ///< from the start [m]
    Vec3 velocity;      ///< [m/s]
};

/// The motion of a wall in a step.
struct WallStep {
    Vec3 from;       ///< displacement when the neighbour list was built [m]
    Vec3 moved;      ///< displacement since then [m]
    Vec3 half;       ///< velocity in the middle of the step [m/s]
    Vec3 predicted;  ///< velocity at its end [m/s]
    bool moves;      ///< else all velocities are 0
    bool turns;
    Vec3 angular_velocity;        ///< [rad/s]
    Vec3 centre;                  ///< on the axis of the rotation, at the end of the step [m]
    Turn turn_at_list{}, turn{};  ///< of a mesh, when the list was built and now

    /// Velocity of the surface at a point [m/s] from that of the centre.
    Vec3 at(const Vec3& surface, const Vec3& of_centre) const {
        return turns ? of_centre + cross(angular_velocity, surface - centre) : of_centre;
    }
};

/// Where the ghost of a wall is for the geometry of a pair.
struct WallGhost {
    Vec3 reference;     ///< [m]
    Vec3 displacement;  ///< [m]

    Vec3 point() const { return reference + displacement; }
};

/// The angle by which the mesh of a wall is turned at this time [s].
inline Turn mesh_turn(const Wall& wall, double time) {
    if (!wall.mesh_turns()) return {};
    return Turn::about(wall.direction(), wall.angular_velocity * time);
}

/// The gap between a particle of this radius [m] and a wall when they enter the list [m]. The ghost
/// of a mesh is always at the same reference, one radius away.
inline double first_wall_gap(const Wall& wall, const Vec3& reference, const Vec3& moved,
                             double radius) {
    if (wall.mesh() != nullptr) return 0.0;
    return first_gap(wall.closest(reference, moved).distance, radius);
}

/// Whether a new list keeps the gap of this pair (wall -1: of particles). The overlap of a mesh
/// does not depend on the list; to carry its rounding over would add up from list to list.
inline bool has_fixed_gap(std::span<const Wall> walls, std::int32_t wall) {
    return wall >= 0 && walls[static_cast<std::size_t>(wall)].mesh() != nullptr;
}

/// wall_ghost() of a patch of a mesh.
WallGhost mesh_ghost(const Mesh& mesh, std::uint32_t patch, const Vec3& reference,
                     const Vec3& displacement, double radius, const WallStep& step,
                     MeshContact* contact);

/// Below this part of the radius above a wall, the ghost stays behind the surface.
inline constexpr double low_above_wall = 1e-3;

/// A particle next to a wall when the neighbour list was built.
struct alignas(64) WallFacing {
    /// While the square of the particle's way relative to the wall is less, its ghost is the
    /// closest point in any case [m^2].
    double spare_squared;
    SurfacePoint surface;
};

/// `from`: the displacement of the wall then.
inline WallFacing facing_of_wall(const Wall& wall, const WallStart& start, const Vec3& reference,
                                 const Vec3& from, double radius) {
    WallFacing facing{};
    if (wall.mesh() != nullptr) return facing;  // it has patches
    facing.surface = wall.closest(reference, from);
    // The distance changes by no more than the particle moves.
    const double spare =
        std::min(facing.surface.distance - 2.0 * low_above_wall * radius, wall.same_side(start));
    if (spare > 0.0) facing.spare_squared = spare * spare;
    return facing;
}

/// The ghost of a wall that a particle of this radius [m] faces: the closest point of its surface.
/// The normal of a pair is the direction between its two bodies, which is lost when the centre
/// comes to the surface. From there on the ghost stays behind the surface, far enough to have a
/// direction, and its reference lies so that the overlap is still the radius minus the height of
/// the centre. The forces of the wall are then right to any depth, but not the arms of friction; a
/// run fails there (deep_contact.hpp). `contact`, if given, becomes that with the patch of a mesh.
/// `facing` and `start`: for this reference and step.from.
inline WallGhost wall_ghost(const Wall& wall, const WallFacing& facing, const WallStart& start,
                            const Vec3& reference, const Vec3& displacement, double radius,
                            const WallStep& step, std::uint32_t patch = 0,
                            MeshContact* contact = nullptr) {
    if (const Mesh* const mesh = wall.mesh())
        return mesh_ghost(*mesh, patch, reference, displacement, radius, step, contact);
    const SurfacePoint& before = facing.surface;
    const auto follow = [&] {
        return WallGhost{
            .reference = before.point,
            .displacement = wall.follow(start, reference, displacement, step.from, step.moved)};
    };
    const Vec3 approach = displacement - step.moved;
    if (dot(approach, approach) < facing.spare_squared) return follow();
    SurfacePoint now = wall.closest(reference + displacement, step.from + step.moved);
    if (dot(before.normal, now.normal) < 0.0) {  // now behind a surface that has two sides
        now.normal = -now.normal;
        now.distance = -now.distance;
    }
    if (now.distance > low_above_wall * radius && before.distance > low_above_wall * radius)
        return follow();
    // With the ghost at r0 = -a n and r0 + d = -b n from the particle, the overlap is
    // R - h_0 - (b^2 - a^2) / (b + h_0): see pair_kinematics.hpp. It is R - h for this a.
    const double b = radius + std::abs(before.distance);
    const double a = std::sqrt(b * b + (before.distance - now.distance) * (b + before.distance));
    return {.reference = reference - a * now.normal,
            .displacement = displacement + (a - b) * now.normal};
}

/// The same from the reference alone.
inline WallGhost wall_ghost(const Wall& wall, const Vec3& reference, const Vec3& displacement,
                            double radius, const WallStep& step, std::uint32_t patch = 0,
                            MeshContact* contact = nullptr) {
    const WallStart start = wall.start(reference, step.from);
    return wall_ghost(wall, facing_of_wall(wall, start, reference, step.from, radius), start,
                      reference, displacement, radius, step, patch, contact);
}

}  // namespace beadwave::packing
