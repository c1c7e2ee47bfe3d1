// How deep bodies overlap, and how deep they may.
//
// The depth of a contact is its overlap over the radius of the smaller body; at a wall, of the
// particle. Contact laws take the overlap to be small: Hertz replaces a sphere by a paraboloid,
// which at the rim of the contact is wrong by (a/R)^2 / 4. With the contact radius a = sqrt(R
// delta / 2) of two equal spheres, and sqrt(R delta) at a wall, that is 1 % and 3 % at a depth of a
// tenth.
#pragma once

#include <cstddef>
#include <cstdint>

namespace beadwave::packing {

/// Beyond this depth a run warns.
inline constexpr double large_depth = 0.1;
/// At this depth the centre of the smaller body is at the surface of the other, and a run fails:
/// the normal of two particles is about to turn round.
inline constexpr double lost_depth = 1.0;

struct DeepContact {
    double depth = 0.0;      ///< overlap over the smaller radius [-]
    double overlap = 0.0;    ///< [m]
    std::size_t first = 0;   ///< particle
    std::size_t second = 0;  ///< particle with a higher number, or particles + wall
    std::int64_t step = 0;
};

/// The depth of a contact with this overlap [m]. radius_2 [m]; a wall has radius 0.
inline double depth_of(double overlap, double radius_1, double radius_2) {
    const double smaller = radius_2 > 0.0 && radius_2 < radius_1 ? radius_2 : radius_1;
    return overlap / smaller;
}

}  // namespace beadwave::packing
