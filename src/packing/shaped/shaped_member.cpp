#include "packing/shaped/shaped_member.hpp"

#include "packing/neighbours/pair_matching.hpp"

#include <algorithm>

namespace beadwave::packing {

double ShapedMember::smallest_axis() const {
    return std::min({semi_axes.x, semi_axes.y, semi_axes.z});
}

std::vector<ShapedMember> members_of(const Packing& packing, std::size_t particle) {
    ShapedMember member{.body = static_cast<std::uint32_t>(particle),
                        .semi_axes = packing.semi_axes[particle],
                        .is_superellipsoid = packing.is_superellipsoid(particle),
                        .radius = packing.radius[particle]};
    // A clump of one ball is a sphere.
    if (!packing.is_clump(particle) || packing.clumps[particle]->balls.size() == 1) return {member};
    const shapes::Clump& clump = *packing.clumps[particle];
    const shapes::Quaternion orientation = normalised(packing.orientation[particle]) * clump.axes;
    std::vector<ShapedMember> members;
    member.of_clump = true;
    for (const shapes::Ball& ball : clump.balls) {
        member.centre = to_body(clump.axes, ball.centre);
        member.semi_axes = {ball.radius, ball.radius, ball.radius};
        member.radius = ball.radius;
        member.place = to_space(orientation, member.centre);
        members.push_back(member);
    }
    return members;
}

std::vector<ShapedMember> members_at_start(const Packing& packing) {
    std::vector<ShapedMember> all;
    for (std::size_t i = 0; i < packing.particles(); ++i) {
        const std::vector<ShapedMember> members = members_of(packing, i);
        all.insert(all.end(), members.begin(), members.end());
    }
    return all;
}

void leave_out_own_pairs(NeighbourList& list, const std::vector<ShapedMember>& members) {
    if (std::ranges::none_of(members, &ShapedMember::of_clump)) return;
    std::size_t kept = 0;
    for (std::size_t p = 0; p < list.pairs(); ++p) {
        const PairKey key = pair_key(list, members.size(), p);
        if (key.wall < 0 && members[key.first].body == members[key.second].body) continue;
        list.first[kept] = list.first[p];
        list.second[kept++] = list.second[p];
    }
    list.first.resize(kept);
    list.second.resize(kept);
}

ShapedParticle as_member(ShapedParticle body, const ShapedMember& member) {
    if (!member.of_clump) return body;
    body.semi_axes = member.semi_axes;
    body.radius = member.radius;
    body.place = to_space(body.orientation, member.centre);
    return body;
}

}  // namespace beadwave::packing
