// The triangles of all meshes of a packing as one list: wall by wall, without images. The history
// has them in this order (parameters/wall_triangles).
#pragma once

#include "packing/packing.hpp"

#include <cstddef>
#include <vector>

namespace beadwave::packing {

class TriangleNumbers {
  public:
    explicit TriangleNumbers(const Packing& packing);

    std::size_t count() const { return first_.back(); }
    std::size_t walls() const { return first_.size() - 1; }
    /// The numbers of the triangles of a wall are from first(wall) to first(wall + 1).
    std::size_t first(std::size_t wall) const { return first_[wall]; }
    bool has(std::size_t wall) const { return first_[wall + 1] > first_[wall]; }
    /// The number of a triangle of the surface of a wall, or of one of its images.
    std::size_t of(std::size_t wall, std::size_t triangle) const {
        return first_[wall] + triangle % (first_[wall + 1] - first_[wall]);
    }
    const std::vector<double>& areas() const { return area_; }  ///< [m^2]

  private:
    std::vector<std::size_t> first_{0};
    std::vector<double> area_;
};

}  // namespace beadwave::packing
