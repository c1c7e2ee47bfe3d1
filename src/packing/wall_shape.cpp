#include "packing/scenario.hpp"

#include <cmath>

namespace beadwave::packing {

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
        case WallKind::plane:
            break;
    }
    return Plane{plan.point, direction};
}

}  // namespace beadwave::packing
