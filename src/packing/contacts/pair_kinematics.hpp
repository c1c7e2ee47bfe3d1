// Geometry and velocities of a pair, from those of its two bodies. All engines share this file.
//
// All vectors are relative, second minus first. With the reference r0, its displacement d and the
// gap at d = 0, the overlap is -(gap + (2 r0.d + d.d) / (|r0 + d| + |r0|)), |r0| = R_1 + R_2 + gap.
// Friction acts at the point that divides the distance of the centres in the ratio of the radii.
#pragma once

#include "beadwave/laws/number.hpp"
#include "laws/triple.hpp"

namespace beadwave::packing {

template <class T>
struct PairPositions {
    laws::Triple<T> reference;     ///< r0 [m]
    laws::Triple<T> displacement;  ///< d [m]
    T radii;                       ///< R_1 + R_2 [m]; a wall has radius 0
    T gap;                         ///< at d = 0 [m]
};

template <class T>
struct PairGeometry {
    laws::Triple<T> branch;  ///< from the first centre to the second [m]
    laws::Triple<T> normal;  ///< unit vector in the same direction
    T inverse_distance;      ///< [1/m]
    T overlap;               ///< [m]
};

/// |r0 + d| - |r0|, where |r0| is `initial_length` [m].
template <class T>
T lengthening(laws::Triple<T> reference, laws::Triple<T> displacement, T distance,
              T initial_length) {
    using laws::ratio;
    return ratio(dot(reference + reference + displacement, displacement),
                 distance + initial_length);
}

template <class T>
PairGeometry<T> pair_geometry(const PairPositions<T>& p) {
    using laws::inverse_sqrt;  // for numbers; vector types bring their own
    const laws::Triple<T> branch = p.reference + p.displacement;
    const T squared = dot(branch, branch);
    const T inverse = inverse_sqrt(squared);
    const T change = lengthening(p.reference, p.displacement, squared * inverse, p.radii + p.gap);
    return {branch, branch * inverse, inverse, -(p.gap + change)};
}

/// Velocities of a pair at one time.
template <class T>
struct PairVelocities {
    laws::Triple<T> velocity;  ///< of the second minus of the first [m/s]
    laws::Triple<T> rolling;   ///< R_1 w_1 + R_2 w_2 [m/s]
};

/// Slip of the first body along the second at their contact in one step, from the velocities in the
/// middle of the step.
template <class T>
struct PairSlip {
    laws::Triple<T> slip;    ///< in the contact plane [m]
    laws::Triple<T> mean;    ///< the slip velocity in the middle of the step [m/s]
    laws::Triple<T> middle;  ///< the branch in the middle of the step [m]
    T inverse_middle_squared;
};

/// The branch in the middle of the step lies `turning` [s] back: half a step, or 0 for a wall:
/// its normal at the end of the step serves for the whole step (wall.hpp).
template <class T>
PairSlip<T> slip_of(const PairGeometry<T>& s, const PairVelocities<T>& half, T inverse_radii, T dt,
                    T turning) {
    const laws::Triple<T> middle = plus(s.branch, -turning, half.velocity);
    // 1 / |middle|^2 from 1 / |branch|^2: they differ by a relative q far below one.
    const T inverse_squared = s.inverse_distance * s.inverse_distance;
    const T q = dot(half.velocity, s.branch + middle) * turning * inverse_squared;
    const T inverse_middle = inverse_squared * (T(1.0) + q * (T(1.0) + q));
    const T along = dot(half.velocity, middle) * inverse_middle;
    const laws::Triple<T> sliding =
        plus(plus(-half.velocity, along, middle), inverse_radii, cross(half.rolling, middle));
    return {sliding * dt, sliding, middle, inverse_middle};
}

/// Velocity of the first body along the second at their contact, in the contact plane [m/s].
template <class T>
laws::Triple<T> sliding_velocity(const PairGeometry<T>& s, const PairVelocities<T>& now,
                                 T inverse_radii) {
    const T along = dot(now.velocity, s.normal);
    return plus(plus(-now.velocity, along, s.normal), inverse_radii, cross(now.rolling, s.branch));
}

}  // namespace beadwave::packing
