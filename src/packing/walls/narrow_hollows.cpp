#include "packing/walls/narrow_hollows.hpp"

#include "packing/vector_length.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace beadwave::packing {
namespace {

/// A triangle over whose middle a sphere goes through its patch elsewhere, no farther from there
/// than `reach` [m]; none.
std::optional<std::size_t> first_hollow(const TriangleSurface& surface, double radius,
                                        double reach) {
    constexpr double least_depth = 1e-2;  // of the radius: facets of a wide hollow are no hollow
    const auto goes_through = [&](std::size_t t, const Vec3& middle, const Vec3& normal) {
        const Vec3 centre = middle + radius * normal;
        const NearestPoint at = surface.nearest(centre, (1.0 - least_depth) * radius);
        if (!at.found() || surface.patch(at.triangle) != surface.patch(t)) return false;
        if (length_of(at.point - middle) > reach) return false;
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

/// The largest radius of curvature of what touches: of an ellipsoid where it is the flattest, of a
/// clump that of its largest ball.
double flattest(const Packing& packing, std::size_t particle) {
    if (!packing.has_shapes()) return packing.radius[particle];
    if (packing.is_clump(particle)) {
        double largest = 0.0;
        for (const shapes::Ball& ball : packing.clumps[particle]->balls)
            largest = std::max(largest, ball.radius);
        return largest;
    }
    const Vec3& a = packing.semi_axes[particle];
    const auto [least, most] = std::minmax({a.x, a.y, a.z});
    return least == most ? most : most * most / least;
}

/// An ellipsoid in a cylinder, or in the wide end of a cone, that bends more than it does.
std::optional<std::string> narrow_cylinder(const Packing& packing, std::size_t w, double radius) {
    const auto* const curved = std::get_if<Revolved>(&packing.walls[w].shape);
    if (curved == nullptr || curved->length == 0.0 || !packing.has_shapes()) return std::nullopt;
    const double widest = std::max(curved->radius_1, curved->radius_2);
    if (!(radius > widest)) return std::nullopt;
    // Superellipsoids touch it in all places (shaped/facing_of_cylinder.cpp).
    if (curved->is_endless()) {
        radius = 0.0;
        for (std::size_t i = 0; i < packing.particles(); ++i)
            if (!packing.is_superellipsoid(i)) radius = std::max(radius, flattest(packing, i));
        if (!(radius > widest)) return std::nullopt;
    }
    return fmt::format(
        "wall {}: bends with a radius of {:g} m at its widest, and the flattest ellipsoid with one "
        "of {:g} m, so that it touches the inside in two places. A wall is touched at one point: "
        "the contact flips from side to side. A clump of spheres touches it everywhere",
        w, widest, radius);
}

}  // namespace

std::optional<std::string> narrow_hollow(const Packing& packing) {
    if (packing.particles() == 0) return std::nullopt;
    double radius = 0.0;
    packing.each_alike(
        [&](std::size_t i, std::size_t) { radius = std::max(radius, flattest(packing, i)); });
    const double reach = 2.0 * packing.radius.largest();
    for (std::size_t w = 0; w < packing.walls.size(); ++w) {
        if (auto warning = narrow_cylinder(packing, w, radius)) return warning;
        const Mesh* const mesh = packing.walls[w].mesh();
        if (mesh == nullptr) continue;
        const auto triangle = first_hollow(*mesh->surface, radius, reach);
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
