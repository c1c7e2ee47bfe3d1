// The shape of a wall that a mesh of triangles describes.
#pragma once

#include "packing/walls/surface_point.hpp"
#include "packing/walls/triangle_surface.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>

namespace beadwave::packing {

/// A rotation about an axis, forwards and back.
struct Turn {
    Vec3 axis{.x = 0, .y = 0, .z = 1};  ///< of unit length
    double cosine = 1.0, sine = 0.0;

    static Turn about(const Vec3& axis, double angle);  ///< [rad]
    Vec3 forwards(const Vec3& v) const { return turned(v, sine); }
    Vec3 back(const Vec3& v) const { return turned(v, -sine); }

  private:
    Vec3 turned(const Vec3& v, double s) const {
        if (sine == 0.0 && cosine == 1.0) return v;
        return cosine * v + s * cross(axis, v) + ((1.0 - cosine) * dot(axis, v)) * axis;
    }
};

/// Unlike other shapes (wall.hpp) a mesh turns with its wall, and a particle may touch several of
/// its patches. Engines therefore ask its surface patch by patch: mesh_ghost() in wall_motion.hpp.
struct Mesh {
    Vec3 point{};  ///< the origin of the surface at the start, on the axis of the rotation [m]
    Vec3 axis{.x = 0, .y = 0, .z = 1};  ///< of unit length
    std::shared_ptr<const TriangleSurface> surface;

    // Functions as in Plane (wall.hpp), at the angle of the start.
    const char* fault() const;
    bool is_along_z() const { return false; }
    bool repeats_along(int /*axis*/) const { return true; }
    template <class Visit>
    void each_part(Visit visit) const {
        visit(point);
        visit(axis);
        for (std::size_t t = 0; t < surface->triangles().size(); ++t) {
            for (const Vec3& corner : surface->triangles()[t].corner)
                visit(corner);
            visit(std::uint64_t{surface->patch(t)});
        }
    }
    Vec3 direction() const { return axis; }
    SurfacePoint closest(const Vec3& centre, const Vec3& moved) const;
    struct Start {};
    Start start(const Vec3& /*reference*/, const Vec3& /*from*/) const { return {}; }
    double same_side(const Start& /*start*/) const { return 0.0; }
    Vec3 follow(const Start& /*start*/, const Vec3& reference, const Vec3& displacement,
                const Vec3& from, const Vec3& moved) const {
        return closest(reference + displacement, from + moved).point -
               closest(reference, from).point;
    }
};

}  // namespace beadwave::packing
