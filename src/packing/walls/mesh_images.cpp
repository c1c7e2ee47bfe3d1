#include "packing/walls/mesh_images.hpp"

#include "beadwave/argument_error.hpp"
#include "packing/vector_length.hpp"
#include "packing/walls/periodic_triangles.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <memory>

namespace beadwave::packing {
namespace {

/// The images of the triangle with the lowest number in one patch of a surface with images.
struct PatchImages {
    std::uint32_t lowest = std::numeric_limits<std::uint32_t>::max();  // own number of a triangle
    std::vector<Image> of_lowest;                                      // images of it in the patch

    bool winds(std::size_t axis) const {
        return std::ranges::any_of(
            of_lowest, [&](const Image& image) { return image[axis] != of_lowest.front()[axis]; });
    }
    /// It is the one that counts of those that are images of each other.
    bool is_own() const {
        return std::ranges::any_of(of_lowest, [&](const Image& image) {
            bool own = true;
            for (std::size_t a = 0; a < 3; ++a)
                own = own && (image[a] == 0 || winds(a));
            return own;
        });
    }
};

std::vector<PatchImages> patches_of(const TriangleSurface& surface, const Box& box) {
    const std::vector<Image> images = images_of(box);
    const std::size_t count = surface.triangles().size() / images.size();
    std::vector<PatchImages> patches(surface.patches());
    for (std::size_t k = 0; k < images.size(); ++k) {
        for (std::size_t t = 0; t < count; ++t) {
            PatchImages& patch = patches[surface.patch(k * count + t)];
            if (t > patch.lowest) continue;
            if (t < patch.lowest) patch.of_lowest.clear();
            patch.lowest = static_cast<std::uint32_t>(t);
            patch.of_lowest.push_back(images[k]);
        }
    }
    return patches;
}

constexpr std::uint32_t no_patch = std::numeric_limits<std::uint32_t>::max();

/// The patch that counts for each own triangle. `no_patch`: not one patch does, or it does not hold
/// the triangle once; along the axes on which it winds, once per period. Or it holds the triangle
/// where the images end, without those that may meet it there.
std::vector<std::uint32_t> counting_patches(const TriangleSurface& surface, const Box& box,
                                            const std::vector<PatchImages>& patches) {
    const std::vector<Image> images = images_of(box);
    const std::size_t count = surface.triangles().size() / images.size();
    std::vector<std::uint32_t> counting(count, no_patch);
    std::vector<std::uint32_t> held(count);  // a bit for each image along the winding axes
    std::vector<char> wrong(count);
    MeshExtent extent;
    for (const Triangle& triangle : surface.triangles()) {
        for (const Vec3& corner : triangle.corner)
            extent.include(corner);
    }
    constexpr double same_place = 1e-5;  // of the period; above that of a surface of 3 periods
    const auto period = periods_of(box);
    const auto is_at_end = [&](const Triangle& triangle, std::size_t a) {
        return std::ranges::any_of(triangle.corner, [&](const Vec3& corner) {
            const double x = components(corner)[a], near = same_place * period[a];
            return x - extent.lower[a] < near || extent.upper[a] - x < near;
        });
    };
    for (std::size_t k = 0; k < images.size(); ++k) {
        for (std::size_t t = 0; t < count; ++t) {
            const std::uint32_t p = surface.patch(k * count + t);
            const PatchImages& patch = patches[p];
            if (!patch.is_own()) continue;
            std::int32_t image = 0;
            for (std::size_t a = 0; a < 3; ++a) {
                image = 3 * image + (patch.winds(a) ? images[k][a] + 1 : 0);
                if (box.periodic[a] && !patch.winds(a) &&
                    is_at_end(surface.triangles()[k * count + t], a))
                    wrong[t] = 1;
            }
            const std::uint32_t bit = 1U << static_cast<std::uint32_t>(image);
            if (counting[t] == no_patch) counting[t] = p;
            if (counting[t] != p || (held[t] & bit) != 0) wrong[t] = 1;
            held[t] |= bit;
        }
    }
    for (std::size_t t = 0; t < count; ++t) {
        if (counting[t] == no_patch) continue;
        int all = 1;
        for (std::size_t a = 0; a < 3; ++a)
            if (patches[counting[t]].winds(a)) all *= 3;
        if (wrong[t] != 0 || std::popcount(held[t]) != all) counting[t] = no_patch;
    }
    return counting;
}

/// What is wrong with the patches of a surface with images; empty: nothing.
std::string fault_of_patches(const TriangleSurface& surface,
                             const std::vector<std::uint32_t>& counting) {
    const auto none = std::ranges::find(counting, no_patch);
    if (none == counting.end()) return {};
    const std::size_t count = counting.size();
    const std::size_t middle = surface.triangles().size() / count / 2 * count;
    const Vec3 at =
        surface.triangles()[middle + static_cast<std::size_t>(none - counting.begin())].corner[0];
    return fmt::format(
        "has a patch that goes across a side of the box more than once or on to the next side "
        "before it ends or closes, or that closes askew to the axes, at ({:g}, {:g}, {:g}) m from "
        "its origin; expected a smaller feature_angle that parts it, or a mesh without it",
        at.x, at.y, at.z);
}

}  // namespace

std::vector<Corners> with_images(std::vector<Corners> triangles, const Box& box,
                                 double feature_angle) {
    const auto period = periods_of(box);
    const MeshExtent extent = extent_of(triangles);
    double largest = 0.0;
    for (std::size_t a = 0; a < 3; ++a) {
        const double length = extent.upper[a] - extent.lower[a];
        largest = std::max({largest, std::abs(extent.lower[a]), std::abs(extent.upper[a]),
                            box.periodic[a] ? period[a] : 0.0});
        constexpr double in_file = 1e-6;  // of corners in single precision
        if (box.periodic[a] && length > period[a] * (1.0 + in_file)) {
            throw ArgumentError(fmt::format(
                "is {:g} m long along {}; expected at most {:g} m, the period of the box", length,
                "xyz"[a], period[a]));
        }
    }
    const Rounding rounding(largest);
    for (Corners& triangle : triangles) {
        for (Vec3& corner : triangle)
            corner = rounding(corner);
    }
    join_sides(triangles, box, rounding);
    std::vector<Corners> all = copies_of(triangles, box, rounding);
    if (const std::string wrong = TriangleSurface::fault(all); !wrong.empty())
        throw ArgumentError("with its images in the box: " + wrong);
    // Where two patches meet on an edge, the contact counts for the lower number: patches that wind
    // around the box come first, so that all images agree on it.
    const TriangleSurface surface(all, feature_angle);
    const std::vector<PatchImages> patches = patches_of(surface, box);
    const std::vector<std::uint32_t> counting = counting_patches(surface, box, patches);
    if (const std::string wrong = fault_of_patches(surface, counting); !wrong.empty())
        throw ArgumentError(wrong);
    std::vector<std::pair<int, Corners>> order;
    std::array<bool, 3> common{true, true, true};
    for (std::size_t t = 0; t < triangles.size(); ++t) {
        const PatchImages& patch = patches[counting[t]];
        std::array<bool, 3> winding{};
        for (std::size_t a = 0; a < 3; ++a)
            winding[a] = patch.winds(a);
        const auto wound = static_cast<int>(std::ranges::count(winding, true));
        if (wound == 1) {
            for (std::size_t a = 0; a < 3; ++a)
                common[a] = common[a] && winding[a];
            if (!common[0] && !common[1] && !common[2])
                throw ArgumentError(
                    "has patches that go on across different sides of the box; expected a larger "
                    "feature_angle, or two meshes");
        }
        order.emplace_back(-wound, triangles[t]);
    }
    std::ranges::stable_sort(order, {}, [](const auto& each) { return each.first; });
    for (std::size_t t = 0; t < triangles.size(); ++t)
        triangles[t] = order[t].second;
    return copies_of(triangles, box, rounding);
}

std::string fault_of_images(const Wall& wall, const Box& box) {
    const Mesh* const mesh = wall.mesh();
    if (mesh == nullptr || mesh->surface == nullptr || !box.repeats()) return {};
    if (box.strain)
        return "is a mesh, which cannot strain with the box; expected a box of constant edges";
    // About the axis of the only period all images turn together, and so does what they lay out.
    const std::array<double, 3> axis = components(mesh->axis);
    for (std::size_t a = 0; a < 3 && wall.angular_velocity != 0.0; ++a) {
        if (box.periodic[a] && std::abs(axis[a]) != 1.0)
            return fmt::format(
                "is a mesh that turns, and would have to repeat along {} as the box does; expected "
                "no period, or one along its axis",
                "xyz"[a]);
    }
    const std::vector<Image> images = images_of(box);
    const std::vector<Triangle>& all = mesh->surface->triangles();
    const auto period = periods_of(box);
    const std::size_t count = all.size() / images.size();
    bool has_images = count * images.size() == all.size();
    for (std::size_t k = 0; has_images && k < images.size(); ++k) {
        const Vec3 shift{images[k][0] * period[0], images[k][1] * period[1],
                         images[k][2] * period[2]};
        for (std::size_t t = 0; has_images && t < count; ++t) {
            const Vec3& own = all[images.size() / 2 * count + t].corner[0];
            const double size = mesh->surface->largest_distance();
            has_images = length_of(all[k * count + t].corner[0] - own - shift) <= 1e-9 * size;
        }
    }
    if (!has_images) return "is a mesh without its images in the periodic box: see with_images()";
    const TriangleSurface& surface = *mesh->surface;
    return fault_of_patches(surface, counting_patches(surface, box, patches_of(surface, box)));
}

std::span<const Triangle> own_triangles(const Mesh& mesh, const Box& box) {
    const std::span<const Triangle> all = mesh.surface->triangles();
    if (!box.repeats()) return all;
    const std::size_t images = images_of(box).size(), count = all.size() / images;
    return all.subspan(images / 2 * count, count);
}

MeshImages::MeshImages(const Mesh& mesh, const Box& box)
    : mesh_(mesh), periodic_(box.periodic), period_(periods_of(box)) {
    MeshExtent own;
    for (const Triangle& triangle : own_triangles(mesh, box)) {
        for (const Vec3& corner : triangle.corner)
            own.include(corner);
    }
    base_ = lower_ = own.lower;
    upper_ = own.upper;
    const std::vector<PatchImages> patches = patches_of(*mesh.surface, box);
    // A patch that lies across a side of the box reaches beyond the own triangles.
    const std::vector<Triangle>& all = mesh.surface->triangles();
    for (std::size_t t = 0; t < all.size(); ++t) {
        const PatchImages& patch = patches[mesh.surface->patch(t)];
        if (!patch.is_own()) continue;
        for (const Vec3& corner : all[t].corner) {
            const auto at = components(corner);
            for (std::size_t a = 0; a < 3; ++a) {
                if (patch.winds(a)) continue;
                lower_[a] = std::min(lower_[a], at[a]);
                upper_[a] = std::max(upper_[a], at[a]);
            }
        }
    }
    number_.assign(patches.size(), foreign);
    for (std::uint32_t p = 0; p < patches.size(); ++p) {
        if (!patches[p].is_own()) continue;
        number_[p] = p;
        for (std::size_t a = 0; a < 3; ++a)
            if (patches[p].winds(a)) number_[p] |= 1U << (patch_bits + a);
    }
}

}  // namespace beadwave::packing
