#include "packing/walls/triangle_numbers.hpp"

#include "packing/walls/mesh_images.hpp"

#include <cmath>

namespace beadwave::packing {

TriangleNumbers::TriangleNumbers(const Packing& packing) {
    for (const Wall& wall : packing.walls) {
        if (const Mesh* const mesh = wall.mesh()) {
            for (const Triangle& triangle : own_triangles(*mesh, packing.box)) {
                const auto& corner = triangle.corner;
                const Vec3 across = cross(corner[1] - corner[0], corner[2] - corner[0]);
                area_.push_back(0.5 * std::sqrt(dot(across, across)));
            }
        }
        first_.push_back(area_.size());
    }
}

}  // namespace beadwave::packing
