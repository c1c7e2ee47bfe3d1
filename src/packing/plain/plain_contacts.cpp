// What contacts do in a step of the plain engine: forces, their memory, and what feels them.

#include "packing/neighbours/pair_matching.hpp"
#include "plain_backend.hpp"

#include <algorithm>
#include <cmath>

namespace beadwave::packing {

PairGeometry<double> PlainBackend::geometry_of(std::size_t p) const {
    const Body &a = body_[list_.first[p]], &b = body_[list_.second[p]];
    return pair_geometry<double>({.reference = b.reference - a.reference,
                                  .displacement = b.displacement - a.displacement,
                                  .radii = a.radius + b.radius,
                                  .gap = pair_[p].gap});
}

void PlainBackend::respond_pairs(double dt) {
    std::ranges::fill(force_, Vec3{});
    std::ranges::fill(torque_, Vec3{});
    for (std::size_t p = 0; p < pair_.size(); ++p)
        respond_pair(p, dt);
}

void PlainBackend::respond_pair(std::size_t p, double dt) {
    Pair& pair = pair_[p];
    const Body &a = body_[list_.first[p]], &b = body_[list_.second[p]];
    const PairLaw& law = laws_.law(pair.kind);
    const double radii = a.radius + b.radius;
    const PairGeometry<double> s = geometry_of(p);
    const Vec3 predicted = b.predicted - a.predicted;
    const double approach_speed = -dot(predicted, s.normal);
    const bool touched_before = watches_impacts_ && touches(p);
    const double force_before = pair.normal_force;
    const auto normal = law.normal.respond(s.overlap, approach_speed, pair.memory);
    const double normal_force = normal.force;
    pair.memory = normal.memory;
    pair.normal_force = normal_force;
    pair.overlap = s.overlap;
    pair.branch = s.branch;
    watch_depth(p);
    const laws::Grip<double> grip = pair.grip(law_of(pair));

    const bool wall = b.radius == 0.0;
    const PairSlip<double> slip = slip_of<double>(
        s,
        {b.half - a.half, a.radius * a.half_angular_velocity + b.radius * b.half_angular_velocity},
        1.0 / radii, dt, wall ? 0.0 : 0.5 * dt);
    const Vec3 velocity =
        sliding_velocity<double>(s,
                                 {predicted, a.radius * a.predicted_angular_velocity +
                                                 b.radius * b.predicted_angular_velocity},
                                 1.0 / radii);
    SliderMemory<double> before = pair.sliding;
    before.vector = laws::turned(before.vector, slip.middle, slip.inverse_middle_squared, s.normal);
    const auto response = std::visit(
        [&](const auto& slider) {
            return slider.respond({.slip = slip.slip,
                                   .mean = slip.mean,
                                   .velocity = velocity,
                                   .overlap = grip.overlap,
                                   .normal_force = grip.force},
                                  before);
        },
        law.slider);
    pair.sliding = response.memory;
    pair.tangential_force = response.force;
    ledger_.tangential += response.work;

    const Vec3 force = normal_force * s.normal + response.force;  // on the second body
    const Vec3 lever = cross(s.branch, response.force) * (1.0 / radii);
    Rolled rolled;
    if (packing_.rolling.acts()) rolled = roll(p, s, slip, grip, dt);
    const Vec3 on_first = -(a.radius * lever) - rolled.torque,
               on_second = -(b.radius * lever) + rolled.torque;
    add(list_.first[p], -force, on_first);
    add(list_.second[p], force, on_second);
    if (keeps_records()) account_pair(p, force, on_first, on_second, response.work, rolled);
    if (keeps_records() && wall) {
        const double pressing = 0.5 * (std::max(force_before, 0.0) + std::max(normal_force, 0.0));
        const std::uint32_t g = list_.second[p] - static_cast<std::uint32_t>(n_);
        wall_work_->rub(static_cast<std::size_t>(list_.ghosts[g].wall), touched_triangle_[g],
                        pressing * std::sqrt(dot(slip.slip, slip.slip)));
    }
    if (watches_impacts_) {
        watch_impact({.pair = p,
                      .triangle = triangle_of(p),
                      .touched = touched_before,
                      .touches = touches(p),
                      .overlap = pair.overlap,
                      .force_before = force_before,
                      .force = pair.normal_force},
                     dt, [&] { return closing_of(p, s, dt); });
    }
}

void PlainBackend::watch_depth(std::size_t p) {
    const std::uint32_t first = list_.first[p];
    const double overlap = pair_[p].overlap;
    const double depth = depth_of(overlap, body_[first].radius, body_[list_.second[p]].radius);
    if (!(depth > std::max(large_depth, deepest_.depth))) return;
    const PairKey key = pair_key(list_, n_, p);
    const std::size_t second =
        key.wall >= 0 ? n_ + static_cast<std::size_t>(key.wall) : std::size_t{key.second};
    deepest_ = {depth, overlap, first, second, around_.step};
}

PlainBackend::Rolled PlainBackend::roll(std::size_t p, const PairGeometry<double>& s,
                                        const PairSlip<double>& slip,
                                        const laws::Grip<double>& grip, double dt) {
    Pair& pair = pair_[p];
    const Body &a = body_[list_.first[p]], &b = body_[list_.second[p]];
    SliderMemory<double> before = pair.rolling;
    // The torque has a part along the normal and one across, so it is reflected a second time, in
    // the new plane.
    const Vec3 v = before.vector;
    const Vec3 reflected =
        v - slip.middle * (2.0 * dot(v, slip.middle) * slip.inverse_middle_squared);
    before.vector = reflected - s.normal * (2.0 * dot(reflected, s.normal));
    const laws::Turn<double> turn{
        .angle = dt * (a.half_angular_velocity - b.half_angular_velocity),
        .mean = a.half_angular_velocity - b.half_angular_velocity,
        .velocity = a.predicted_angular_velocity - b.predicted_angular_velocity,
        .normal = s.normal,
        .overlap = grip.overlap,
        .normal_force = grip.force};
    const auto response = laws_.law(pair.kind).rolling.respond(turn, before);
    pair.rolling = response.memory;
    ledger_.tangential += response.work;
    ledger_.rolling += response.work;
    return {response.force, response.work, keeps_records() ? twisting_work(p, turn, before) : 0.0};
}

void PlainBackend::add(std::uint32_t body, Vec3 force, Vec3 torque) {
    if (body >= n_) {
        const Ghost& ghost = list_.ghosts[body - n_];
        if (ghost.wall >= 0) {
            add_to_wall(static_cast<std::size_t>(ghost.wall),
                        body_[body].reference + body_[body].displacement, force, torque);
            return;
        }
        add_to_edges(image_force_, force, ghost.image);
        body = ghost.of;
    }
    force_[body] += force;
    torque_[body] += torque;
}

void PlainBackend::add_to_wall(std::size_t w, Vec3 point, Vec3 force, Vec3 torque) {
    walls_.force[w] += force;
    walls_.torque[w] += wall_torque_of(w, point, force, torque);
}

double PlainBackend::wall_torque_of(std::size_t w, Vec3 point, Vec3 force, Vec3 torque) const {
    const Wall& wall = packing_.walls[w];
    if (wall.angular_velocity == 0.0) return 0.0;
    const Vec3 arm = point - wall.point() - around_.loads.displacement(w);
    return dot(cross(arm, force) + torque, wall.direction());
}

}  // namespace beadwave::packing
