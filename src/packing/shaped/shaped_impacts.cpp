// The impacts of ellipsoids and clumps: plain/contact_impacts.hpp. All touches of two clumps are
// one impact. Speeds are those of the bodies' material at the point of contact at the end of the
// step, brought back to the time of the touch.

#include "laws/wear.hpp"
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
    const bool touches = pair.overlap > 0.0, pushes = pair.normal_force != 0.0;
    if (!pushes && dt > 0.0 && (before.force != 0.0 || (before.touched && !touches)))
        opened_.push_back({p, before.force});
    if (!touches && !pushes) return;
    bodies.touches = true;
    bodies.pushes = bodies.pushes || pushes;
    if (pushes) bodies.ended = false;
    if (!bodies.closed || bodies.fresh) {
        const Impact closing = closing_of_touch(sides, touch, dt);
        if (!bodies.closed) bodies.now = {};
        if (!bodies.closed || closing.start < bodies.now.start) {
            bodies.now.start = bodies.now.end = closing.start;
            bodies.now.impact_speed = closing.impact_speed;
            bodies.now.impact_slip_speed = closing.impact_slip_speed;
            bodies.triangle = triangle_of(p);
        }
        bodies.closed = bodies.fresh = true;
    }
    bodies.force = std::max(bodies.force, std::abs(pair.normal_force));
    bodies.now.largest_overlap = std::max(bodies.now.largest_overlap, pair.overlap);
    if (pair.normal_force > bodies.now.peak_force) {
        bodies.now.peak_force = pair.normal_force;
        bodies.now.peak_time = time();
    }
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
    // How long ago the overlap, or before it the force, was 0.
    double back = 0.0;
    if (pair.overlap > 0.0 && opened.force_before != 0.0) {
        const double falling = bodies.before_that - std::abs(opened.force_before);
        back = falling > 0.0 ? dt_ - std::min(dt_, dt_ * std::abs(opened.force_before) / falling)
                             : 0.5 * dt_;
    } else if (const double apart = -dot(half, pair.normal); apart > 0.0) {
        back = std::clamp(-pair.overlap / apart, 0.0, dt_);
    }
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
    for (std::size_t k = 0; k < impacts_.all().size(); ++k) {
        TouchingBodies& bodies = impacts_.all()[k];
        if (bodies.fresh) cut_wall(bodies, k);
        bodies.ended = bodies.ended || bodies.opened;
        if (!bodies.closed || bodies.touches) continue;
        Impact impact = bodies.now;
        if (!bodies.ended) {  // a particle left
            impact.end = time() - dt_;
            impact.separation_speed = impact.separation_slip_speed = Impact::unknown;
        }
        impact.first = accounts_->all()[k].first;
        impact.second = accounts_->all()[k].second;
        const DissipationParts lost = lost_in(k, {});
        impact.dissipated = lost;
        impact.dissipated.add(bodies.lost, -1.0);
        bodies.lost = lost;
        bodies.closed = bodies.ended = false;
        impacts_.add(impact);
    }
}

DissipationParts ShapedPackingEngine::lost_in(std::size_t account,
                                              const ContactEnergy& stored) const {
    const PlainAccount& of = accounts_->all()[account];
    DissipationParts parts = of.dissipated(stored, of.work(dt_));
    if (traits_.conservative) parts.normal = 0.0;
    return parts;
}

void ShapedPackingEngine::cut_wall(const TouchingBodies& bodies, std::size_t account) {
    const PlainAccount& of = accounts_->all()[account];
    // NaN: was closed at the start, or nothing brought the bodies together.
    if (of.second < particle_.size() || !(bodies.now.impact_speed > 0.0)) return;
    wall_work_->cut(of.second - particle_.size(), bodies.triangle,
                    laws::finnie_cutting(packing_.mass[of.first], bodies.now.impact_speed,
                                         bodies.now.impact_slip_speed));
}

OpenImpacts ShapedPackingEngine::open_impacts() const {
    OpenImpacts open;
    if (!watches_impacts_) return open;
    const std::vector<ContactEnergy> stored =
        accounts_->stored_in_accounts([&](auto visit) { each_stored(visit); });
    for (std::size_t k = 0; k < impacts_.all().size(); ++k) {
        const TouchingBodies& bodies = impacts_.all()[k];
        if (!bodies.closed) continue;
        ++open.count;
        open.dissipated.add(lost_in(k, stored[k]));
        open.dissipated.add(bodies.lost, -1.0);
    }
    return open;
}

}  // namespace beadwave::packing
