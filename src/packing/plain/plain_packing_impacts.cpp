// The impacts of contacts, in the plain engine: contact_impacts.hpp.

#include "packing/neighbours/pair_matching.hpp"
#include "plain_packing_engine.hpp"

#include <algorithm>
#include <cmath>

namespace beadwave::packing {

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
    if (around_.box.strains()) velocity += around_.box.rate().shift(ghost.image);
    return {velocity, angular_velocity_[ghost.of], body.half, body.half_angular_velocity};
}

void PlainPackingEngine::note_opening(const OpenedPair& opened) {
    const std::size_t p = opened.pair;
    TouchingBodies& bodies = impacts_[action_[p].account];
    if (bodies.pushes || bodies.ended) return;
    const Moving a = moving(list_.first[p]), b = moving(list_.second[p]);
    const double radius = body_[list_.first[p]].radius, other = body_[list_.second[p]].radius;
    const PairGeometry<double> s = geometry_of(p);
    const double back =
        bodies.since_opening(s.overlap, opened.force_before, dot(b.half - a.half, s.normal), dt_);
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

std::uint32_t PlainPackingEngine::triangle_of(std::size_t p) const {
    const std::uint32_t second = list_.second[p];
    return second < n_ ? 0 : touched_triangle_[second - n_];
}

}  // namespace beadwave::packing
