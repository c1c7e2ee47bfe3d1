// Random superellipsoids, and their surface in plain formulas of the test's own.
#pragma once

#include "random_numbers.hpp"
#include "shapes/superellipsoid.hpp"

#include <cmath>

namespace beadwave::validation {

/// Semi-axes from 1 up to `aspect` mm, exponents from 2 to 8; some of them are 2 and 8.
inline shapes::Superellipsoid random_superellipsoid(RandomNumbers& random, double aspect) {
    const shapes::Ellipsoid axes = random.ellipsoid(aspect);
    const auto exponent = [&] {
        const double e = random.between(1.5, 8.5);
        return e < 2.0 ? 2.0 : e > 8.0 ? 8.0 : e;
    };
    const double plane = exponent(), axis = exponent();
    return {axes, {.plane = plane, .axis = axis}};
}

/// The defining sum of a point at `arm` from the centre: 1 on the surface.
inline double defining_sum(const shapes::Superellipsoid& s, const shapes::Vector& arm) {
    const shapes::Vector v = to_body(s.orientation, arm);
    const double n2 = s.exponents.plane, n1 = s.exponents.axis;
    return std::pow(std::pow(std::abs(v.x / s.semi_axes.x), n2) +
                        std::pow(std::abs(v.y / s.semi_axes.y), n2),
                    n1 / n2) +
           std::pow(std::abs(v.z / s.semi_axes.z), n1);
}

/// The point of the surface along `way`, from the centre: the sum grows as its n1-th power.
inline shapes::Vector surface_point(const shapes::Superellipsoid& s, const shapes::Vector& way) {
    return way * std::pow(defining_sum(s, way), -1.0 / s.exponents.axis);
}

}  // namespace beadwave::validation
