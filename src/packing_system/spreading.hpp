// Spreads lines and points over the cells of a grid, with their images in a periodic box.
#pragma once

#include "packing/build/region.hpp"
#include "packing/edges.hpp"
#include "packing_system/field_kernel.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace beadwave::observers {

/// A grid in a region at one time.
struct GridCells {
    packing::FieldGrid grid;
    packing::RegionBounds region;
    std::size_t dimension;
    packing::Edges edges;  ///< of the periodic box [m]
    std::array<bool, 3> periodic{};
    std::array<double, 3> lower{};  ///< corner of the first cell [m]
    std::array<double, 3> size{};   ///< of a cell [m]; 1 along z in the plane

    GridCells(const packing::FieldGrid& grid, const packing::Packing& packing,
              const packing::RegionBounds& region, const packing::Edges& edges);
    double volume() const { return size[0] * size[1] * size[2]; }  ///< [m^3]; in the plane [m^2]
    /// The middle of a cell along an axis [m].
    double centre(std::size_t axis, std::size_t cell) const {
        return lower[axis] + (static_cast<double>(cell) + 0.5) * size[axis];
    }
};

/// The shares of one thing in the cells: of a point, the integral of the kernel around it over each
/// cell; of a line, the mean of this over the line. All shares of all images add up to 1 if the
/// reach of the kernel does not leave the region, or the region is the whole box.
class Spreading {
  public:
    explicit Spreading(const GridCells& cells);

    /// Calls visit(cell, share, image) for the cells that a line has a share in, image by image.
    /// `from` [m], `way` from there to its end [m].
    template <class Visit>
    void line(const packing::Vec3& from, const packing::Vec3& way, Visit visit) {
        using packing::components;
        const std::array<double, 3> a = components(from), b = components(way);
        for_images(a, b,
                   [&](const std::array<std::int32_t, 3>& image, const std::array<double, 3>& at) {
                       if (!collect(at, b)) return;
                       const auto& n = cells_.grid.cells;
                       std::size_t k = 0;
                       for (std::int64_t x = first_[0]; x <= last_[0]; ++x) {
                           for (std::int64_t y = first_[1]; y <= last_[1]; ++y) {
                               for (std::int64_t z = first_[2]; z <= last_[2]; ++z, ++k) {
                                   if (share_[k] > 0.0)
                                       visit(static_cast<std::size_t>((x * n[1] + y) * n[2] + z),
                                             share_[k], image);
                               }
                           }
                       }
                   });
    }
    template <class Visit>
    void point(const packing::Vec3& at, Visit visit) {
        line(at, {}, visit);
    }

  private:
    /// Calls visit(image, place of the beginning) for all images of a line that are near the grid.
    template <class Visit>
    void for_images(const std::array<double, 3>& from, const std::array<double, 3>& way,
                    Visit visit) const {
        const auto& h = cells_.edges.of;
        std::array<std::int32_t, 3> image{};
        along(2, from[2], way[2], image[2], [&](double z) {
            const double n2 = image[2];
            along(1, from[1] + n2 * h[5], way[1], image[1], [&](double y) {
                const double n1 = image[1];
                along(0, from[0] + n1 * h[3] + n2 * h[4], way[0], image[0], [&](double x) {
                    visit(image, {x, y, z});
                });
            });
        });
    }
    template <class Visit>
    void along(std::size_t axis, double from, double way, std::int32_t& image, Visit visit) const {
        image = 0;
        if (!cells_.periodic[axis]) return visit(from);
        const double period = cells_.edges.of[axis];
        const auto [first, last] = images(axis, from, way);
        for (std::int32_t n = first; n <= last; ++n) {
            image = n;
            visit(from + n * period);
        }
    }
    std::array<std::int32_t, 2> images(std::size_t axis, double from, double way) const;

    /// Fills first_, last_ and share_; false: the line is not near the grid.
    bool collect(const std::array<double, 3>& from, const std::array<double, 3>& way);
    /// The shares of a place along an axis in the cells first_ to last_.
    void weigh(std::size_t axis, double place);

    const GridCells& cells_;
    const FieldKernel& kernel_;
    double reach_;  // [m]
    std::array<std::int64_t, 3> first_{}, last_{};
    std::array<std::vector<double>, 3> weight_;
    std::vector<double> share_;
};

}  // namespace beadwave::observers
