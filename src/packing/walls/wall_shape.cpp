#include "packing/build/scenario.hpp"

#include <cmath>
#include <memory>

namespace beadwave::packing {

std::vector<Corners> MeshPlan::placed() const {
    const double angle = std::sqrt(dot(rotation, rotation));
    const Turn turn = angle > 0.0 ? Turn::about((1.0 / angle) * rotation, angle) : Turn{};
    std::vector<Corners> all = triangles;
    for (Corners& corners : all) {
        for (Vec3& corner : corners)
            corner = turn.forwards(scale * corner);
    }
    return all;
}

WallShape shape_of(const WallPlan& plan) {
    const double size = std::sqrt(dot(plan.normal, plan.normal));
    const Vec3 direction = (1.0 / size) * plan.normal;
    switch (plan.kind) {
        case WallKind::cylinder:
            return Revolved::cylinder(plan.point, direction, plan.radius,
                                      plan.length.value_or(Revolved::endless));
        case WallKind::disc:
            return Revolved::disc(plan.point, direction, plan.radius, plan.inner_radius);
        case WallKind::cone:
            return Revolved{plan.point, direction, plan.radius, plan.end_radius, *plan.length};
        case WallKind::mesh:
            return Mesh{plan.point, direction,
                        std::make_shared<const TriangleSurface>(plan.mesh.placed(),
                                                                plan.mesh.feature_angle)};
        case WallKind::plane:
            break;
    }
    return Plane{plan.point, direction};
}

}  // namespace beadwave::packing
