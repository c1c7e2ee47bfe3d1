#include "shapes/rigid_motion.hpp"
#include "shapes/superellipsoid.hpp"

#include <boost/math/special_functions/beta.hpp>

namespace beadwave::shapes {

// Across the third axis, at z = c t, the section is that of z = 0 times (1 - |t|^n1)^(1/n1), so
// that integrals over the body are products of integrals of (1 - t^n)^m t^k: beta functions.

double volume(const Superellipsoid& s) {
    if (is_ellipsoid(s)) return volume(as_ellipsoid(s));
    using boost::math::beta;
    const double p = s.exponents.plane, r = s.exponents.axis;
    const double section = 4.0 / p * beta(1.0 / p, 1.0 + 1.0 / p);
    return s.semi_axes.x * s.semi_axes.y * s.semi_axes.z * section * 2.0 / r *
           beta(1.0 / r, 1.0 + 2.0 / r);
}

Vector moments(const Superellipsoid& s, double mass) {
    if (is_ellipsoid(s)) return moments(as_ellipsoid(s), mass);
    using boost::math::beta;
    const double p = s.exponents.plane, r = s.exponents.axis;
    const double sections = beta(1.0 / r, 1.0 + 2.0 / r);
    const double in_section = beta(3.0 / p, 1.0 + 1.0 / p) / beta(1.0 / p, 1.0 + 1.0 / p);
    const double plane = in_section * beta(1.0 / r, 1.0 + 4.0 / r) / sections;
    const double x = plane * s.semi_axes.x * s.semi_axes.x;
    const double y = plane * s.semi_axes.y * s.semi_axes.y;
    const double z = beta(3.0 / r, 1.0 + 2.0 / r) / sections * s.semi_axes.z * s.semi_axes.z;
    return {mass * (y + z), mass * (z + x), mass * (x + y)};
}

}  // namespace beadwave::shapes
