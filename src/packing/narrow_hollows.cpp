#include "packing/narrow_hollows.hpp"

#include "packing/vector_length.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace beadwave::packing {
namespace {

/// A triangle over whose middle a sphere goes through its patch elsewhere; none.
std::optional<std::size_t> first_hollow(const TriangleSurface& surface, double radius) {
    constexpr double least_depth = 1e-2;  // of the radius: facets of a wide hollow are no hollow
    const auto goes_through = [&](std::size_t t, const Vec3& middle, const Vec3& normal) {
        const Vec3 centre = middle + radius * normal;
        const NearestPoint at = surface.nearest(centre, (1.0 - least_depth) * radius);
        if (!at.found() || surface.patch(at.triangle) != surface.patch(t)) return false;
        // Two sides of one patch, as seen from the sphere, and nothing between it and the first.
        const double turned = std::acos(std::clamp(dot(at.normal, normal), -1.0, 1.0));
        return turned > TriangleSurface::usual_feature_angle &&
               !surface.is_between(middle + 1e-3 * radius * normal, centre);
    };
    for (std::size_t t = 0; t < surface.triangles().size(); ++t) {
        const Triangle& triangle = surface.triangles()[t];
        const Vec3 middle =
            (1.0 / 3.0) * (triangle.corner[0] + triangle.corner[1] + triangle.corner[2]);
        if (goes_through(t, middle, triangle.normal) || goes_through(t, middle, -triangle.normal))
            return t;
    }
    return std::nullopt;
}

}  // namespace

std::optional<std::string> narrow_hollow(const Packing& packing) {
    if (packing.particles() == 0) return std::nullopt;
    const double radius = *std::ranges::max_element(packing.radius);
    for (std::size_t w = 0; w < packing.walls.size(); ++w) {
        const Mesh* const mesh = packing.walls[w].mesh();
        if (mesh == nullptr) continue;
        const auto triangle = first_hollow(*mesh->surface, radius);
        if (!triangle) continue;
        const Vec3 at = mesh->point + mesh->surface->triangles()[*triangle].corner[0];
        return fmt::format(
            "wall {}: its mesh is hollow at ({:.4g}, {:.4g}, {:.4g}) m, and narrower there than a "
            "particle of radius {:g} m, which touches it on two sides. The triangles form one "
            "smooth patch, which is touched at one point: the contact flips from side to side. A "
            "feature_angle below the bends there parts the sides",
            w, at.x, at.y, at.z, radius);
    }
    return std::nullopt;
}

}  // namespace beadwave::packing
