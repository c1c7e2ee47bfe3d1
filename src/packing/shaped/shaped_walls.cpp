// Curved walls and meshes of the engine of ellipsoids and clumps.

#include "packing/contacts/deep_contact.hpp"
#include "packing/neighbours/pair_matching.hpp"
#include "packing/shaped/each_on_threads.hpp"
#include "packing/shaped/shaped_backend.hpp"
#include "packing/walls/wall_motion.hpp"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>
#include <utility>

namespace beadwave::packing {
namespace {

/// The rotation of a turn.
shapes::Quaternion quaternion_of(const Turn& turn) {
    const double half = 0.5 * std::atan2(turn.sine, turn.cosine), s = std::sin(half);
    return {std::cos(half), s * turn.axis.x, s * turn.axis.y, s * turn.axis.z};
}

shapes::Quaternion turned_back(const Turn& turn, const shapes::Quaternion& orientation) {
    if (turn.sine == 0.0 && turn.cosine == 1.0) return orientation;
    const shapes::Quaternion q = quaternion_of(turn);
    return shapes::normalised(shapes::Quaternion{q.w, -q.x, -q.y, -q.z} * orientation);
}

}  // namespace

Vec3 ShapedBackend::centre_of(std::size_t member) const {
    const ShapedMember& m = member_[member];
    return m.of_clump ? place_of(m.body) + m.place : place_of(m.body);
}

Vec3 ShapedBackend::centre_at_list(std::size_t member) const {
    const ShapedMember& m = member_[member];
    const Vec3 at = particle_[m.body].start + at_list_[m.body];
    return m.of_clump ? at + place_at_list_[member] : at;
}

void ShapedBackend::adopt_walls() {
    if (!curved_) return;
    facing_.assign(list_.ghosts.size(), {});
    for (std::size_t g = 0; g < facing_.size(); ++g) {
        // A direction for contacts that are not found.
        const std::int32_t wall = list_.ghosts[g].wall;
        if (wall >= 0)
            facing_[g].normal = packing_.walls[static_cast<std::size_t>(wall)].direction();
    }
    std::vector<Ghost> of_balls = list_.ghosts;
    for (Ghost& ghost : of_balls) {
        if (ghost.wall >= 0 && !member_[ghost.of].is_ball()) ghost.wall = -1;
    }
    rim_ghosts_.adopt(of_balls);
    seam_ghosts_.adopt(list_.ghosts, [&](const Ghost& ghost) {
        const bool mesh = packing_.walls[static_cast<std::size_t>(ghost.wall)].mesh() != nullptr;
        return mesh || (is_curved(ghost.wall) && !member_[ghost.of].is_ball());
    });
}

void ShapedBackend::face_walls() {
    if (!curved_) return;
    each_on_threads(list_.ghosts.size(), threads_, [&](std::size_t g) {
        if (!is_curved(list_.ghosts[g].wall)) return;
        const Vec3 last = facing_[g].normal;
        facing_[g] = facing_now(g);
        if (!facing_[g].found) facing_[g].normal = last;
    });
    if (!rims_.any() && !seam_ghosts_.any()) return;
    const auto drop = [&](std::uint32_t ghost) { facing_[ghost].found = false; };
    const auto pass = [&](std::uint32_t from, std::uint32_t to) { pass_contact(from, to); };
    rim_ghosts_.update([&](std::size_t member) { return centre_of(member); },
                       [&](std::size_t wall) { return around_.loads.displacement(wall); }, drop,
                       pass);
    seam_ghosts_.update(
        [&](std::size_t member) { return member_[member].smallest_axis(); },
        [&](std::size_t one, std::size_t two) { return rims_.keeps_memory(one, two); }, drop, pass);
}

SurfaceFacing ShapedBackend::facing_now(std::size_t g) {
    const Ghost& ghost = list_.ghosts[g];
    const auto w = static_cast<std::size_t>(ghost.wall);
    WallStep step = around_.loads.step(w, walls_.at_list[w], walls_.list_time);
    const ShapedMember& member = member_[ghost.of];
    if (!particle_[member.body].is_finite()) return {};  // first_non_finite() tells of it
    MeshContact* const contact = seam_ghosts_.contact(g);
    if (packing_.walls[w].mesh() != nullptr) step.from += around_.box.now().shift(ghost.image);
    if (member.is_ball()) return facing_of_ball(g, step, contact);
    try {
        const SurfaceFacing facing = facing_of_shape(g, step);
        if (contact != nullptr) {
            *contact = {};
            if (facing.found)
                *contact = {facing.normal, member.radius - facing.overlap, facing.on_rim,
                            facing.arm};
        }
        return facing;
    } catch (const std::runtime_error& error) {
        throw std::runtime_error(
            fmt::format("particle {} and wall {}, at step {} (t = {:.6g} s): {}", member.body, w,
                        around_.step, time(), error.what()));
    }
}

SurfaceFacing ShapedBackend::facing_of_ball(std::size_t g, WallStep step,
                                            MeshContact* contact) const {
    const Ghost& ghost = list_.ghosts[g];
    const Wall& wall = packing_.walls[static_cast<std::size_t>(ghost.wall)];
    const double radius = member_[ghost.of].radius;
    const Vec3 start = centre_at_list(ghost.of), now = centre_of(ghost.of);
    if (const Mesh* const mesh = wall.mesh()) {
        MeshContact own;
        mesh_ghost(*mesh, patch_of(ghost), start, now - start, radius, step, &own);
        if (contact != nullptr) *contact = own;
        if (!own.found()) return {};
        SurfaceFacing facing =
            packing::facing_of_ball(radius, own.normal, own.distance, own.on_rim);
        facing.triangle = own.triangle;
        return facing;
    }
    const SurfacePoint before = wall.closest(start, step.from);
    SurfacePoint at = wall.closest(now, step.from + step.moved);
    if (dot(before.normal, at.normal) < 0.0) {  // now behind a surface that has two sides
        at.normal = -at.normal;
        at.distance = -at.distance;
    }
    return packing::facing_of_ball(radius, at.normal, at.distance, false);
}

SurfaceFacing ShapedBackend::facing_of_shape(std::size_t g, const WallStep& step) const {
    const Ghost& ghost = list_.ghosts[g];
    const Wall& wall = packing_.walls[static_cast<std::size_t>(ghost.wall)];
    const ShapedParticle& particle = particle_[member_[ghost.of].body];
    const Vec3 place = centre_of(ghost.of) - wall.point() - step.from - step.moved;
    if (const Mesh* const mesh = wall.mesh()) {
        auto body = particle.shape_at(step.turn.back(place));
        body.orientation = turned_back(step.turn, body.orientation);
        SurfaceFacing facing = facing_of_patch(body, *mesh->surface, patch_of(ghost));
        facing.normal = step.turn.forwards(facing.normal);
        facing.arm = step.turn.forwards(facing.arm);
        return facing;
    }
    const auto& curved = std::get<Revolved>(wall.shape);
    if (!(curved.closest(place + curved.point, {}).distance < particle.radius)) return {};
    return facing_of_wall(particle.shape_at(place), curved, -pair_[pair_of(g)].normal);
}

void ShapedBackend::pass_contact(std::size_t from_ghost, std::size_t to_ghost) {
    ShapedPair &from = pair_[pair_of(from_ghost)], &to = pair_[pair_of(to_ghost)];
    if (accounts_)
        accounts_->exchange(bodies_of(sides_of(pair_of(from_ghost))),
                            energy_of(pair_of(from_ghost)), bodies_of(sides_of(pair_of(to_ghost))),
                            energy_of(pair_of(to_ghost)));
    std::swap(from.closing, to.closing);
    std::swap(from.law, to.law);
    std::swap(from.memory, to.memory);
    std::swap(from.normal_force, to.normal_force);
    std::swap(from.sliding, to.sliding);
    std::swap(from.rolling, to.rolling);
    std::swap(from.normal, to.normal);
    std::swap(from.arm_1, to.arm_1);
}

void ShapedBackend::watch_old_pairs() {
    if (!curved_) return;
    for (std::size_t g = 0; g < list_.ghosts.size(); ++g) {
        const Ghost& ghost = list_.ghosts[g];
        if (!is_curved(ghost.wall) || !facing_[g].found) continue;
        const ShapedMember& member = member_[ghost.of];
        const double depth = depth_of(facing_[g].overlap, member.smallest_axis(), 0.0);
        if (depth < lost_depth) continue;
        note_depth({depth, facing_[g].overlap, member.body,
                    particle_.size() + static_cast<std::size_t>(ghost.wall), around_.step});
    }
}

}  // namespace beadwave::packing
