// Where meshes, or patches of one mesh, are flush: which contacts of a particle are one.
//
// A particle touches a patch at its closest point. Where two patches lie flush, with a narrow gap
// or a low step between them, or one on the other, it would find one place twice and be pushed
// twice. Two contacts of a particle are one if
//
// - one of the points is on the rim of its patch and no more than `low_step` of the radius above
//   the tangent plane at the other: the other patch already keeps the particle off it, however
//   wide the overlap makes the contact; or
// - both are one place: nearer than `one_place` of the radius, in directions that differ by less
//   than `one_direction`.
//
// Among contacts that are one the nearest counts; if they are equally near, a face before a rim,
// then that with the lower number. So the force is that of the nearest distance, which is a
// continuous function of the place. This takes gaps up to a tenth of the radius, and steps up to
// 1/200 of it, as closed: over a gap g the rims tilt the contact by g / (2 R), which lifts one over
// the plane at the other by g^2 / (2 R). When the contact passes from one patch to the other it
// keeps its memory, if the walls are of the same material and turn alike.
//
// Edges that patches of one mesh share are the subject of triangle_surface.hpp. This depends on
// places only, not on the files that the triangles are from.
#pragma once

#include "packing/neighbours/neighbour_list.hpp"
#include "packing/walls/triangle_surface.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <vector>

namespace beadwave::packing {

inline constexpr double low_step = 5e-3;      ///< of the radius of the particle
inline constexpr double one_direction = 0.1;  ///< [rad]
inline constexpr double one_place = 1e-3;     ///< of the radius of the particle

/// Where a particle touches a patch.
struct MeshContact {
    Vec3 normal{};  ///< from the point to the centre of the particle, of unit length
    double distance = std::numeric_limits<double>::infinity();  ///< of the centre [m]
    bool on_rim = false;                                        ///< of the patch
    /// The way from the centre to the point [m] for a body that is no sphere, whose distance is
    /// then its radius less the overlap; zero: a sphere.
    Vec3 arm{};
    std::uint32_t triangle = 0;  ///< of the surface

    bool found() const { return distance < std::numeric_limits<double>::infinity(); }
};

/// For each of the contacts of one particle of this radius [m]: the number of the contact that
/// counts for it, or `own_contact`: it counts itself, or is not found. No two contacts count for
/// each other.
inline constexpr std::int32_t own_contact = -1;
void count_once(std::span<const MeshContact> contacts, double radius,
                std::span<std::int32_t> counting);

/// The ghosts of one neighbour list whose particles are near several patches.
class SeamGhosts {
  public:
    /// Takes a new list, whose contacts have not passed yet.
    void adopt(std::span<const Ghost> ghosts, std::span<const Wall> walls);
    /// Takes a new list with the chosen ghosts of walls, which need not be of meshes.
    void adopt(std::span<const Ghost> ghosts, const std::function<bool(const Ghost&)>& chosen);

    bool any() const { return !member_.empty(); }
    /// Where the contact of this ghost has to be stored before update(); null: it is not needed.
    MeshContact* contact(std::size_t ghost) {
        return member_.empty() || place_[ghost] == none ? nullptr : &contact_[place_[ghost]];
    }

    /// Calls drop(ghost) for each ghost whose contact does not count now, and pass(from, to) for
    /// each two whose contact has passed since the last call. radius(particle) [m];
    /// keeps_memory(wall, wall): whether a contact that passes does.
    template <class Radius, class KeepsMemory, class Drop, class Pass>
    void update(Radius radius, KeepsMemory keeps_memory, Drop drop, Pass pass) {
        for (std::size_t g = 0; g + 1 < group_.size(); ++g) {
            const std::span<Member> group = members(g);
            count(g, radius(group.front().particle));
            for (const Member& m : group)
                if (m.now >= 0) drop(m.ghost);
            if (!known_) continue;
            for (const Member& from : group) {
                if (!(from.counted && from.now >= 0)) continue;
                Member& to = group[static_cast<std::size_t>(from.now)];
                if (to.counted || !keeps_memory(from.wall, to.wall)) continue;
                to.counted = true;  // only one contact passes to it
                pass(from.ghost, to.ghost);
            }
        }
        for (Member& m : member_)
            m.counted = m.counts;
        known_ = true;
    }

  private:
    static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

    struct Member {
        std::uint32_t particle, ghost;
        std::size_t wall;
        std::int32_t now = own_contact;
        bool counts = false, counted = false;  // now; at the last call
    };
    std::span<Member> members(std::size_t group) {
        return std::span(member_).subspan(group_[group], group_[group + 1] - group_[group]);
    }
    void count(std::size_t group, double radius);

    std::vector<Member> member_;        // by particle, then in the order of the list
    std::vector<std::size_t> group_;    // where the members of each particle begin, and the end
    std::vector<MeshContact> contact_;  // of the members
    std::vector<std::uint32_t> place_;  // of each ghost among the members
    std::vector<std::int32_t> counting_;
    bool known_ = false;
};

}  // namespace beadwave::packing
