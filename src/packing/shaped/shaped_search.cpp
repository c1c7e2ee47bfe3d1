// Where the pairs of a packing of ellipsoids touch in a step. Threads share the search.
//
// Pairs that are known to be apart by a gap are left out until their bodies together have moved as
// far. While a contact is closed the search goes on from its last touch (shapes/near_normal.hpp);
// only where that ends, and before a contact closes, all directions are searched.

#include "packing/shaped/shaped_backend.hpp"
#include "packing/vector_length.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace beadwave::packing {

ShapedBackend::Sides ShapedBackend::sides_of(std::size_t p) const {
    Sides sides{bodies_[p]};
    const ShapedMember& m = member_[sides.member_1];
    const ShapedParticle& a = particle_[sides.first];
    if (sides.wall >= 0) {
        const auto w = static_cast<std::size_t>(sides.wall);
        if (is_curved(sides.wall)) {
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
    const ShapedMember& other = member_[sides.member_2];
    const ShapedParticle& b = particle_[sides.second];
    sides.branch = (b.start - a.start) + (b.displacement - a.displacement);
    sides.branch += around_.box.strains() ? around_.box.now().shift(sides.image) : sides.shift;
    if (m.of_clump || other.of_clump) sides.branch += other.place - m.place;
    return sides;
}

void ShapedBackend::follow_ways() {
    for (std::size_t i = 0; i < particle_.size(); ++i) {
        const ShapedParticle& now = particle_[i];
        Way& way = way_[i];
        const shapes::Quaternion &q = now.orientation, &last = way.orientation;
        // A turn by an angle moves points by up to 2 radius sin(angle/2); the difference of the
        // quaternions is 2 sin(angle/4).
        const double turn = shapes::norm({q.w - last.w, q.x - last.x, q.y - last.y, q.z - last.z});
        const double length =
            way.length + length_of(now.displacement - way.displacement) + 2.0 * now.radius * turn;
        way = {now.displacement, q, length, now.is_finite()};
    }
}

void ShapedBackend::part(ShapedPair& pair, const Sides& sides, double gap) const {
    if (around_.box.strains()) return;  // images move
    // Far more than rounding takes from a gap and from the sums of ways.
    const double rounding =
        1e-9 * (member_[sides.member_1].radius + member_[sides.member_2].radius);
    pair.apart_until = way_[sides.first].length + way_[sides.second].length + gap - rounding;
}

Touch ShapedBackend::touch_with_wall(std::size_t p, const Sides& sides) const {
    const ShapedMember& member = member_[sides.member_1];
    Touch touch =
        touch_of(as_member(particle_[sides.first], member), sides.wall_normal, sides.height);
    if (is_curved(sides.wall)) touch.certain = facing_[list_.second[p] - member_.size()].certain;
    return touch;
}

std::optional<Touch> ShapedBackend::touch_of_shapes(ShapedPair& pair, const Sides& sides) {
    const ShapedMember &first = member_[sides.member_1], &second = member_[sides.member_2];
    const double radii = first.radius + second.radius;
    if (pair.is_closed()) {
        const Touch last{pair.normal, pair.overlap, pair.arm_1 - first.place,
                         pair.arm_2 - second.place, true};
        const auto touch = touch_near(shape_[sides.member_1], shape_[sides.member_2], sides.branch,
                                      last, first.radius / radii);
        if (touch) return touch;
    } else if (const double distance = length_of(sides.branch); distance > radii) {
        part(pair, sides, distance - radii);
        return std::nullopt;
    }
    const ShapedParticle a = as_member(particle_[sides.first], first),
                         b = as_member(particle_[sides.second], second);
    if (!pair.is_closed() && pair.normal != Vec3{}) {
        const double gap = gap_along(a, b, sides.branch, pair.normal);
        if (gap > 0.0) {
            part(pair, sides, gap);
            return std::nullopt;
        }
    }
    try {
        const Touch touch = touch_of(a, b, sides.branch, pair.normal);
        if (touch.overlap < 0.0) part(pair, sides, -touch.overlap);
        return touch;
    } catch (const std::runtime_error& error) {
        throw std::runtime_error(fmt::format("particles {} and {}, at step {} (t = {:.6g} s): {}",
                                             sides.first, sides.second, around_.step, time(),
                                             error.what()));
    }
}

std::optional<Touch> ShapedBackend::touch_of_members(std::size_t p, const Sides& sides) {
    ShapedPair& pair = pair_[p];
    const ShapedMember& first = member_[sides.member_1];
    if (sides.wall < 0) return touch_of_shapes(pair, sides);
    if (pair.round) return touch_of_ball(first.radius, sides.wall_normal, sides.height);
    if (!pair.is_closed() && sides.height > first.radius) return std::nullopt;
    return touch_with_wall(p, sides);
}

void ShapedBackend::find_touch(std::size_t p, PairNow& now) {
    const PairBodies& bodies = bodies_[p];
    const Way &way_1 = way_[bodies.first], &way_2 = way_[bodies.second];
    now.finite = way_1.finite && way_2.finite;
    now.touch.reset();
    if (!now.finite || way_1.length + way_2.length < pair_[p].apart_until) return;
    now.sides = sides_of(p);
    const ShapedMember &first = member_[bodies.member_1], &second = member_[bodies.member_2];
    if (pair_[p].round && bodies.wall < 0)
        now.touch = touch_of_balls(first.radius, second.radius, now.sides.branch);
    else
        now.touch = touch_of_members(p, now.sides);
    if (!now.touch) return;
    if (first.of_clump) now.touch->arm_1 += first.place;
    if (second.of_clump && bodies.wall < 0) now.touch->arm_2 += second.place;
}

}  // namespace beadwave::packing
