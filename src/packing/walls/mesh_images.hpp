// Meshes in periodic boxes. A mesh repeats as the box does, so its surface holds its triangles with
// all their images by one period: 3 or 9 or 27 times as many, each image after the other. Edges
// that meet across a side of the box are one, and a patch that goes on there is one patch.
//
// A particle touches a patch of an image. Its identity, by which contact memory is kept, is the
// patch and the image, counted in the particle's own coordinates. A patch that goes on across a
// side, such as a floor, winds around the box: along this axis it has no images of its own, and a
// contact keeps its memory when the particle rolls across the side.
//
// A mesh may turn about an axis along the only period of the box: then the images by one period are
// those of the mesh as it is turned. Across its axis they would turn out of their places.
#pragma once

#include "packing/neighbours/neighbour_list.hpp"
#include "packing/walls/triangle_surface.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace beadwave::packing {

/// A ghost's `patch` holds, above these bits, along which axes the patch winds around the box.
inline constexpr std::uint32_t patch_bits = 28;
inline constexpr std::uint32_t patch_mask = (1U << patch_bits) - 1;

inline std::uint32_t patch_of(const Ghost& ghost) {
    return ghost.patch & patch_mask;
}
inline bool winds(std::uint32_t patch, std::size_t axis) {
    return (patch >> (patch_bits + axis) & 1U) != 0;
}

/// The triangles with all images by one period along the periodic axes of the box. Corners are
/// rounded to 1e-12 of the largest coordinate, and those that meet across a side, within 2e-6 of
/// the size of the mesh, become one. Throws ArgumentError with one sentence if the mesh is longer
/// than a period, meets itself in a way that has no meaning, or has a patch of which the images by
/// one period do not show the whole: one that goes across a side more than once or on to the next
/// side before it ends or closes, or closes askew to the axes.
std::vector<Corners> with_images(std::vector<Corners> triangles, const Box& box,
                                 double feature_angle);

/// What is wrong with a mesh in this box; empty: nothing. In a box that repeats its surface must
/// have the images of with_images().
std::string fault_of_images(const Wall& wall, const Box& box);

/// The triangles without their images.
std::span<const Triangle> own_triangles(const Mesh& mesh, const Box& box);

/// Which patches of a mesh a particle is near, and of which image.
class MeshImages {
  public:
    /// `mesh` must outlive it.
    MeshImages(const Mesh& mesh, const Box& box);

    /// Calls visit(patch with winding axes, image) for all patches that are nearer to a place than
    /// `within`. `place`: from the origin of the mesh where it is now [m]. The image that the
    /// contact is with is the mesh moved by `image` periods.
    template <class Visit>
    void each_near(const Vec3& place, double within, Visit visit) const {
        const std::array<double, 3> at = components(place);
        std::array<std::int32_t, 3> first{}, last{}, image{}, wrap{};
        for (std::size_t a = 0; a < 3; ++a) {
            if (!periodic_[a]) continue;
            first[a] = whole(std::ceil((at[a] - upper_[a] - within) / period_[a]));
            last[a] = whole(std::floor((at[a] - lower_[a] + within) / period_[a]));
            wrap[a] = whole(std::floor((at[a] - base_[a]) / period_[a]));
        }
        for (image[2] = first[2]; image[2] <= last[2]; ++image[2]) {
            for (image[1] = first[1]; image[1] <= last[1]; ++image[1]) {
                for (image[0] = first[0]; image[0] <= last[0]; ++image[0])
                    visit_image(place, within, image, wrap, visit);
            }
        }
    }

  private:
    static std::int32_t whole(double periods) { return static_cast<std::int32_t>(periods); }

    template <class Visit>
    void visit_image(const Vec3& place, double within, const std::array<std::int32_t, 3>& image,
                     const std::array<std::int32_t, 3>& wrap, Visit visit) const {
        const Vec3 moved =
            place - Vec3{image[0] * period_[0], image[1] * period_[1], image[2] * period_[2]};
        for (const std::uint32_t patch : mesh_.surface->patches_near(moved, within)) {
            const std::uint32_t number = number_[patch];
            if (number == foreign) continue;
            bool here = true;
            for (std::size_t a = 0; a < 3; ++a)
                here = here && (!winds(number, a) || image[a] == wrap[a]);
            if (here) visit(number, image);
        }
    }

    static constexpr std::uint32_t foreign = 0xffffffffU;  // of an image

    const Mesh& mesh_;
    std::array<bool, 3> periodic_;
    std::array<double, 3> period_{}, base_{};  // base: the lower corner of the own triangles
    std::array<double, 3> lower_{}, upper_{};  // of the patches that count
    std::vector<std::uint32_t> number_;        // of each patch
};

}  // namespace beadwave::packing
