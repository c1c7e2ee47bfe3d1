// The impacts of contacts, in the plain engine: contact_impacts.hpp.

#include "laws/wear.hpp"
#include "packing/pair_matching.hpp"
#include "plain_packing_engine.hpp"

#include <algorithm>
#include <cmath>

namespace beadwave::packing {

void PlainPackingEngine::watch_impact(std::size_t p, const PairGeometry<double>& s,
                                      bool touched_before, double force_before, double dt) {
    const std::uint32_t account = action_[p].account;
    if (account == 0) return;
    impacts_.all().resize(accounts_.all().size());
    const Pair& pair = pair_[p];
    TouchingBodies& bodies = impacts_[account];
    const bool pushes = pair.normal_force != 0.0;
    const bool parted = touched_before && !touches(pair);
    if (!pushes && dt > 0.0 && (force_before != 0.0 || parted))
        opened_.push_back({p, force_before});
    if (!touches(pair) && !pushes) return;
    bodies.touches = true;
    bodies.pushes = bodies.pushes || pushes;
    if (pushes) bodies.ended = false;
    if (!bodies.closed) {
        bodies.closed = bodies.fresh = true;
        bodies.now = closing_of(p, s, dt);
        bodies.triangle = triangle_of(p);
    } else if (bodies.fresh) {  // another touch of this step may have closed before
        const Impact other = closing_of(p, s, dt);
        if (other.start < bodies.now.start) {
            bodies.now.start = other.start;
            bodies.now.impact_speed = other.impact_speed;
            bodies.now.impact_slip_speed = other.impact_slip_speed;
            bodies.triangle = triangle_of(p);
        }
    }
    bodies.force = std::max(bodies.force, std::abs(pair.normal_force));
    bodies.now.largest_overlap = std::max(bodies.now.largest_overlap, pair.overlap);
    if (pair.normal_force > bodies.now.peak_force) {
        bodies.now.peak_force = pair.normal_force;
        bodies.now.peak_time = time();
    }
}

Impact PlainPackingEngine::closing_of(std::size_t p, const PairGeometry<double>& s,
                                      double dt) const {
    Impact closing;
    closing.start = closing.end = time();
    if (dt == 0.0) return closing;  // nothing brought the bodies together
    const Body &a = body_[list_.first[p]], &b = body_[list_.second[p]];
    const Vec3 half = b.half - a.half;
    // The speed of approach is v(t - back) = now + slowing back at the time t of this step; the
    // overlap was 0 where now back + slowing back^2 / 2 is what it is at t.
    const Vec3 predicted = b.predicted - a.predicted;
    const double now = -dot(predicted, s.normal);
    const double slowing = -2.0 / dt * dot(half - predicted, s.normal);
    const double mean = -dot(half, s.normal);
    double back = mean > 0.0 ? std::clamp(s.overlap / mean, 0.0, dt) : 0.0;
    const double speed = now + 0.5 * slowing * back;
    if (speed > 0.0) back = std::clamp(s.overlap / speed, 0.0, dt);
    const double share = 2.0 * back / dt;
    const auto then = [&](const Vec3& end, const Vec3& middle) {
        return end + share * (middle - end);
    };
    const Vec3 velocity = then(predicted, half);
    const Vec3 turning =
        then(a.radius * a.predicted_angular_velocity + b.radius * b.predicted_angular_velocity,
             a.radius * a.half_angular_velocity + b.radius * b.half_angular_velocity);
    const Vec3 slip = sliding_velocity<double>(s, {velocity, turning}, 1.0 / (a.radius + b.radius));
    closing.start = closing.end = time() - back;
    closing.impact_speed = -dot(velocity, s.normal);
    closing.impact_slip_speed = std::sqrt(dot(slip, slip));
    return closing;
}

PlainPackingEngine::Moving PlainPackingEngine::moving(std::uint32_t number) const {
    const Body& body = body_[number];
    if (number < n_)
        return {velocity_[number], angular_velocity_[number], body.half,
                body.half_angular_velocity};
    const Ghost& ghost = list_.ghosts[number - n_];
    if (ghost.wall >= 0)
        return {body.predicted, body.predicted_angular_velocity, body.half,
                body.half_angular_velocity};
    Vec3 velocity = velocity_[ghost.of];
    if (box_.strains()) velocity += box_.rate().shift(ghost.image);
    return {velocity, angular_velocity_[ghost.of], body.half, body.half_angular_velocity};
}

void PlainPackingEngine::note_opening(std::size_t p, double force_before) {
    TouchingBodies& bodies = impacts_[action_[p].account];
    if (bodies.pushes || bodies.ended) return;
    const Moving a = moving(list_.first[p]), b = moving(list_.second[p]);
    const double radius = body_[list_.first[p]].radius, other = body_[list_.second[p]].radius;
    const PairGeometry<double> s = geometry_of(p);
    // How long ago the overlap, or before it the force, was 0.
    double back = 0.0;
    if (s.overlap > 0.0 && force_before != 0.0) {
        const double falling = bodies.before_that - std::abs(force_before);
        back =
            falling > 0.0 ? dt_ - std::min(dt_, dt_ * std::abs(force_before) / falling) : 0.5 * dt_;
    } else if (const double apart = dot(b.half - a.half, s.normal); apart > 0.0) {
        back = std::clamp(-s.overlap / apart, 0.0, dt_);
    }
    const double end = time() - back;
    if (bodies.opened && end <= bodies.now.end) return;
    const double share = 2.0 * back / dt_;
    const auto then = [&](const Vec3& now, const Vec3& half) { return now + share * (half - now); };
    const Vec3 velocity = then(b.velocity - a.velocity, b.half - a.half);
    const Vec3 turning = then(radius * a.angular_velocity + other * b.angular_velocity,
                              radius * a.half_angular_velocity + other * b.half_angular_velocity);
    const Vec3 slip = sliding_velocity<double>(s, {velocity, turning}, 1.0 / (radius + other));
    bodies.opened = true;
    bodies.now.end = end;
    bodies.now.separation_speed = dot(velocity, s.normal);
    bodies.now.separation_slip_speed = std::sqrt(dot(slip, slip));
}

void PlainPackingEngine::end_impacts() {
    for (const OpenedPair& each : opened_)
        note_opening(each.pair, each.force_before);
    opened_.clear();
    for (std::size_t k = 0; k < impacts_.all().size(); ++k) {
        TouchingBodies& bodies = impacts_.all()[k];
        if (bodies.fresh) cut_wall(bodies, accounts_.all()[k]);
        bodies.ended = bodies.ended || bodies.opened;
        if (!bodies.closed || bodies.touches) continue;
        Impact impact = bodies.now;
        if (!bodies.ended) {  // a particle left
            impact.end = time() - dt_;
            impact.separation_speed = impact.separation_slip_speed = Impact::unknown;
        }
        const PlainAccount& account = accounts_.all()[k];
        impact.first = account.first;
        impact.second = account.second;
        const DissipationParts lost = dissipated_by(account, {});
        impact.dissipated = lost;
        impact.dissipated.add(bodies.lost, -1.0);
        bodies.lost = lost;
        bodies.closed = bodies.ended = false;
        impacts_.add(impact);
    }
}

std::uint32_t PlainPackingEngine::triangle_of(std::size_t p) const {
    const std::uint32_t second = list_.second[p];
    return second < n_ ? 0 : touched_triangle_[second - n_];
}

void PlainPackingEngine::cut_wall(const TouchingBodies& bodies, const ContactAccount& account) {
    // NaN: was closed at the start, or nothing brought the bodies together.
    if (account.second < n_ || !(bodies.now.impact_speed > 0.0)) return;
    wall_work_->cut(account.second - n_, bodies.triangle,
                    laws::finnie_cutting(packing_.mass[account.first], bodies.now.impact_speed,
                                         bodies.now.impact_slip_speed));
}

OpenImpacts PlainPackingEngine::open_impacts() const {
    OpenImpacts open;
    if (!watches_impacts_) return open;
    const std::vector<ContactEnergy> stored = stored_in_accounts();
    for (std::size_t k = 0; k < impacts_.all().size(); ++k) {
        const TouchingBodies& bodies = impacts_.all()[k];
        if (!bodies.closed) continue;
        ++open.count;
        open.dissipated.add(dissipated_by(accounts_.all()[k], stored[k]));
        open.dissipated.add(bodies.lost, -1.0);
    }
    return open;
}

}  // namespace beadwave::packing
