// Walls: a shape, a material, a motion.
//
// A shape answers for any particle: the closest point of its surface, the normal there, and how
// this point follows the particle. Engines, neighbour list and time step know a wall by these
// answers only. A wall does not rotate: at any time all of its points have the same displacement
// and velocity (wall_motion.hpp). To add a shape, write a type with the members of Plane and list
// it in WallShape.
//
// In a step, friction uses the normal at its end. This is exact for a plane; for a curved wall it
// is of first order in the rotation of the normal in one step.
#pragma once

#include "beadwave/stepping/drive.hpp"
#include "laws/triple.hpp"

#include <cstddef>
#include <optional>
#include <variant>

namespace beadwave::packing {

using Vec3 = laws::Triple<double>;

/// The point of a wall that is closest to the centre of a particle.
struct SurfacePoint {
    Vec3 point;       ///< [m]
    Vec3 normal;      ///< of unit length, towards the particles
    double distance;  ///< of the centre from the surface; negative behind it [m]
};

struct Plane {
    Vec3 point{};                         ///< on the plane at the start [m]
    Vec3 normal{.x = 0, .y = 0, .z = 1};  ///< of unit length, towards the particles

    /// What is wrong with these numbers; null: nothing.
    const char* fault() const;
    /// Whether the shape is the same for all z.
    bool is_along_z() const { return normal.z == 0.0; }

    /// The direction of a driven motion.
    Vec3 direction() const { return normal; }

    /// The closest point to `centre` while the wall is displaced by `moved` [m].
    SurfacePoint closest(const Vec3& centre, const Vec3& moved) const {
        const double distance = dot(normal, centre - point - moved);
        return {.point = centre - distance * normal, .normal = normal, .distance = distance};
    }

    /// The displacement of the closest point [m]: of closest(reference + displacement, from +
    /// moved) from closest(reference, from), without the rounding of large coordinates.
    Vec3 follow(const Vec3& /*reference*/, const Vec3& displacement, const Vec3& /*from*/,
                const Vec3& moved) const {
        return displacement - dot(normal, displacement - moved) * normal;
    }
};

using WallShape = std::variant<Plane>;

struct Wall {
    WallShape shape{};
    std::size_t species = 0;  ///< index into Packing::species_list
    Vec3 velocity{};          ///< constant [m/s]
    /// Motion along the direction of the shape, added to that of the velocity.
    std::optional<stepping::Drive> drive{};

    bool moves() const { return drive || velocity != Vec3{}; }

    // The answers of the shape.
    const char* fault() const {
        return std::visit([](const auto& s) { return s.fault(); }, shape);
    }
    bool is_along_z() const {
        return std::visit([](const auto& s) { return s.is_along_z(); }, shape);
    }
    Vec3 direction() const {
        return std::visit([](const auto& s) { return s.direction(); }, shape);
    }
    SurfacePoint closest(const Vec3& centre, const Vec3& moved) const {
        return std::visit([&](const auto& s) { return s.closest(centre, moved); }, shape);
    }
    Vec3 follow(const Vec3& reference, const Vec3& displacement, const Vec3& from,
                const Vec3& moved) const {
        return std::visit(
            [&](const auto& s) { return s.follow(reference, displacement, from, moved); }, shape);
    }
};

}  // namespace beadwave::packing
