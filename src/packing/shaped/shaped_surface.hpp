// Where a convex body touches a mesh or a curved wall: at the point of the patch, or of the wall,
// that is deepest in the body (shapes/deepest_point.hpp). For a sphere this is the closest point to
// its centre, as the other engines have it.
//
// The force acts there along the body's normal, which on a face is that of the face. On an edge, a
// corner or a rim the body is the only one that bends: as for spheres, the law takes the wall as
// flat.
//
// A patch and a wall are touched at one point each. A body that is flatter than a hollow of them is
// curved would touch it at two (narrow_hollows.hpp). Superellipsoids in cylinders do.
#pragma once

#include "packing/walls/revolved.hpp"
#include "packing/walls/triangle_surface.hpp"
#include "shapes/superellipsoid.hpp"

#include <vector>

namespace beadwave::packing {

/// A point of a curved wall where a body touches it, among others.
struct PointOnWall {
    double sign = 1.0;     ///< of its energy and force
    Vec3 normal{};         ///< unit, out of the body
    Vec3 arm{};            ///< from the centre of the body [m]
    double overlap = 0.0;  ///< [m]
};

/// The plane through the point of contact that faces the body.
struct SurfaceFacing {
    bool found = false;          ///< false: apart for certain
    Vec3 normal{};               ///< unit, towards the body
    Vec3 arm{};                  ///< from the centre of the body to the point [m]
    double overlap = 0.0;        ///< [m]; below 0: apart
    bool on_rim = false;         ///< of the patch or of the wall
    bool certain = true;         ///< no other direction overlaps less
    std::uint32_t triangle = 0;  ///< of a mesh
    /// Where it touches a cylinder beside that point: facing_of_cylinder.cpp.
    std::vector<PointOnWall> beside{};

    /// The height of the centre of the body above this plane [m].
    double height() const { return -dot(normal, arm); }
};

/// A patch of a mesh; the body is placed and turned from the origin of the surface.
template <class Body>
SurfaceFacing facing_of_patch(const Body&, const TriangleSurface&, std::uint32_t patch);

/// A curved wall whose point is at the origin, for superellipsoids a cylinder without ends;
/// `guess`: the normal of a moment before, towards the body, or zero. Throws std::runtime_error if
/// no search ends on such a point.
template <class Body>
SurfaceFacing facing_of_wall(const Body&, const Revolved&, const Vec3& guess);

/// A cylinder without ends whose point is at the origin.
SurfaceFacing facing_of_cylinder(const shapes::Superellipsoid&, const Revolved&);

/// The plane that faces a ball whose centre is at this height along the normal [m].
SurfaceFacing facing_of_ball(double radius, const Vec3& normal, double height, bool on_rim);

/// Whether the straight way between two places from the point of a curved wall goes through it.
bool goes_through(const Revolved&, const Vec3& from, const Vec3& to);

}  // namespace beadwave::packing
