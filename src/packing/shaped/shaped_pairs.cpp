// What the pairs of a packing of ellipsoids do in a step.

#include "packing/contacts/deep_contact.hpp"
#include "packing/neighbours/pair_matching.hpp"
#include "packing/shaped/each_on_threads.hpp"
#include "packing/shaped/flat_places.hpp"
#include "packing/shaped/shaped_backend.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace beadwave::packing {

ShapedBackend::Sides ShapedBackend::sides_of(std::size_t p) const {
    const PairKey key = pair_key(list_, member_.size(), p);
    const ShapedMember& m = member_[key.first];
    const ShapedParticle& a = particle_[m.body];
    Sides sides{.first = m.body,
                .second = m.body,
                .member_1 = key.first,
                .member_2 = key.first,
                .wall = key.wall,
                .image = key.image,
                .branch = {},
                .wall_normal = {},
                .height = 0.0};
    if (key.wall >= 0) {
        const auto w = static_cast<std::size_t>(key.wall);
        if (is_curved(key.wall)) {
            const SurfaceFacing& facing = facing_[list_.second[p] - member_.size()];
            sides.wall_normal = facing.normal;
            // Out of reach, where another contact counts or the search has ended: no overlap.
            sides.height = facing.found ? facing.height() : 2.0 * m.radius;
            return sides;
        }
        const auto& plane = std::get<Plane>(packing_.walls[w].shape);
        sides.wall_normal = plane.normal;
        sides.height = dot(plane.normal, (a.start - plane.point) +
                                             (a.displacement - around_.loads.displacement(w)));
        if (m.of_clump) sides.height += dot(plane.normal, m.place);
        return sides;
    }
    const ShapedMember& other = member_[key.second];
    const ShapedParticle& b = particle_[other.body];
    sides.second = other.body;
    sides.member_2 = key.second;
    sides.branch = (b.start - a.start) + (b.displacement - a.displacement);
    sides.branch += around_.box.now().shift(key.image);
    if (m.of_clump || other.of_clump) sides.branch += other.place - m.place;
    return sides;
}

std::optional<Touch> ShapedBackend::touch_of_pair(std::size_t p, const Sides& sides) const {
    std::optional<Touch> touch = touch_of_members(p, sides);
    if (!touch) return touch;
    const ShapedMember &first = member_[sides.member_1], &second = member_[sides.member_2];
    if (first.of_clump) touch->arm_1 += first.place;
    if (second.of_clump && sides.wall < 0) touch->arm_2 += second.place;
    return touch;
}

std::optional<Touch> ShapedBackend::touch_of_members(std::size_t p, const Sides& sides) const {
    const ShapedPair& pair = pair_[p];
    const ShapedMember &first = member_[sides.member_1], &second = member_[sides.member_2];
    if (pair.round) {
        return sides.wall >= 0 ? touch_of_ball(first.radius, sides.wall_normal, sides.height)
                               : touch_of_balls(first.radius, second.radius, sides.branch);
    }
    const ShapedParticle a = as_member(particle_[sides.first], first);
    if (sides.wall >= 0) {
        if (!pair.is_closed() && sides.height > a.radius) return std::nullopt;
        Touch touch = touch_of(a, sides.wall_normal, sides.height);
        if (is_curved(sides.wall))
            touch.certain = facing_[list_.second[p] - member_.size()].certain;
        return touch;
    }
    const ShapedParticle b = as_member(particle_[sides.second], second);
    const double radii = a.radius + b.radius;
    if (!pair.is_closed() &&
        (dot(sides.branch, sides.branch) > radii * radii ||
         (pair.normal != Vec3{} && apart_along(a, b, sides.branch, pair.normal))))
        return std::nullopt;
    try {
        return touch_of(a, b, sides.branch, pair.normal);
    } catch (const std::runtime_error& error) {
        throw std::runtime_error(fmt::format("particles {} and {}, at step {} (t = {:.6g} s): {}",
                                             sides.first, sides.second, around_.step, time(),
                                             error.what()));
    }
}

