// What wears the walls of a packing, since the start: by whole wall and by triangle of a mesh.
#pragma once

#include "packing/walls/triangle_numbers.hpp"

#include <cstddef>
#include <vector>

namespace beadwave::packing {

/// One number per wall, and one per triangle of all meshes (triangle_numbers.hpp) [J].
struct SurfaceSums {
    std::vector<double> wall, triangle;

    SurfaceSums() = default;
    explicit SurfaceSums(const TriangleNumbers& triangles)
        : wall(triangles.walls()), triangle(triangles.count()) {}
};

class WallWork {
  public:
    explicit WallWork(const Packing& packing)
        : triangles_(packing), rubbing_(triangles_), cutting_(triangles_) {}

    /// `triangle`: of the surface of a mesh.
    void rub(std::size_t wall, std::size_t triangle, double work) {
        add(rubbing_, wall, triangle, work);
    }
    void cut(std::size_t wall, std::size_t triangle, double work) {
        add(cutting_, wall, triangle, work);
    }
    /// Normal force times sliding distance, summed over contacts.
    const SurfaceSums& rubbing() const { return rubbing_; }
    SurfaceSums& rubbing() { return rubbing_; }
    /// laws::finnie_cutting(), summed over impacts; 0 where no impacts are watched.
    const SurfaceSums& cutting() const { return cutting_; }
    SurfaceSums& cutting() { return cutting_; }

  private:
    void add(SurfaceSums& sums, std::size_t wall, std::size_t triangle, double work) {
        sums.wall[wall] += work;
        if (triangles_.has(wall)) sums.triangle[triangles_.of(wall, triangle)] += work;
    }

    TriangleNumbers triangles_;
    SurfaceSums rubbing_, cutting_;
};

}  // namespace beadwave::packing
