// The impacts of ellipsoids and clumps: contacts/contact_impacts.hpp. All touches of two clumps are
// one impact. Speeds are those of the bodies' material at the point of contact at the end of the
// step, brought back to the time of the touch.

#include "packing/shaped/shaped_packing_engine.hpp"

#include <algorithm>
#include <cmath>

namespace beadwave::packing {
namespace {

/// How fast bodies part along a normal, and slide across it [m/s].
struct Parting {
    double along, across;

    Parting(const Vec3& apart, const Vec3& normal) : along(dot(apart, normal)) {
        const Vec3 slip = apart - along * normal;
        across = std::sqrt(dot(slip, slip));
    }
};

}  // namespace

Impact ShapedPackingEngine::closing_of_touch(const Sides& sides, const Touch& touch,
                                             double dt) const {
    Impact closing;
    closing.start = closing.end = time();
    if (dt == 0.0) return closing;  // nothing brought the bodies together
    const Vec3 half = rates_of(sides, touch, When::half).apart(touch.arm_1, touch.arm_2);
    const Vec3 end = rates_of(sides, touch, When::predicted).apart(touch.arm_1, touch.arm_2);
    // As in the plain engine: the speed of approach is linear in time, the overlap its integral.
    const double now = dot(end, touch.normal), mean = dot(half, touch.normal);
    const double slowing = 2.0 / dt * (mean - now);
    double back = mean > 0.0 ? std::clamp(touch.overlap / mean, 0.0, dt) : 0.0;
    const double speed = now + 0.5 * slowing * back;
    if (speed > 0.0) back = std::clamp(touch.overlap / speed, 0.0, dt);
    const Parting then(end + (2.0 * back / dt) * (half - end), touch.normal);
    closing.start = closing.end = time() - back;
    closing.impact_speed = then.along;
    closing.impact_slip_speed = then.across;
    return closing;
}

void ShapedPackingEngine::note_opening(const OpenedPair& opened) {
    const ShapedPair& pair = pair_[opened.pair];
    const Sides sides = sides_of(opened.pair);
    TouchingBodies& bodies = impacts_[accounts_->known(bodies_of(sides))];
    if (bodies.pushes || bodies.ended) return;
    const Touch touch{pair.normal, pair.overlap, pair.arm_1, pair.arm_2, true};
    const Vec3 half = rates_of(sides, touch, When::half).apart(pair.arm_1, pair.arm_2);
    const Vec3 now = rates_of(sides, touch, When::now).apart(pair.arm_1, pair.arm_2);
    const double back =
        bodies.since_opening(pair.overlap, opened.force_before, -dot(half, pair.normal), dt_);
    const double end = time() - back;
    if (bodies.opened && end <= bodies.now.end) return;
    const Parting then(now + (2.0 * back / dt_) * (half - now), pair.normal);
    bodies.opened = true;
    bodies.now.end = end;
    bodies.now.separation_speed = -then.along;
    bodies.now.separation_slip_speed = then.across;
}

}  // namespace beadwave::packing
