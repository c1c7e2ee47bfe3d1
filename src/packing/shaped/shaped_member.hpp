// The parts of a packing's bodies that touch: an ellipsoid, superellipsoid or sphere as a whole, or
// one ball of a clump. The neighbour list is one of members.
#pragma once

#include "packing/neighbours/neighbour_list.hpp"
#include "packing/shaped/shaped_particle.hpp"

#include <cstdint>
#include <vector>

namespace beadwave::packing {

struct ShapedMember {
    std::uint32_t body = 0;  ///< the particle
    bool of_clump = false;
    Vec3 centre{};  ///< from that of the body, in its principal axes; zero but in clumps [m]
    Vec3 semi_axes{};
    bool is_superellipsoid = false;
    double radius = 0.0;  ///< of the bounding sphere [m]
    Vec3 place{};         ///< `centre` in space, at present [m]

    bool is_ball() const {
        return !is_superellipsoid && semi_axes.x == semi_axes.y && semi_axes.y == semi_axes.z;
    }
    double smallest_axis() const;  ///< [m]
};

/// All members in the order of the particles, and in clumps in that of their balls.
std::vector<ShapedMember> members_at_start(const Packing& packing);
/// The members of one particle at the start.
std::vector<ShapedMember> members_of(const Packing& packing, std::size_t particle);

/// Removes the pairs of members of one body: they do not move against each other.
void leave_out_own_pairs(NeighbourList& list, const std::vector<ShapedMember>& members);

/// The body with the shape of its member: arms of touch and mobility are then those from the
/// member's centre.
ShapedParticle as_member(ShapedParticle body, const ShapedMember& member);

}  // namespace beadwave::packing
