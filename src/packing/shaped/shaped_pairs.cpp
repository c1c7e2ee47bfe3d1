// What the pairs of a packing of ellipsoids do in a step.

#include "packing/contacts/deep_contact.hpp"
#include "packing/shaped/flat_places.hpp"
#include "packing/shaped/shaped_backend.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace beadwave::packing {

ShapedBackend::Rates ShapedBackend::rates_on_wall(const Sides& sides, const Touch& touch,
                                                  When when) const {
    const ShapedParticle& a = particle_[sides.first];
    const auto w = static_cast<std::size_t>(sides.wall);
    const WallStep step = around_.loads.step(w, walls_.at_list[w], walls_.list_time);
    const Vec3 point = place_of(sides.first) + touch.arm_1;
    const Vec3 of_wall = step.at(point, when == When::half ? step.half : step.predicted);
    switch (when) {
        case When::half:
            return {a.half, a.half_spin, of_wall, step.angular_velocity};
        case When::predicted:
            return {a.predicted, a.predicted_spin, of_wall, step.angular_velocity};
        case When::now:
            break;
    }
    return {a.velocity, a.spin(), of_wall, step.angular_velocity};
}

ShapedBackend::Middle ShapedBackend::middle_of(const ShapedPair& pair, const Sides& sides,
                                               const Touch& touch, const Rates& half,
                                               double dt) const {
    if (!pair.balls) {
        const Vec3 normal = pair.normal + touch.normal;
        // A body that is jammed in a cylinder may go from one side to the other.
        constexpr double opposed = 1e-6;
        return {.arm_1 = 0.5 * (pair.arm_1 + touch.arm_1),
                .arm_2 = 0.5 * (pair.arm_2 + touch.arm_2),
                .normal = dot(normal, normal) > opposed ? normal : touch.normal};
    }
    if (sides.wall >= 0) return {touch.arm_1, touch.arm_2, touch.normal};
    const double a = particle_[sides.first].radius, b = particle_[sides.second].radius;
    const Vec3 branch = sides.branch - (0.5 * dt) * (half.velocity_2 - half.velocity_1);
    return {.arm_1 = (a / (a + b)) * branch, .arm_2 = -(b / (a + b)) * branch, .normal = branch};
}

std::array<std::size_t, 2> ShapedBackend::species_of(const Sides& sides) const {
    const auto species = [&](std::uint32_t i) { return std::size_t{packing_.species[i]}; };
    return {species(sides.first),
            sides.wall < 0 ? species(sides.second)
                           : packing_.walls[static_cast<std::size_t>(sides.wall)].species};
}

void ShapedBackend::count_flat(const ShapedPair& pair, const Sides& sides) {
    if (!pair.closing.flat) return;
    const auto [a, b] = species_of(sides);
    if (needs_radius(pair.closing.radius, pair.closing.mass, laws_.settings_of(a, b),
                     packing_.species_list[a].elasticity, packing_.species_list[b].elasticity))
        flat_contacts_ += 1.0;
}

void ShapedBackend::make_law(ShapedPair& pair, const Sides& sides) const {
    const auto [a, b] = species_of(sides);
    double turning = particle_[sides.first].mean_turning();
    if (sides.wall < 0) turning += particle_[sides.second].mean_turning();
    pair.law = law_of(pair.closing, turning, laws_.settings_of(a, b),
                      packing_.species_list[a].elasticity, packing_.species_list[b].elasticity);
}

