#include "shapes/hertz_validity.hpp"

#include "beadwave/argument_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace beadwave::shapes {
namespace {

PlaneMatrix gap_bending(const Pair& pair, const Gap& gap) {
    const std::array<Vector, 2> t = tangents(gap.normal);
    const PlaneMatrix first = bending_at(pair.first.shape, gap.arm_1, t);
    const Body* const other = pair.other();
    return other != nullptr ? first + bending_at(other->shape, gap.arm_2, t) : first;
}

/// How far the surface lies below its tangent plane at `arm`, at `aside` in this plane [m];
/// infinite beyond the body.
double sag(const Superellipsoid& s, const Vector& arm, const Vector& outward, const Vector& aside) {
    const auto outside = [&](double depth) {
        return gauge(s, arm + aside - depth * outward) > 1.0;
    };
    double above = 0.0, below = dot(outward, arm);
    if (outside(below)) return std::numeric_limits<double>::infinity();
    for (int halving = 0; halving < 100; ++halving) {
        const double middle = 0.5 * (above + below);
        (outside(middle) ? above : below) = middle;
    }
    return below;
}

}  // namespace

void require_curved(const Pair& pair, const Gap& gap) {
    constexpr double flat = 1e-6;
    const Body* const other = pair.other();
    if (is_sharp_pole(pair.first.shape, gap.arm_1) ||
        (other != nullptr && is_sharp_pole(other->shape, gap.arm_2))) {
        throw ArgumentError(
            "the bodies touch at an end of the third axis of a superellipsoid, which bends there "
            "differently along each direction (exponents [above 2, 2]): Hertz's contact does not "
            "exist; expected a contact at another place, or other exponents");
    }
    const double reach =
        std::max(farthest(pair.first.shape), other != nullptr ? farthest(other->shape) : 0.0);
    const Curvatures c = principal(gap_bending(pair, gap), gap.normal);
    if (c.smaller * reach > flat) return;
    const char* const where = c.larger * reach > flat ? "along a line" : "flat on flat";
    throw ArgumentError(
        fmt::format("the bodies touch {}: their relative curvatures at the point of contact are "
                    "{:.3g} and {:.3g} 1/m, and Hertz's contact exists only where both are more "
                    "than 1e-6 over the size of the bodies ({:.3g} 1/m); expected a curved place "
                    "of one body",
                    where, std::max(0.0, c.larger), std::max(0.0, c.smaller), flat / reach));
}

double departure_from_paraboloid(const Pair& pair, const Gap& gap, double semi_major,
                                 double semi_minor) {
    const Curvatures c = principal(gap_bending(pair, gap), gap.normal);
    const Vector along = cross(gap.normal, c.direction);
    const Body* const other = pair.other();
    double worst = 0.0;
    const auto look = [&](const Vector& aside, double curvature) {
        double opening = sag(pair.first.shape, gap.arm_1, gap.normal, aside);
        if (other != nullptr) opening += sag(other->shape, gap.arm_2, -gap.normal, aside);
        const double departure = opening / (0.5 * curvature * dot(aside, aside)) - 1.0;
        if (std::abs(departure) > std::abs(worst)) worst = departure;
    };
    for (const double side : {-1.0, 1.0}) {
        look((side * semi_major) * along, c.smaller);
        look((side * semi_minor) * c.direction, c.larger);
    }
    return worst;
}

}  // namespace beadwave::shapes
