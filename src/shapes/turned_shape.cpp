#include "shapes/turned_shape.hpp"

namespace beadwave::shapes {

TurnedShape::TurnedShape(const Superellipsoid& s)
    : semi_axes(s.semi_axes),
      exponents(s.exponents),
      is_ellipsoid(shapes::is_ellipsoid(s)),
      farthest(shapes::farthest(s)),
      smallest_radius(shapes::smallest_radius(s)) {
    turn(s.orientation);
}

void TurnedShape::turn(const Quaternion& orientation) {
    axis = {to_space(orientation, Vector{1.0, 0.0, 0.0}),
            to_space(orientation, Vector{0.0, 1.0, 0.0}),
            to_space(orientation, Vector{0.0, 0.0, 1.0})};
}

}  // namespace beadwave::shapes
