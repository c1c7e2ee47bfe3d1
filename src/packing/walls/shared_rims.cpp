#include "packing/walls/shared_rims.hpp"

#include "packing/vector_length.hpp"
#include "packing/walls/wall.hpp"

#include <algorithm>
#include <cmath>

namespace beadwave::packing {
namespace {

using Pair = std::array<double, 2>;

double cross_of(const Pair& a, const Pair& b) {
    return a[0] * b[1] - a[1] * b[0];
}
double distance_of(const Pair& a, const Pair& b) {
    return std::hypot(a[0] - b[0], a[1] - b[1]);
}

struct Rim {
    Pair at;   // (along, away)
    Pair way;  // of unit length, into the wall
};

/// The rims of a wall that are circles: a disc without a hole has one, a cone with a tip too.
std::vector<Rim> rims_of(const Revolved& wall) {
    std::vector<Rim> rims;
    if (wall.is_endless()) return rims;
    const Pair first{0.0, wall.radius_1}, second{wall.length, wall.radius_2};
    const double size = distance_of(first, second);
    const Pair way{(second[0] - first[0]) / size, (second[1] - first[1]) / size};
    if (first[1] > 0.0) rims.push_back({first, way});
    if (second[1] > 0.0) rims.push_back({second, {-way[0], -way[1]}});
    return rims;
}

bool move_alike(const Wall& one, const Wall& two) {
    if (one.load || two.load || one.velocity != two.velocity) return false;
    if (!one.drive && !two.drive) return true;
    return one.drive && two.drive && one.direction() == two.direction() &&
           one.drive->numbers() == two.drive->numbers();
}

}  // namespace

SharedRims::SharedRims(std::span<const Wall> walls) : walls_(walls), joint_(walls.size()) {
    for (std::size_t a = 0; a < walls.size(); ++a) {
        for (std::size_t b = 0; b < walls.size(); ++b)
            if (a != b) join(a, b);
    }
    any_ = std::ranges::any_of(joint_, [](const auto& joints) { return !joints.empty(); });
}

void SharedRims::join(std::size_t a, std::size_t b) {
    const auto *one = std::get_if<Revolved>(&walls_[a].shape),
               *two = std::get_if<Revolved>(&walls_[b].shape);
    if (one == nullptr || two == nullptr) return;
    constexpr double rounding = 1e-6;  // of numbers in a file, as a part of the rim's radius
    constexpr double smooth = 1e-5;    // bend [rad]
    const double sign = dot(one->axis, two->axis) < 0.0 ? -1.0 : 1.0;
    if (length_of(one->axis - sign * two->axis) > rounding) return;
    for (const Rim& own : rims_of(*one)) {
        const double same_place = rounding * own.at[1];
        for (const Rim& other : rims_of(*two)) {
            const Vec3 between =
                two->point + other.at[0] * two->axis - one->point - own.at[0] * one->axis;
            if (length_of(between) > same_place || std::abs(own.at[1] - other.at[1]) > same_place)
                continue;
            if (!move_alike(walls_[a], walls_[b])) return;
            const Pair way{sign * other.way[0], other.way[1]};
            const double across = cross_of(own.way, way);
            const bool straight = std::abs(across) < smooth;
            if (straight && own.way[0] * way[0] + own.way[1] * way[1] > 0.0) continue;
            joint_[a].push_back({.rim = own.at,
                                 .other = b,
                                 .other_rim = other.at,
                                 .own_way = own.way,
                                 .other_way = way,
                                 .smooth = straight,
                                 .same_place = same_place});
        }
    }
}

std::int32_t SharedRims::counts_for(std::size_t wall, const Vec3& centre, const Vec3& moved) const {
    if (joint_[wall].empty()) return nobody;
    const auto own = std::get<Revolved>(walls_[wall].shape).nearest_on_line(centre, moved);
    for (const Joint& joint : joint_[wall]) {
        if (distance_of(own.at, joint.rim) > joint.same_place) continue;
        const auto other =
            std::get<Revolved>(walls_[joint.other].shape).nearest_on_line(centre, moved);
        if (distance_of(other.at, joint.other_rim) <= joint.same_place) {  // the same point
            if (joint.other < wall) return static_cast<std::int32_t>(joint.other);
            continue;
        }
        const Pair to{own.from[0] - joint.rim[0], own.from[1] - joint.rim[1]};
        const double turn = cross_of(joint.own_way, joint.other_way);
        const bool concave =
            cross_of(joint.own_way, to) * turn > 0.0 && cross_of(to, joint.other_way) * turn > 0.0;
        if (joint.smooth || !concave) return static_cast<std::int32_t>(joint.other);
    }
    return nobody;
}

void RimGhosts::adopt(std::span<const Ghost> ghosts) {
    known_ = false;
    member_.clear();
    if (!rims_.any()) return;
    std::vector<Member> all;
    for (std::uint32_t g = 0; g < ghosts.size(); ++g) {
        const Ghost& ghost = ghosts[g];
        if (ghost.wall < 0 || !rims_.has(static_cast<std::size_t>(ghost.wall))) continue;
        all.push_back(
            {.particle = ghost.of, .ghost = g, .wall = static_cast<std::size_t>(ghost.wall)});
    }
    std::ranges::stable_sort(all, {}, &Member::particle);
    // A particle that has only one of two walls within its skin is far from their rim.
    for (std::size_t k = 0; k < all.size(); ++k) {
        if ((k > 0 && all[k - 1].particle == all[k].particle) ||
            (k + 1 < all.size() && all[k + 1].particle == all[k].particle))
            member_.push_back(all[k]);
    }
}

const RimGhosts::Member* RimGhosts::of_wall(const Member& member, std::int32_t wall) const {
    auto m = std::ranges::lower_bound(member_, member.particle, {}, &Member::particle);
    for (; m != member_.end() && m->particle == member.particle; ++m)
        if (static_cast<std::int32_t>(m->wall) == wall) return &*m;
    return nullptr;
}

}  // namespace beadwave::packing
