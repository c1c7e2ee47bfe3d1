// Walls: a shape, a material, a motion.
//
// A shape answers for any particle: the closest point of its surface, the normal there, and how
// this point follows the particle. Engines, neighbour list and time step know a wall by these
// answers only. A wall moves without turning, except about its own axis, which leaves the shape
// where it is (wall_motion.hpp); only a mesh (mesh_wall.hpp) turns. To add a shape, write a type
// with the members of Plane and list it in WallShape.
//
// Contact laws take every wall as flat.
//
// In a step, friction uses the normal at its end. This is exact for a plane; for a curved wall it
// is of first order in the rotation of the normal in one step.
#pragma once

#include "beadwave/stepping/drive.hpp"
#include "packing/walls/mesh_wall.hpp"
#include "packing/walls/revolved.hpp"
#include "packing/walls/surface_point.hpp"

#include <cstddef>
#include <limits>
#include <optional>
#include <variant>

namespace beadwave::packing {

struct Plane {
    Vec3 point{};                         ///< on the plane at the start [m]
    Vec3 normal{.x = 0, .y = 0, .z = 1};  ///< of unit length, towards the particles

    /// What is wrong with these numbers; null: nothing.
    const char* fault() const;
    /// Whether the shape is the same for all z.
    bool is_along_z() const { return normal.z == 0.0; }

    /// Whether a box that repeats along axis 0, 1 or 2 can repeat the shape.
    bool repeats_along(int /*axis*/) const { return true; }
    /// Calls visit(vector or number) for all that the shape is, in a fixed order.
    template <class Visit>
    void each_part(Visit visit) const {
        visit(point);
        visit(normal);
    }

    /// The direction of a driven motion and of a load, and the axis of a rotation through `point`.
    Vec3 direction() const { return normal; }

    /// The closest point to `centre` while the wall is displaced by `moved` [m].
    SurfacePoint closest(const Vec3& centre, const Vec3& moved) const {
        const double distance = dot(normal, centre - point - moved);
        return {.point = centre - distance * normal, .normal = normal, .distance = distance};
    }

    /// What follow() needs of a particle at `reference` and the wall displaced by `from`.
    struct Start {};
    Start start(const Vec3& /*reference*/, const Vec3& /*from*/) const { return {}; }
    /// The normal turns by less than a right angle while the particle moves by no more than this
    /// from there, relative to the wall [m].
    double same_side(const Start& /*start*/) const {
        return std::numeric_limits<double>::infinity();
    }
    /// The displacement of the closest point [m]: of closest(reference + displacement, from +
    /// moved) from closest(reference, from), without the rounding of large coordinates.
    Vec3 follow(const Start& /*start*/, const Vec3& /*reference*/, const Vec3& displacement,
                const Vec3& /*from*/, const Vec3& moved) const {
        return displacement - dot(normal, displacement - moved) * normal;
    }
};

using WallShape = std::variant<Plane, Revolved, Mesh>;
/// Start of the shape with the same place in WallShape.
using WallStart = std::variant<Plane::Start, Revolved::Start, Mesh::Start>;

/// A wall with a mass, which moves along its direction as forces push it: those of the particles,
/// gravity, and force + gain (target_velocity - velocity). Across its direction it moves with
/// Wall::velocity.
struct Load {
    double mass = 0.0;             ///< [kg], above 0
    double force = 0.0;            ///< along the direction [N]
    double target_velocity = 0.0;  ///< along the direction [m/s]
    double gain = 0.0;             ///< [N s/m]
    double start = 0.0;            ///< until then the wall is held where it is [s]
};

struct Wall {
    WallShape shape{};
    std::size_t species = 0;  ///< index into Packing::species_list
    Vec3 velocity{};          ///< constant [m/s]
    /// Motion along the direction of the shape, added to that of the velocity.
    std::optional<stepping::Drive> drive{};

    std::optional<Load> load{};     ///< then no other motion along the direction
    double angular_velocity = 0.0;  ///< about the direction [rad/s]

    bool moves() const { return drive || load || angular_velocity != 0.0 || velocity != Vec3{}; }

    /// The shape as a mesh; null: another one.
    const Mesh* mesh() const { return std::get_if<Mesh>(&shape); }
    bool mesh_turns() const { return angular_velocity != 0.0 && mesh() != nullptr; }

    // The answers of the shape.
    const char* fault() const {
        return std::visit([](const auto& s) { return s.fault(); }, shape);
    }
    bool is_along_z() const {
        return std::visit([](const auto& s) { return s.is_along_z(); }, shape);
    }
    bool repeats_along(int axis) const {
        return std::visit([&](const auto& s) { return s.repeats_along(axis); }, shape);
    }
    /// The point of the shape at the start [m].
    Vec3 point() const {
        return std::visit([](const auto& s) { return s.point; }, shape);
    }
    Vec3 direction() const {
        return std::visit([](const auto& s) { return s.direction(); }, shape);
    }
    SurfacePoint closest(const Vec3& centre, const Vec3& moved) const {
        return std::visit([&](const auto& s) { return s.closest(centre, moved); }, shape);
    }
    WallStart start(const Vec3& reference, const Vec3& from) const {
        return std::visit([&](const auto& s) -> WallStart { return s.start(reference, from); },
                          shape);
    }
    double same_side(const WallStart& its_start) const {
        return std::visit([&](const auto& s) { return s.same_side(of(s, its_start)); }, shape);
    }
    Vec3 follow(const WallStart& its_start, const Vec3& reference, const Vec3& displacement,
                const Vec3& from, const Vec3& moved) const {
        return std::visit(
            [&](const auto& s) {
                return s.follow(of(s, its_start), reference, displacement, from, moved);
            },
            shape);
    }

  private:
    template <class Shape>
    static const typename Shape::Start& of(const Shape& /*shape*/, const WallStart& start) {
        return *std::get_if<typename Shape::Start>(&start);
    }
};

}  // namespace beadwave::packing
