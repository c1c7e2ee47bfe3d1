#include "shapes/surface_place.hpp"

#include <cmath>

namespace beadwave::shapes {
namespace {

/// std::pow for numbers that are not negative; fewer operations for usual exponents.
double power(double base, double exponent) {
    if (exponent == 0.0) return 1.0;
    if (exponent == 1.0) return base;
    if (exponent == 2.0) return base * base;
    if (exponent == 0.5) return std::sqrt(base);
    if (exponent == 0.25) return std::sqrt(std::sqrt(base));
    return std::pow(base, exponent);
}

}  // namespace

SurfacePlace::SurfacePlace(const TurnedShape& s, const Vector& arm) : shape_(s) {
    const double p = s.exponents.plane, r = s.exponents.axis;
    const Vector in_axes = s.in_axes(arm);
    const Vector v{in_axes.x / s.semi_axes.x, in_axes.y / s.semi_axes.y, in_axes.z / s.semi_axes.z};
    const double x = std::abs(v.x), y = std::abs(v.y), z = std::abs(v.z);
    const double ux = power(x, p - 2.0), uy = power(y, p - 2.0), uz = power(z, r - 2.0);
    const double a = ux * x * x + uy * y * y;
    const bool pole = !(a > 0.0);  // there nothing bends but with exponents that agree
    const double b = p == r ? 1.0 : pole ? 0.0 : power(a, r / p - 1.0);
    const double to_surface = 1.0 / power(a * b + uz * z * z, 1.0 / r);
    arm_ = to_surface * arm;
    const double gx = ux * v.x, gy = uy * v.y;
    const Vector slope{b * gx / s.semi_axes.x, b * gy / s.semi_axes.y, uz * v.z / s.semi_axes.z};
    const double steepness = length(slope);
    normal_ = s.in_space((1.0 / steepness) * slope);
    const double mixed = p == r || pole ? 0.0 : (r - p) * b / a;
    xx_ = b * (p - 1.0) * ux + mixed * gx * gx;
    xy_ = mixed * gx * gy;
    yy_ = b * (p - 1.0) * uy + mixed * gy * gy;
    zz_ = (r - 1.0) * uz;
    scale_ = 1.0 / (steepness * to_surface);
}

PlaneMatrix SurfacePlace::bending(const std::array<Vector, 2>& across) const {
    const auto over_axes = [&](const Vector& t) {
        const Vector v = shape_.in_axes(t);
        return Vector{v.x / shape_.semi_axes.x, v.y / shape_.semi_axes.y, v.z / shape_.semi_axes.z};
    };
    const auto between = [&](const Vector& a, const Vector& b) {
        return scale_ * (xx_ * a.x * b.x + xy_ * (a.x * b.y + a.y * b.x) + yy_ * a.y * b.y +
                         zz_ * a.z * b.z);
    };
    const Vector u = over_axes(across[0]), w = over_axes(across[1]);
    return {.uu = between(u, u), .uw = between(u, w), .ww = between(w, w)};
}

}  // namespace beadwave::shapes
