#include "packing_system/wall_constants.hpp"

#include "packing/walls/mesh_images.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <variant>

namespace beadwave::running {
namespace {

using packing::Vec3;
using Walls = std::vector<packing::Wall>;

void add_vectors(recording::Description& all, const char* path, const char* unit,
                 const std::vector<Vec3>& vectors) {
    std::vector<double> numbers;
    for (const Vec3& v : vectors)
        numbers.insert(numbers.end(), {v.x, v.y, v.z});
    all.constants.push_back({path, "", unit, {vectors.size(), 3}, all.keep(std::move(numbers))});
}

void add_shapes(recording::Description& all, const Walls& walls) {
    const auto plane = [](const packing::Wall& wall) {
        return std::holds_alternative<packing::Plane>(wall.shape);
    };
    if (std::ranges::all_of(walls, plane)) return;
    std::vector<std::string> shapes;
    std::vector<double> radii, lengths;
    for (const packing::Wall& wall : walls) {
        const auto* const curved = std::get_if<packing::Revolved>(&wall.shape);
        shapes.emplace_back(curved != nullptr        ? "revolved"
                            : wall.mesh() != nullptr ? "mesh"
                                                     : "plane");
        radii.push_back(curved != nullptr ? curved->radius_1 : 0.0);
        radii.push_back(curved != nullptr ? curved->radius_2 : 0.0);
        lengths.push_back(curved != nullptr ? curved->length : 0.0);
    }
    const std::size_t count = walls.size();
    all.constants.push_back({"parameters/wall_shape", "", "", {count}, std::move(shapes)});
    all.constants.push_back(
        {"parameters/wall_radius", "", "m", {count, 2}, all.keep(std::move(radii))});
    all.constants.push_back(
        {"parameters/wall_length", "", "m", {count}, all.keep(std::move(lengths))});
}

void add_triangles(recording::Description& all, const Walls& walls, const packing::Box& box) {
    std::vector<double> corners;
    std::size_t triangles = 0;
    std::vector<double> row_splits{0.0};
    for (const packing::Wall& wall : walls) {
        if (const packing::Mesh* const mesh = wall.mesh()) {
            const std::span<const packing::Triangle> own = packing::own_triangles(*mesh, box);
            triangles += own.size();
            for (const packing::Triangle& triangle : own) {
                for (const Vec3& corner : triangle.corner)
                    corners.insert(corners.end(), {corner.x, corner.y, corner.z});
            }
        }
        row_splits.push_back(static_cast<double>(triangles));
    }
    if (triangles == 0) return;
    all.constants.push_back(
        {"parameters/wall_triangles", "", "m", {triangles, 3, 3}, all.keep(std::move(corners))});
    all.constants.push_back({"parameters/wall_triangle_splits",
                             "",
                             "1",
                             {row_splits.size()},
                             all.keep(std::move(row_splits))});
    std::vector<double> speeds;
    for (const packing::Wall& wall : walls)
        speeds.push_back(wall.angular_velocity);
    all.constants.push_back({"parameters/wall_angular_velocity",
                             "",
                             "rad s-1",
                             {speeds.size()},
                             all.keep(std::move(speeds))});
}

}  // namespace

void add_walls(recording::Description& all, const Walls& walls, const packing::Box& box) {
    if (walls.empty()) return;
    std::vector<Vec3> point, normal;
    for (const packing::Wall& wall : walls) {
        point.push_back(wall.point());
        normal.push_back(wall.direction());
    }
    add_vectors(all, "parameters/wall_point", "m", point);
    add_vectors(all, "parameters/wall_normal", "1", normal);
    add_shapes(all, walls);
    add_triangles(all, walls, box);
}

}  // namespace beadwave::running
