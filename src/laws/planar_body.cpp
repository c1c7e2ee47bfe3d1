#include "laws/planar_body.hpp"

#include <limits>

namespace beadwave::laws {

RigidContact rigid_contact(const PlanarBody& first, const PlanarBody& second, double friction) {
    RigidContact contact{.friction = friction};
    for (const PlanarBody& body : {first, second}) {
        const auto [x, y] = body.contact;
        contact.normal += 1.0 / body.mass + x * x / body.inertia;
        contact.tangential += 1.0 / body.mass + y * y / body.inertia;
        contact.coupling -= x * y / body.inertia;
    }
    return contact;
}

MotionChange motion_change(const PlanarBody& body, const std::array<double, 2>& impulse) {
    const auto [x, y] = body.contact;
    return {.velocity = {impulse[0] / body.mass, impulse[1] / body.mass},
            .angular_velocity = (x * impulse[1] - y * impulse[0]) / body.inertia};
}

double hedrih_restitution(const PlanarBody& first, const PlanarBody& second,
                          const RigidImpact& impact) {
    const double before = second.angular_velocity - first.angular_velocity;
    if (before == 0.0) return std::numeric_limits<double>::quiet_NaN();
    const double t = impact.tangential_impulse, n = impact.normal_impulse;
    const double change = motion_change(second, {-t, -n}).angular_velocity -
                          motion_change(first, {t, n}).angular_velocity;
    return -(before + change) / before;
}

}  // namespace beadwave::laws
