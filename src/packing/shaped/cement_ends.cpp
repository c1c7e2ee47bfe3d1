#include "packing/shaped/cement_ends.hpp"

#include "packing/shaped/shaped_member.hpp"
#include "packing/shaped/shaped_touch.hpp"
#include "packing/vector_length.hpp"

#include <cmath>
#include <numbers>

namespace beadwave::packing {
namespace {

/// `arm`: from the centre of the member to the common normal [m].
CementEnd end_in(const Packing& packing, const ShapedMember& member, const ShapedParticle& body,
                 const Vec3& arm, const Vec3& normal) {
    if (member.is_ball())
        return {.place = member.place, .depth = member.radius, .radius = member.radius};
    return {.place = arm - dot(arm, normal) * normal,
            .depth = reach(body.shape_at({}), normal),
            .radius = std::cbrt(packing.solid(member.body) * (3.0 / (4.0 * std::numbers::pi)))};
}

}  // namespace

std::vector<std::array<CementEnd, 2>> cement_between(const Packing& packing, std::size_t first,
                                                     std::size_t second, double distance) {
    const Vec3 centres = packing.position[second] - packing.position[first];
    const ShapedParticle body_1 = particle_at_start(packing, first),
                         body_2 = particle_at_start(packing, second);
    const std::vector<ShapedMember> others = members_of(packing, second);
    std::vector<std::array<CementEnd, 2>> all;
    for (const ShapedMember& one : members_of(packing, first)) {
        for (const ShapedMember& other : others) {
            const Vec3 branch = centres + (other.place - one.place);
            if (!(length_of(branch) <= one.radius + other.radius + distance)) continue;
            const ShapedParticle a = as_member(body_1, one), b = as_member(body_2, other);
            const Touch touch = one.is_ball() && other.is_ball()
                                    ? touch_of_balls(one.radius, other.radius, branch)
                                    : touch_of(a, b, branch, {});
            if (-touch.overlap > distance) continue;
            all.push_back({end_in(packing, one, a, touch.arm_1, touch.normal),
                           end_in(packing, other, b, touch.arm_2, -touch.normal)});
        }
    }
    return all;
}

}  // namespace beadwave::packing
