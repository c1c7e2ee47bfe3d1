// A pair of the neighbour list of a packing of ellipsoids or clumps: of two members of bodies.
#pragma once

#include "packing/contacts/pair_memory.hpp"
#include "packing/shaped/shaped_touch.hpp"

#include <cstdint>

namespace beadwave::packing {

struct ShapedPair : PairMemory {
    // From the list.
    bool balls = false;      ///< two spheres, or a sphere and a wall: they have the plain laws
    bool round = false;      ///< as `balls`, or with balls of clumps
    std::uint32_t kind = 0;  ///< of the laws of balls
    /// While both bodies together have moved less since the list was built, they are apart along
    /// `normal` or farther than their bounding spheres reach [m]; 0: not known.
    double apart_until = 0.0;

    // The state.
    Closing closing{};  ///< of other bodies: what made their law; not of balls
    /// The last common normal that was searched for, at the end of a step; zero: none. Where the
    /// next search starts, and while the bodies are apart along it there is none.
    Vec3 normal{};
    Vec3 arm_1{}, arm_2{};  ///< as Touch, at the last step at which the bodies were near [m]
    /// On the second body, by resistance to rolling, and where the points of a contact with a wall
    /// have no single resultant [N m].
    Vec3 rolling_torque{};

    /// Made from `closing`.
    PairLaw law{};

    /// Whether a law acts.
    bool is_closed() const { return balls || closing.is_closed(); }

    /// The bodies have parted: what they knew of their contact is gone, except its normal.
    void open() {
        closing = {};
        memory = {};
        sliding = rolling = {};
        normal_force = 0.0;
        tangential_force = rolling_torque = {};
    }
};

}  // namespace beadwave::packing
