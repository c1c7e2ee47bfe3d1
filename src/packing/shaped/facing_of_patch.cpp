// The deepest point of a patch of triangles.

#include "packing/shaped/shaped_surface.hpp"
#include "shapes/deepest_point.hpp"

#include <algorithm>
#include <optional>
#include <vector>

namespace beadwave::packing {
namespace {

struct Beyond {
    std::uint32_t triangle;
    shapes::DeepPoint plane;
};

template <class Body>
Bounds3 bounds_of(const Body& body) {
    const Vec3 size{reach(body, {1.0, 0.0, 0.0}), reach(body, {0.0, 1.0, 0.0}),
                    reach(body, {0.0, 0.0, 1.0})};
    return {body.centre - size, body.centre + size};
}

bool meet(const Bounds3& a, const Bounds3& b) {
    return a.lower.x <= b.upper.x && b.lower.x <= a.upper.x && a.lower.y <= b.upper.y &&
           b.lower.y <= a.upper.y && a.lower.z <= b.upper.z && b.lower.z <= a.upper.z;
}

/// An upper limit of the depth of a triangle.
template <class Body>
double depth_along(const Body& body, const Triangle& triangle, const Vec3& n) {
    double lowest = dot(n, triangle.corner[0] - body.centre);
    for (const std::size_t k : {1, 2})
        lowest = std::min(lowest, dot(n, triangle.corner[k] - body.centre));
    return reach(body, n) - lowest;
}

}  // namespace

template <class Body>
SurfaceFacing facing_of_patch(const Body& body, const TriangleSurface& surface,
                              std::uint32_t patch) {
    const std::vector<Triangle>& all = surface.triangles();
    const Bounds3 around = bounds_of(body);
    std::optional<shapes::DeepPoint> best;
    NearestPoint at;
    std::vector<Beyond> beyond;
    const auto take = [&](const shapes::DeepPoint& point, std::uint32_t t, bool on_edge) {
        if (best && !(point.depth > best->depth)) return;
        best = point;
        at.triangle = t;
        at.on_edge = on_edge;
    };
    surface.each_of_patch(
        patch, [&](const Bounds3& box) { return meet(box, around); },
        [&](std::uint32_t t) {
            const shapes::DeepPoint plane = deepest_of_plane(body, all[t].corner[0], all[t].normal);
            if (!(plane.depth > 0.0)) return;
            if (shapes::is_in(all[t].corner, all[t].normal, plane.point))
                take(plane, t, false);
            else
                beyond.push_back({t, plane});
        });
    // No part of a triangle is deeper than its plane, nor than its corners along the normal of the
    // deepest point so far.
    std::ranges::stable_sort(
        beyond, [](const Beyond& a, const Beyond& b) { return a.plane.depth > b.plane.depth; });
    const double rounding = 1e-13 * (reach(body, {1.0, 0.0, 0.0}) + reach(body, {0.0, 1.0, 0.0}) +
                                     reach(body, {0.0, 0.0, 1.0}));
    for (const Beyond& each : beyond) {
        const double least = best ? best->depth + rounding : 0.0;
        if (!(each.plane.depth > least)) break;
        const Triangle& triangle = all[each.triangle];
        if (best && !(depth_along(body, triangle, best->normal) > least)) continue;
        take(deepest_of_edges(body, triangle.corner, triangle.normal, each.plane), each.triangle,
             true);
    }
    if (!best) return {};
    at.point = best->point;
    at.normal = -best->normal;
    return {.found = true,
            .normal = -best->normal,
            .arm = best->point - body.centre,
            .overlap = best->depth,
            .on_rim = surface.is_on_rim(at),
            .certain = best->certain,
            .triangle = at.triangle};
}

template SurfaceFacing facing_of_patch(const shapes::Ellipsoid&, const TriangleSurface&,
                                       std::uint32_t);
template SurfaceFacing facing_of_patch(const shapes::Superellipsoid&, const TriangleSurface&,
                                       std::uint32_t);

}  // namespace beadwave::packing
