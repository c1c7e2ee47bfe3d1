// Rims that curved walls share: where a cone ends as a cylinder begins, say.
//
// Two curved walls share a rim if they have it in the same place, move alike and do not lie on each
// other. There a particle touches
//
// - on the convex side, and where one wall goes on smoothly into the other, one wall: that which
//   goes on towards the particle, or, if the rim is the closest point of both, the one with the
//   lower number. When the contact passes from one wall to the other it keeps its memory, if both
//   are of the same material and turn alike;
// - on the concave side both walls, as it does in the corner between any two walls.
//
// In all cases the force is a continuous function of the place. A rim that no other wall has is an
// edge of its own.
#pragma once

#include "packing/neighbours/neighbour_list.hpp"
#include "packing/vector_length.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace beadwave::packing {

class SharedRims {
  public:
    static constexpr std::int32_t nobody = -1;

    explicit SharedRims(std::span<const Wall> walls);

    bool any() const { return any_; }
    bool has(std::size_t wall) const { return !joint_[wall].empty(); }

    /// The wall whose contact with a particle at `centre` [m] counts for this one's; nobody: its
    /// own counts. `moved`: the displacement of this wall [m].
    std::int32_t counts_for(std::size_t wall, const Vec3& centre, const Vec3& moved) const;

    /// Whether a contact that passes from one of these walls to the other keeps its memory.
    bool keeps_memory(std::size_t one, std::size_t two) const {
        const Wall &a = walls_[one], &b = walls_[two];
        return a.species == b.species &&
               a.angular_velocity * a.direction() == b.angular_velocity * b.direction();
    }

  private:
    struct Joint {
        std::array<double, 2> rim;  // (along, away) as in Revolved::NearestOnLine
        std::size_t other;          // wall
        std::array<double, 2> other_rim;
        std::array<double, 2> own_way, other_way;  // from the rim into the walls, in own terms
        bool smooth;
        double same_place;  // two places nearer than this are one [m]
    };
    void join(std::size_t one, std::size_t two);

    std::span<const Wall> walls_;
    std::vector<std::vector<Joint>> joint_;  // of each wall
    bool any_ = false;
};

/// What to add to the displacement of a ghost whose contact does not count, so that it is out of
/// reach [m]; `branch`: from the particle to the ghost [m], `radius`: of the particle [m].
inline Vec3 out_of_reach(const Vec3& branch, double radius) {
    return (radius / length_of(branch)) * branch;
}

/// The ghosts of one neighbour list that are at shared rims, and which of them count.
class RimGhosts {
  public:
    /// `rims` must outlive it.
    explicit RimGhosts(const SharedRims& rims) : rims_(rims) {}

    /// Takes a new list, whose contacts have not passed yet.
    void adopt(std::span<const Ghost> ghosts);

    /// Calls drop(ghost) for each ghost whose contact does not count now, and pass(from, to) for
    /// each two whose contact has passed since the last call. place(particle): its centre [m];
    /// moved(wall): the displacement of a wall [m].
    template <class Place, class Moved, class Drop, class Pass>
    void update(Place place, Moved moved, Drop drop, Pass pass) {
        for (Member& m : member_) {
            m.before = m.now;
            m.now = rims_.counts_for(m.wall, place(m.particle), moved(m.wall));
            if (m.now != SharedRims::nobody) drop(m.ghost);
        }
        if (!known_) {
            known_ = true;
            return;
        }
        for (const Member& from : member_) {
            if (from.before != SharedRims::nobody || from.now == SharedRims::nobody) continue;
            const Member* const to = of_wall(from, from.now);
            if (to != nullptr && to->before == static_cast<std::int32_t>(from.wall) &&
                to->now == SharedRims::nobody && rims_.keeps_memory(from.wall, to->wall))
                pass(from.ghost, to->ghost);
        }
    }

  private:
    struct Member {
        std::uint32_t particle, ghost;
        std::size_t wall;
        std::int32_t before = SharedRims::nobody, now = SharedRims::nobody;
    };
    /// The member of the same particle at this wall; null: not in the list.
    const Member* of_wall(const Member& member, std::int32_t wall) const;

    const SharedRims& rims_;
    std::vector<Member> member_;  // by particle
    bool known_ = false;
};

}  // namespace beadwave::packing