ShapedBackend::Rates ShapedBackend::rates_of(const Sides& sides, const Touch& touch,
                                             When when) const {
    const auto velocity = [&](const ShapedParticle& of) {
        return when == When::half ? of.half : when == When::predicted ? of.predicted : of.velocity;
    };
    const auto spin = [&](const ShapedParticle& of) {
        return when == When::half        ? of.half_spin
               : when == When::predicted ? of.predicted_spin
                                         : of.spin();
    };
    const ShapedParticle& a = particle_[sides.first];
    if (sides.wall < 0) {
        const ShapedParticle& b = particle_[sides.second];
        Rates rates{velocity(a), spin(a), velocity(b), spin(b)};
        if (around_.box.strains()) {
            const Edges& rate = when == When::half        ? around_.box.half()
                                : when == When::predicted ? around_.box.predicted()
                                                          : around_.box.rate();
            rates.velocity_2 += rate.shift(sides.image);
        }
        return rates;
    }
    const auto w = static_cast<std::size_t>(sides.wall);
    const WallStep step = around_.loads.step(w, walls_.at_list[w], walls_.list_time);
    const Vec3 point = place_of(sides.first) + touch.arm_1;
    return {velocity(a), spin(a), step.at(point, when == When::half ? step.half : step.predicted),
            step.angular_velocity};
}

ShapedBackend::Middle ShapedBackend::middle_of(const ShapedPair& pair, const Sides& sides,
                                               const Touch& touch, const Rates& half,
                                               double dt) const {
    if (!pair.balls) {
        return {.arm_1 = 0.5 * (pair.arm_1 + touch.arm_1),
                .arm_2 = 0.5 * (pair.arm_2 + touch.arm_2),
                .normal = pair.normal + touch.normal};
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
    find_touches();
    for (std::size_t p = 0; p < pair_.size(); ++p)
        respond_pair(p, dt);
}

bool ShapedBackend::is_finite(const Sides& sides) const {
    return particle_[sides.first].is_finite() && particle_[sides.second].is_finite();
}

void ShapedBackend::find_touches() {
    touch_.resize(pair_.size());
    each_on_threads(pair_.size(), threads_, [&](std::size_t p) {
        const Sides sides = sides_of(p);
        touch_[p] = is_finite(sides) ? touch_of_pair(p, sides) : std::nullopt;
    });
}

void ShapedBackend::respond_pair(std::size_t p, double dt) {
    ShapedPair& pair = pair_[p];
    const bool touched_before = touches(pair);
    const double force_before = pair.normal_force;
    const Sides sides = sides_of(p);
    if (!is_finite(sides)) {
        // first_non_finite() tells of it.
        pair.normal_force = std::numeric_limits<double>::quiet_NaN();
        return;
    }
    const std::optional<Touch>& touch = touch_[p];
    if (!touch) {
        pair.overlap = 0.0;
        return;
    }
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
    const Rates predicted = rates_of(sides, *touch, When::predicted);
    const double approach = dot(touch->normal, predicted.apart(touch->arm_1, touch->arm_2));
    const auto normal = law_of_pair(pair).normal.respond(touch->overlap, approach, pair.memory);
    pair.memory = normal.memory;
    pair.normal_force = normal.force;
    Touch at = *touch;
    const std::span<const PointOnWall> points = beside(p);
    const Vec3 turning = points.empty() ? Vec3{} : press_beside(pair, sides, at, points);
    const Slid slid = slide(pair, sides, at, dt);
    pair.rolling_torque = {};
    const Rolled rolled = rolls_ ? roll(pair, sides, at, dt) : Rolled{};
    pair.rolling_torque += turning;
    pair.normal = at.normal;
    pair.arm_1 = at.arm_1;
    pair.arm_2 = at.arm_2;
    add_forces(pair, sides);
    if (accounts_) account_pair(pair, sides, slid.work, rolled);
    if (wall_work_ && sides.wall >= 0) rub_wall(p, sides, force_before, slid.way);
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
                                         double dt) {
    const Rates half = rates_of(sides, touch, When::half);
    const Rates predicted = rates_of(sides, touch, When::predicted);
    const Middle middle = middle_of(pair, sides, touch, half, dt);
    const double inverse_squared = 1.0 / dot(middle.normal, middle.normal);
    const Vec3 mean = half.apart(middle.arm_1, middle.arm_2);
    const Vec3 slip = mean - (dot(mean, middle.normal) * inverse_squared) * middle.normal;
    const Vec3 end = predicted.apart(touch.arm_1, touch.arm_2);
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
    const double own = member_[sides.member_1].smallest_axis();
    const double other = sides.wall < 0 ? member_[sides.member_2].smallest_axis() : 0.0;
    const double depth = depth_of(pair.overlap, own, other);
    if (!(depth > large_depth)) return;
    const std::size_t second = sides.wall >= 0
                                   ? particle_.size() + static_cast<std::size_t>(sides.wall)
                                   : std::size_t{sides.second};
    note_depth({depth, pair.overlap, sides.first, second, around_.step});
}

}  // namespace beadwave::packing
