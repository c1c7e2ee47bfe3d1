#include "packing/walls/mesh_place.hpp"

#include "packing/edges.hpp"
#include "packing/walls/mesh_images.hpp"
#include "packing/walls/mesh_seams.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

namespace beadwave::packing {

ClosestInBox::ClosestInBox(const Wall& wall, const Box& box)
    : wall_(wall), box_(box), repeats_(wall.mesh() != nullptr && box.repeats()) {
    if (!repeats_) return;
    const std::span<const Triangle> own = own_triangles(*wall.mesh(), box);
    Vec3 lower = own.front().corner[0], upper = lower;
    for (const Triangle& triangle : own) {
        for (const Vec3& c : triangle.corner) {
            lower = {std::min(lower.x, c.x), std::min(lower.y, c.y), std::min(lower.z, c.z)};
            upper = {std::max(upper.x, c.x), std::max(upper.y, c.y), std::max(upper.z, c.z)};
        }
    }
    middle_ = 0.5 * (lower + upper);
}

SurfacePoint ClosestInBox::operator()(const Vec3& centre, const Vec3& moved) const {
    if (!repeats_) return wall_.closest(centre, moved);
    // The surface has the images by one period: enough for places within half a period of it.
    const auto from = components(centre - wall_.point() - moved - middle_),
               period = components(box_.upper - box_.lower);
    const auto shift = [&](std::size_t a) {
        return box_.periodic[a] ? std::round(from[a] / period[a]) * period[a] : 0.0;
    };
    const Vec3 image{shift(0), shift(1), shift(2)};
    SurfacePoint at = wall_.closest(centre - image, moved);
    at.point += image;
    return at;
}

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

SurfacePoint wall_contact(const Packing& packing, const Ghost& ghost, const Vec3& moved,
                          MeshContact* contact) {
    const Vec3& centre = packing.position[ghost.of];
    const Wall& wall = packing.walls[static_cast<std::size_t>(ghost.wall)];
    const Mesh* const mesh = wall.mesh();
    if (mesh == nullptr) return wall.closest(centre, moved);
    const Vec3 origin = mesh->point + moved + Edges::of_box(packing.box).shift(ghost.image);
    const NearestPoint at = mesh->surface->contact(patch_of(ghost), centre - origin, infinity);
    if (!at.found()) return {.point = centre, .normal = mesh->axis, .distance = infinity};
    if (contact != nullptr) *contact = {at.normal, at.distance, mesh->surface->is_on_rim(at)};
    return {.point = origin + at.point, .normal = at.normal, .distance = at.distance};
}

}  // namespace

std::vector<SurfacePoint> wall_contacts(const Packing& packing, const NeighbourList& list,
                                        std::span<const Vec3> moved) {
    SeamGhosts seams;
    seams.adopt(list.ghosts, packing.walls);
    std::vector<SurfacePoint> all(list.ghosts.size());
    for (std::size_t g = 0; g < all.size(); ++g) {
        const Ghost& ghost = list.ghosts[g];
        if (ghost.wall < 0) continue;
        all[g] = wall_contact(packing, ghost, moved[static_cast<std::size_t>(ghost.wall)],
                              seams.contact(g));
    }
    seams.update([&](std::size_t particle) { return packing.radius[particle]; },
                 [](std::size_t, std::size_t) { return false; },
                 [&](std::uint32_t ghost) { all[ghost].distance = infinity; },
                 [](std::uint32_t, std::uint32_t) {});
    return all;
}

}  // namespace beadwave::packing
