#include "shapes/plane_contact.hpp"

namespace beadwave::shapes {

PlaneContact contact(const Ellipsoid& e, const HalfSpace& wall) {
    const Vector inwards = -wall.normal;
    // From the centre first: near contact this difference is all that is left.
    const double overlap = reach(e, inwards) - (dot(wall.normal, e.centre) - wall.offset);
    return {.point = e.centre + reach_point(e, inwards),
            .overlap = overlap,
            .curvatures = principal(bending(e, inwards), inwards)};
}

}  // namespace beadwave::shapes
