// The impacts of contacts, in the plain engine: contact_impacts.hpp.

#include "packing/neighbours/pair_matching.hpp"
#include "plain_backend.hpp"

#include <cmath>

namespace beadwave::packing {

PartingSpeeds PlainBackend::speeds_at(double share, const PairGeometry<double>& s, const Moving& a,
                                      const Moving& b, double radius, double other) {
    const auto then = [&](const Vec3& now, const Vec3& half) { return now + share * (half - now); };
    const Vec3 velocity = then(b.velocity - a.velocity, b.half - a.half);
    const Vec3 turning = then(radius * a.angular_velocity + other * b.angular_velocity,
                              radius * a.half_angular_velocity + other * b.half_angular_velocity);
    const Vec3 slip = sliding_velocity<double>(s, {velocity, turning}, 1.0 / (radius + other));
    return {dot(velocity, s.normal), std::sqrt(dot(slip, slip))};
}

Impact PlainBackend::closing_of(std::size_t p, const PairGeometry<double>& s, double dt) const {
    const Body &a = body_[list_.first[p]], &b = body_[list_.second[p]];
    const auto approach = [&]() -> Approach {
        const Vec3 half = b.half - a.half, predicted = b.predicted - a.predicted;
        return {.overlap = s.overlap,
                .mean = -dot(half, s.normal),
                .now = -dot(predicted, s.normal),
                .slowing = -2.0 / dt * dot(half - predicted, s.normal)};
    };
    const auto predicted = [](const Body& of) -> Moving {
        return {of.predicted, of.predicted_angular_velocity, of.half, of.half_angular_velocity};
    };
    return closing_in_step(time(), dt, approach, [&](double share) {
        return speeds_at(share, s, predicted(a), predicted(b), a.radius, b.radius);
    });
}

PlainBackend::Moving PlainBackend::moving(std::uint32_t number) const {
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

void PlainBackend::note_opening(const OpenedPair& opened) {
    const std::size_t p = opened.pair;
    TouchingBodies& bodies = impacts_[accounts_->known(bodies_of(p))];
    if (bodies.pushes || bodies.ended) return;
    const Moving a = moving(list_.first[p]), b = moving(list_.second[p]);
    const double radius = body_[list_.first[p]].radius, other = body_[list_.second[p]].radius;
    const PairGeometry<double> s = geometry_of(p);
    const double back =
        bodies.since_opening(s.overlap, opened.force_before, dot(b.half - a.half, s.normal), dt_);
    bodies.open(time(), back, dt_,
                [&](double share) { return speeds_at(share, s, a, b, radius, other); });
}

std::uint32_t PlainBackend::triangle_of(std::size_t p) const {
    const std::uint32_t second = list_.second[p];
    return second < n_ ? 0 : touched_triangle_[second - n_];
}

}  // namespace beadwave::packing
