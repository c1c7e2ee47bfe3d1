// The impacts of ellipsoids and clumps: plain/contact_impacts.hpp. All touches of two clumps are
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

void ShapedPackingEngine::watch_impact(std::size_t p, const Sides& sides, const Touch& touch,
                                       const Before& before, double dt) {
    const std::uint32_t account = accounts_->known(bodies_of(sides));
    if (account == 0) return;
    impacts_.all().resize(accounts_->all().size());
    const ShapedPair& pair = pair_[p];
    TouchingBodies& bodies = impacts_[account];
    const bool touching = touches(pair), pushes = pair.normal_force != 0.0;
    if (!pushes && dt > 0.0 && (before.force != 0.0 || (before.touched && !touching)))
        opened_.push_back({p, before.force});
    if (!touching && !pushes) return;
    bodies.touches = true;
    bodies.pushes = bodies.pushes || pushes;
    if (pushes) bodies.ended = false;
    bodies.meet([&] { return closing_of_touch(sides, touch, dt); }, triangle_of(p));
    bodies.include(pair.overlap, pair.normal_force, time());
}

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

void ShapedPackingEngine::end_impacts() {
    for (const OpenedPair& each : opened_)
        note_opening(each);
    opened_.clear();
    impacts_.cut_walls(accounts_->all(), packing_.mass, *wall_work_);
    impacts_.end_parted(accounts_->all(), time() - dt_,
                        [&](std::size_t k) { return lost_in(k, {}); });
}

DissipationParts ShapedPackingEngine::lost_in(std::size_t account,
                                              const ContactEnergy& stored) const {
    const PlainAccount& of = accounts_->all()[account];
    DissipationParts parts = of.dissipated(stored, of.work(dt_));
    if (traits_.conservative) parts.normal = 0.0;
    return parts;
}

OpenImpacts ShapedPackingEngine::open_impacts() const {
    if (!watches_impacts_) return {};
    const std::vector<ContactEnergy> stored =
        accounts_->stored_in_accounts([&](auto visit) { each_stored(visit); });
    return impacts_.open([&](std::size_t k) { return lost_in(k, stored[k]); });
}

}  // namespace beadwave::packing