void ShapedBackend::close(ShapedPair& pair, const Sides& sides, const Touch& touch, double dt) {
    const Rates half = rates_of(sides, touch, When::half);
    const double approach = dot(touch.normal, half.apart(touch.arm_1, touch.arm_2));
    const double back = approach > 0.0 ? std::min(dt, touch.overlap / approach) : 0.0;
    const ShapedMember &first = member_[sides.member_1], &second = member_[sides.member_2];
    const ShapedParticle a = as_member(particle_[sides.first].before(back), first);
    if (sides.wall >= 0) {
        const double climb = dot(sides.wall_normal, half.velocity_1 - half.velocity_2);
        const double turned = dot(sides.wall_normal, first.place - a.place);
        pair.closing = closing_of(a, sides.wall_normal, sides.height - back * climb - turned);
    } else {
        const ShapedParticle b = as_member(particle_[sides.second].before(back), second);
        const Vec3 turned = (second.place - b.place) - (first.place - a.place);
        const Vec3 branch = sides.branch - back * (half.velocity_2 - half.velocity_1) - turned;
        pair.closing = closing_of(a, b, branch, touch.normal);
    }
    make_law(pair, sides);
    count_flat(pair, sides);
    pair.normal = touch.normal;
    pair.arm_1 = touch.arm_1;
    pair.arm_2 = touch.arm_2;
}

void ShapedBackend::respond_pairs(double dt) {
    for (ShapedParticle& particle : particle_)
        particle.force = particle.torque = {};
    face_walls();
    follow_ways();
    if (threads_ == 1 && ranks_ == nullptr) {
        PairNow now;
        for (std::size_t p = 0; p < pair_.size(); ++p) {
            find_touch(p, now);
            respond_pair(p, now, dt);
        }
        return;
    }
    find_touches();
    for (std::size_t p = 0; p < pair_.size(); ++p)
        respond_pair(p, now_[p], dt);
}

void ShapedBackend::respond_pair(std::size_t p, const PairNow& now, double dt) {
    ShapedPair& pair = pair_[p];
    if (!now.finite) {
        // first_non_finite() tells of it.
        pair.normal_force = std::numeric_limits<double>::quiet_NaN();
        return;
    }
    const Sides& sides = now.sides;
    const std::optional<Touch>& touch = now.touch;
    if (!touch) {
        pair.overlap = 0.0;
        return;
    }
    const bool touched_before = watches_impacts_ && touches(pair);
    const double force_before = pair.normal_force;
    pair.overlap = touch->overlap;
    if (!pair.is_closed()) {
        if (!(touch->overlap > 0.0)) {
            pair.normal = touch->normal;
            return;
        }
        close(pair, sides, *touch, dt);
    }
    if (touch->overlap > 0.0 && !touch->certain) uncertain_normals_ += 1.0;
    watch_depth(pair, sides);
    Rates half = rates_of(sides, *touch, When::half);
    Rates predicted = rates_of(sides, *touch, When::predicted);
    Vec3 end = predicted.apart(touch->arm_1, touch->arm_2);
    const double approach = dot(touch->normal, end);
    const auto normal = law_of_pair(pair).normal.respond(touch->overlap, approach, pair.memory);
    pair.memory = normal.memory;
    pair.normal_force = normal.force;
    Touch at = *touch;
    std::optional<Beside> several;
    if (const std::span<const PointOnWall> points = beside(p); !points.empty()) {
        several = press_beside(pair, sides, at, points);
        pair.normal_force = several->pressing;  // which bounds friction
        half = rates_of(sides, at, When::half);
        predicted = rates_of(sides, at, When::predicted);
        end = predicted.apart(at.arm_1, at.arm_2);
    }
    const Slid slid = slide(pair, sides, at, half, end, dt);
    pair.rolling_torque = {};
    const Rolled rolled = rolls_ ? roll(pair, sides, at, half, predicted, dt) : Rolled{};
    if (wall_work_ && sides.wall >= 0)
        rub_wall(p, sides, several ? pair.normal_force : force_before, slid.way);
    if (several) {
        pair.normal_force = several->force;
        pair.rolling_torque += several->torque;
    }
    pair.normal = at.normal;
    pair.arm_1 = at.arm_1;
    pair.arm_2 = at.arm_2;
    add_forces(pair, sides);
    if (accounts_) account_pair(pair, sides, slid.work, rolled);
    if (watches_impacts_) {
        watch_impact({.pair = p,
                      .triangle = triangle_of(p),
                      .touched = touched_before,
                      .touches = touches(pair),
                      .overlap = pair.overlap,
                      .force_before = force_before,
                      .force = pair.normal_force},
                     dt, [&] { return closing_of_touch(sides, *touch, dt); });
    }
    if (!pair.balls && !touches(pair)) pair.open();
}

