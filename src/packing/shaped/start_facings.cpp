#include "packing/shaped/start_facings.hpp"

#include "packing/edges.hpp"
#include "packing/vector_length.hpp"
#include "packing/walls/mesh_images.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

namespace beadwave::packing {
namespace {

/// A patch near a place, and where the origin of its image is [m].
struct PatchNear {
    std::uint32_t patch;
    Vec3 origin;
};

class PatchesOfMesh {
  public:
    PatchesOfMesh(const Mesh& mesh, const Box& box) : mesh_(mesh), edges_(Edges::of_box(box)) {
        if (box.repeats()) images_.emplace(mesh, box);
    }

    std::vector<PatchNear> near(const Vec3& place, double within) const {
        std::vector<PatchNear> all;
        const Vec3 from = place - mesh_.point;
        if (images_) {
            images_->each_near(from, within, [&](auto patch, const auto& image) {
                all.push_back({patch & patch_mask, mesh_.point + edges_.shift(image)});
            });
            return all;
        }
        for (const std::uint32_t patch : mesh_.surface->patches_near(from, within))
            all.push_back({patch, mesh_.point});
        return all;
    }

    bool is_between(const Vec3& from, const Vec3& to) const {
        return std::ranges::any_of(near(from, length_of(to - from)), [&](const PatchNear& at) {
            return mesh_.surface->is_between(from - at.origin, to - at.origin);
        });
    }

  private:
    const Mesh& mesh_;
    Edges edges_;
    std::optional<MeshImages> images_;
};

/// visit(wall, its patches if it is a mesh) for the walls that are no planes.
template <class Visit>
void visit_curved_walls(const Packing& packing, const Visit& visit) {
    for (std::size_t w = 0; w < packing.walls.size(); ++w) {
        const Wall& wall = packing.walls[w];
        std::optional<PatchesOfMesh> patches;
        if (wall.mesh() != nullptr)
            patches.emplace(*wall.mesh(), packing.box);
        else if (std::holds_alternative<Plane>(wall.shape))
            continue;
        visit(w, patches ? &*patches : nullptr);
    }
}

bool is_beyond(const Wall& wall, const PatchesOfMesh* patches, const Vec3& from, const Vec3& to) {
    if (patches != nullptr) return patches->is_between(from, to);
    const auto& curved = std::get<Revolved>(wall.shape);
    return goes_through(curved, from - curved.point, to - curved.point);
}

}  // namespace

void visit_start_facings(
    const Packing& packing,
    const std::function<void(const ShapedMember&, std::size_t, const SurfaceFacing&)>& visit) {
    visit_curved_walls(packing, [&](std::size_t w, const PatchesOfMesh* patches) {
        const Wall& wall = packing.walls[w];
        for (std::size_t i = 0; i < packing.particles(); ++i) {
            if (packing.is_held(i) || packing.waits(i)) continue;
            const ShapedParticle body = particle_at_start(packing, i);
            for (const ShapedMember& member : members_of(packing, i)) {
                const Vec3 centre = body.start + member.place;
                const auto take = [&](const SurfaceFacing& facing) {
                    if (facing.found) visit(member, w, facing);
                };
                if (patches != nullptr) {
                    const TriangleSurface& surface = *wall.mesh()->surface;
                    for (const PatchNear& near : patches->near(centre, member.radius)) {
                        const Vec3 place = centre - near.origin;
                        if (!member.is_ball()) {
                            take(facing_of_patch(body.shape_at(place), surface, near.patch));
                            continue;
                        }
                        const NearestPoint at = surface.contact(near.patch, place, member.radius);
                        if (at.found())
                            take(facing_of_ball(member.radius, at.normal, at.distance, false));
                    }
                    continue;
                }
                const SurfacePoint at = wall.closest(centre, {});
                if (!(at.distance < member.radius)) continue;
                take(member.is_ball() ? facing_of_ball(member.radius, at.normal, at.distance, false)
                                      : facing_of_wall(body.shape_at(centre - wall.point()),
                                                       std::get<Revolved>(wall.shape), {}));
            }
        }
    });
}

std::string fault_of_start_places(const Packing& packing) {
    std::string wrong;
    visit_curved_walls(packing, [&](std::size_t w, const PatchesOfMesh* patches) {
        for (std::size_t i = 0; wrong.empty() && i < packing.particles(); ++i) {
            if (!packing.is_clump(i) || packing.is_fixed(i) || packing.waits(i)) continue;
            const Vec3& centre = packing.position[i];
            for (const ShapedMember& member : members_of(packing, i)) {
                if (!is_beyond(packing.walls[w], patches, centre, centre + member.place)) continue;
                wrong = fmt::format(
                    "wall {}: goes through the clump that is particle {}; expected all its spheres "
                    "on one side",
                    w, i);
                break;
            }
        }
    });
    return wrong;
}

}  // namespace beadwave::packing
