// Contacts of superellipsoids with cylinders at several points: facing_of_cylinder.cpp.

#include "packing/shaped/shaped_backend.hpp"
#include "packing/vector_length.hpp"

namespace beadwave::packing {

ShapedBackend::Beside ShapedBackend::press_beside(const ShapedPair& pair, const Sides& sides,
                                                  Touch& touch,
                                                  std::span<const PointOnWall> points) const {
    const laws::AnyLaw& law = law_of_pair(pair).normal;
    double pressing = pair.normal_force;
    Vec3 force = pressing * touch.normal, torque = cross(touch.arm_1, force),
         moment = pressing * touch.arm_1;
    for (const PointOnWall& each : points) {
        Touch there = touch;
        there.arm_1 = each.arm;
        const double approach =
            dot(each.normal, rates_of(sides, there, When::predicted).apart(each.arm, {}));
        // Its law remembers nothing: check_shapes.cpp.
        const double own = each.sign * law.respond(each.overlap, approach, {}).force;
        force += own * each.normal;
        torque += cross(each.arm, own * each.normal);
        moment += own * each.arm;
        pressing += own;
    }
    // The normal stays on the side of the last step: where viscous parts pull, and where a body is
    // jammed between both sides of the wall, the force may be opposed to it.
    const double size = length_of(force);
    const double along = dot(force, pair.normal) < 0.0 ? -size : size;
    touch.normal = size > 0.0 ? force * (1.0 / along) : pair.normal;
    if (pressing > 0.0) touch.arm_1 = moment * (1.0 / pressing);
    return {.pressing = pressing, .force = along, .torque = torque - cross(touch.arm_1, force)};
}

double ShapedBackend::stored_beside(std::size_t p) const {
    double stored = 0.0;
    for (const PointOnWall& each : beside(p))
        stored += each.sign * law_of_pair(pair_[p]).normal.stored_energy(each.overlap, {});
    return stored;
}

}  // namespace beadwave::packing
