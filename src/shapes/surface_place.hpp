// Where a superellipsoid's surface is met along an arm: the point, its normal and how the surface
// bends there, as superellipsoid.hpp has them, from powers that all three share. With x, y, z over
// the semi-axes, A = |x|^n2 + |y|^n2 and F = A^(n1/n2) + |z|^n1, which is N^n1 and has the level
// sets of N.
#pragma once

#include "shapes/turned_shape.hpp"

namespace beadwave::shapes {

class SurfacePlace {
  public:
    /// `arm`: from the centre, in space, any length but zero [m].
    SurfacePlace(const TurnedShape&, const Vector& arm);

    const Vector& arm() const { return arm_; }        ///< to the surface [m]
    const Vector& normal() const { return normal_; }  ///< unit, outward
    /// Along two unit vectors across the normal [1/m].
    PlaneMatrix bending(const std::array<Vector, 2>& across) const;

  private:
    const TurnedShape& shape_;
    Vector arm_, normal_;
    double xx_, xy_, yy_, zz_;  // second derivatives of F/n1
    double scale_;              // from these to curvatures
};

}  // namespace beadwave::shapes
