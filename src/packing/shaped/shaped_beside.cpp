// Contacts of superellipsoids with cylinders at several points: facing_of_cylinder.cpp.

#include "packing/shaped/shaped_backend.hpp"
#include "packing/vector_length.hpp"

namespace beadwave::packing {

Vec3 ShapedBackend::press_beside(ShapedPair& pair, const Sides& sides, Touch& touch,
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
    const double size = length_of(force);
    // Where viscous parts pull, the normal stays on its side, and friction has no limit to reach.
    pair.normal_force = dot(force, touch.normal) < 0.0 ? -size : size;
    if (size == 0.0) return torque;
    touch.normal = force * (1.0 / pair.normal_force);
    if (pressing * pair.normal_force > 0.0) touch.arm_1 = moment * (1.0 / pressing);
    return torque - cross(touch.arm_1, force);
}

double ShapedBackend::stored_beside(std::size_t p) const {
    double stored = 0.0;
    for (const PointOnWall& each : beside(p))
        stored += each.sign * law_of_pair(pair_[p]).normal.stored_energy(each.overlap, {});
    return stored;
}

}  // namespace beadwave::packing
