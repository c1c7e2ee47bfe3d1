#include "shapes/curvatures.hpp"

#include <array>
#include <cmath>

namespace beadwave::shapes {

Curvatures principal(const PlaneMatrix& curvature, const Vector& n) {
    const double mean = 0.5 * (curvature.uu + curvature.ww);
    const double half = 0.5 * (curvature.uu - curvature.ww);
    const double spread = std::hypot(half, curvature.uw);
    const double turn = 0.5 * std::atan2(curvature.uw, half);
    const std::array<Vector, 2> t = tangents(n);
    return {.larger = mean + spread,
            .smaller = mean - spread,
            .direction = std::cos(turn) * t[0] + std::sin(turn) * t[1]};
}

}  // namespace beadwave::shapes