ShapedBackend::Slid ShapedBackend::slide(ShapedPair& pair, const Sides& sides, const Touch& touch,
                                         const Rates& half, const Vec3& end, double dt) {
    const Middle middle = middle_of(pair, sides, touch, half, dt);
    const double inverse_squared = 1.0 / dot(middle.normal, middle.normal);
    const Vec3 mean = half.apart(middle.arm_1, middle.arm_2);
    const Vec3 slip = mean - (dot(mean, middle.normal) * inverse_squared) * middle.normal;
    laws::SliderMemory<double> before = pair.sliding;
    before.vector = laws::turned(before.vector, middle.normal, inverse_squared, touch.normal);
    const laws::Grip<double> grip = pair.grip(law_of_pair(pair));
    const auto response = std::visit(
        [&](const auto& slider) {
            return slider.respond({.slip = dt * slip,
                                   .mean = slip,
                                   .velocity = end - dot(end, touch.normal) * touch.normal,
                                   .overlap = grip.overlap,
                                   .normal_force = grip.force},
                                  before);
        },
        law_of_pair(pair).slider);
    pair.sliding = response.memory;
    pair.tangential_force = response.force;
    ledger_.tangential += response.work;
    return {response.work, dt * std::sqrt(dot(slip, slip))};
}

void ShapedBackend::add_forces(const ShapedPair& pair, const Sides& sides) {
    const Vec3 force = pair.normal_force * pair.normal + pair.tangential_force;
    // The normal force between balls has no lever; rounding would give it one.
    const Vec3& turns = pair.balls ? pair.tangential_force : force;
    particle_[sides.first].force -= force;
    particle_[sides.first].torque -= cross(pair.arm_1, turns);
    particle_[sides.first].torque -= pair.rolling_torque;
    if (sides.wall < 0) particle_[sides.second].torque += pair.rolling_torque;
    if (sides.wall < 0) {
        particle_[sides.second].force += force;
        particle_[sides.second].torque += cross(pair.arm_2, turns);
        if (around_.box.strains()) add_to_edges(image_force_, force, sides.image);
        return;
    }
    const auto w = static_cast<std::size_t>(sides.wall);
    walls_.force[w] += force;
    walls_.torque[w] += wall_torque_of(pair, sides, force);
}

double ShapedBackend::wall_torque_of(const ShapedPair& pair, const Sides& sides,
                                     const Vec3& force) const {
    if (sides.wall < 0) return 0.0;
    const auto w = static_cast<std::size_t>(sides.wall);
    const Wall& wall = packing_.walls[w];
    if (wall.angular_velocity == 0.0) return 0.0;
    const Vec3 point = place_of(sides.first) + pair.arm_1;
    return dot(
        cross(point - wall.point() - around_.loads.displacement(w), force) + pair.rolling_torque,
        wall.direction());
}

void ShapedBackend::watch_depth(const ShapedPair& pair, const Sides& sides) {
    const auto size = [&](std::uint32_t member) {
        return pair.round ? member_[member].radius : member_[member].smallest_axis();
    };
    double smaller = size(sides.member_1);
    if (sides.wall < 0) smaller = std::min(smaller, size(sides.member_2));
    if (!(pair.overlap > large_depth * smaller)) return;
    const std::size_t second = sides.wall >= 0
                                   ? particle_.size() + static_cast<std::size_t>(sides.wall)
                                   : std::size_t{sides.second};
    note_depth({pair.overlap / smaller, pair.overlap, sides.first, second, around_.step});
}

}  // namespace beadwave::packing
