#include "shapes/elliptic_stiffness.hpp"

#include <limits>

namespace beadwave::shapes {
namespace {

laws::PrincipalRadii radii(const Curvatures& c) {
    return {.first = 1.0 / c.larger, .second = 1.0 / c.smaller};
}

}  // namespace

laws::ContactEllipse ellipse(const CommonNormal& c) {
    return laws::contact_ellipse(radii(c.first), radii(c.second), c.angle);
}

double slip_radius(const laws::ContactEllipse& e) {
    return e.size_factor * e.size_factor * e.mean_radius / e.approach_factor;
}

laws::ContactEllipse ellipse(const PlaneContact& c) {
    constexpr double flat = std::numeric_limits<double>::infinity();
    return laws::contact_ellipse(radii(c.curvatures), {.first = flat, .second = flat}, 0.0);
}

}  // namespace beadwave::shapes
