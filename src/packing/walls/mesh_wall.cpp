#include "packing/walls/mesh_wall.hpp"

#include "packing/walls/wall_motion.hpp"

#include <cmath>
#include <limits>

namespace beadwave::packing {

Turn Turn::about(const Vec3& axis, double angle) {
    return {axis, std::cos(angle), std::sin(angle)};
}

const char* Mesh::fault() const {
    if (!(std::isfinite(point.x) && std::isfinite(point.y) && std::isfinite(point.z)))
        return "point is not finite";
    if (!(std::abs(dot(axis, axis) - 1.0) < 1e-12)) return "axis is not of unit length";
    if (surface == nullptr) return "has no triangles";
    return nullptr;
}

SurfacePoint Mesh::closest(const Vec3& centre, const Vec3& moved) const {
    const Vec3 origin = point + moved;
    const NearestPoint at =
        surface->nearest(centre - origin, std::numeric_limits<double>::infinity());
    return {.point = origin + at.point, .normal = at.normal, .distance = at.distance};
}

WallGhost mesh_ghost(const Mesh& mesh, std::uint32_t patch, const Vec3& reference,
                     const Vec3& displacement, double radius, const WallStep& step,
                     MeshContact* contact) {
    const Vec3 from_origin = reference - mesh.point - step.from;
    const Vec3 place = step.turn.back(from_origin + (displacement - step.moved));
    const NearestPoint at = mesh.surface->contact(patch, place, 2.0 * radius);
    // With the ghost at r0 = -a n and r0 + d = -b n from the particle, and no gap, the overlap is
    // (a^2 - b^2) / (b + R) + ...: see pair_kinematics.hpp. It is R - b for a = R.
    if (contact != nullptr) *contact = {};
    if (!at.found()) {
        const Vec3 far = step.turn.forwards(mesh.axis);
        return {.reference = reference - radius * far, .displacement = displacement - radius * far};
    }
    Vec3 normal = step.turn.forwards(at.normal);
    double height = at.distance;
    const Vec3 start = step.turn_at_list.back(from_origin);
    if (const Vec3 way = place - start;
        dot(way, way) > height * height && mesh.surface->is_between(start, place)) {
        height = -height;  // the centre went through the surface
        normal = -normal;
    }
    if (contact != nullptr)
        *contact = {normal, height, mesh.surface->is_on_rim(at), {}, at.triangle};
    constexpr double low = 1e-3;  // of the radius
    if (height > low * radius) {
        return {.reference = reference - radius * normal,
                .displacement = displacement + (radius - height) * normal};
    }
    // The normal of the pair is lost when the centre comes to the surface. From there on the ghost
    // stays behind it, at b = 2 R, and a is such that the overlap is still the radius minus the
    // height: R - a^2 / (3 R) + ... = R - h.
    const double a = std::sqrt(7.0 * radius * radius - 3.0 * radius * height);
    return {.reference = reference - a * normal,
            .displacement = displacement + (a - 2.0 * radius) * normal};
}

}  // namespace beadwave::packing
