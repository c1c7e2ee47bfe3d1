// The impacts of ellipsoids and clumps: contacts/contact_impacts.hpp. All touches of two clumps are
// one impact. Speeds are those of the bodies' material at the point of contact at the end of the
// step, brought back to the time of the touch.

#include "packing/shaped/shaped_backend.hpp"

#include <cmath>

namespace beadwave::packing {
namespace {

/// `apart`: the velocity of the first body against the second [m/s].
PartingSpeeds parting(const Vec3& apart, const Vec3& normal) {
    const double along = dot(apart, normal);
    const Vec3 slip = apart - along * normal;
    return {-along, std::sqrt(dot(slip, slip))};
}

}  // namespace

Impact ShapedBackend::closing_of_touch(const Sides& sides, const Touch& touch, double dt) const {
    const Vec3 half = rates_of(sides, touch, When::half).apart(touch.arm_1, touch.arm_2);
    const Vec3 end = rates_of(sides, touch, When::predicted).apart(touch.arm_1, touch.arm_2);
    const auto approach = [&]() -> Approach {
        const double now = dot(end, touch.normal), mean = dot(half, touch.normal);
        return {touch.overlap, mean, now, 2.0 / dt * (mean - now)};
    };
    return closing_in_step(time(), dt, approach, [&](double share) {
        return parting(end + share * (half - end), touch.normal);
    });
}

void ShapedBackend::note_opening(const OpenedPair& opened) {
    const ShapedPair& pair = pair_[opened.pair];
    const Sides sides = sides_of(opened.pair);
    TouchingBodies& bodies = impacts_[accounts_->known(bodies_of(sides))];
    if (bodies.pushes || bodies.ended) return;
    const Touch touch{pair.normal, pair.overlap, pair.arm_1, pair.arm_2, true};
    const Vec3 half = rates_of(sides, touch, When::half).apart(pair.arm_1, pair.arm_2);
    const Vec3 now = rates_of(sides, touch, When::now).apart(pair.arm_1, pair.arm_2);
    const double back =
        bodies.since_opening(pair.overlap, opened.force_before, -dot(half, pair.normal), dt_);
    bodies.open(time(), back, dt_,
                [&](double share) { return parting(now + share * (half - now), pair.normal); });
}

}  // namespace beadwave::packing
