// Where a round pin touches a bearing that is worn: the depth of the wear is a function of the
// angle, and the pin touches where it lies deepest in what is left.
//
//     overlap = max over theta of  e cos(theta - phi) - c - h(theta)
//
// e and phi: distance and direction of the pin's centre from the bearing's, in the frame of the
// bearing; c: clearance; h: depth of the wear. It is exact for h and e far below the radii. The
// largest overlap is a potential of the force along its normal (its slope is the unit vector at
// theta): the force does no net work on closed paths while the profile stays.
#pragma once

#include "mechanism/plane.hpp"

#include <cstddef>
#include <vector>

namespace beadwave::mechanism {

class WornProfile {
  public:
    /// The bearing touches the pin here.
    struct Touch {
        double angle;  ///< theta [rad]
        double depth;  ///< h there [m]
        double reach;  ///< e cos(theta - phi) - h [m]: overlap + c
    };

    /// Depths of equal parts of the circle, the first from angle 0 on anticlockwise [m]; linear
    /// between the middles of the parts. Empty: not worn.
    explicit WornProfile(std::vector<double> depth = {});

    bool empty() const { return depth_.empty(); }
    const std::vector<double>& depth() const { return depth_; }
    /// `displacement` [m]: of the centre of the pin, in the frame of the bearing; not zero.
    Touch nearest(const Vector& displacement) const;

  private:
    std::vector<double> depth_;
    double least_ = 0.0;
};

}  // namespace beadwave::mechanism
