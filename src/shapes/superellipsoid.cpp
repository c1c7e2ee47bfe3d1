#include "shapes/superellipsoid.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace beadwave::shapes {
namespace {

/// (x^p + y^p)^(1/p) of numbers that are not negative; p may be infinite.
double power_sum(double x, double y, double p) {
    const double most = std::max(x, y);
    if (!(most > 0.0)) return 0.0;
    return most * std::pow(std::pow(x / most, p) + std::pow(y / most, p), 1.0 / p);
}

/// The norm of a vector, and the parts of it as ratios from 0 to 1.
struct MixedNorm {
    double size;          ///< (rho^r + |z|^r)^(1/r)
    double ex, ey;        ///< |x|/rho, |y|/rho; 0 where rho is
    double plane, along;  ///< rho/size, |z|/size

    MixedNorm(const Vector& v, const Exponents& e) {
        const double x = std::abs(v.x), y = std::abs(v.y), z = std::abs(v.z);
        const double rho = power_sum(x, y, e.plane);
        size = power_sum(rho, z, e.axis);
        ex = rho > 0.0 ? x / rho : 0.0;
        ey = rho > 0.0 ? y / rho : 0.0;
        plane = rho / size;
        along = z / size;
    }
};

Vector gradient(const Vector& v, const Exponents& e) {
    const MixedNorm n(v, e);
    const double plane = std::pow(n.plane, e.axis - 1.0);
    return {std::copysign(std::pow(n.ex, e.plane - 1.0) * plane, v.x),
            std::copysign(std::pow(n.ey, e.plane - 1.0) * plane, v.y),
            std::copysign(std::pow(n.along, e.axis - 1.0), v.z)};
}

Exponents dual(const Exponents& e) {
    return {.plane = e.plane / (e.plane - 1.0), .axis = e.axis / (e.axis - 1.0)};
}

Vector times(const Vector& a, const Vector& b) {
    return {a.x * b.x, a.y * b.y, a.z * b.z};
}
Vector over(const Vector& a, const Vector& b) {
    return {a.x / b.x, a.y / b.y, a.z / b.z};
}

/// The gradient of N in the axes of the body [1/m].
Vector slope_at(const Superellipsoid& s, const Vector& arm) {
    const Vector unit = over(to_body(s.orientation, arm), s.semi_axes);
    return over(gradient(unit, s.exponents), s.semi_axes);
}

/// The second derivative of N on its level sets, where N is 1, over the semi-axes: of N^n1/n1,
/// which is the same along the surface.
struct SecondDerivative {
    double xx, xy, yy, zz;

    SecondDerivative(const Vector& v, const Exponents& e) {
        const MixedNorm n(v, e);
        const double p = e.plane, r = e.axis;
        const double plane = std::pow(n.plane, r - 2.0);
        const double ux = std::pow(n.ex, p - 2.0), uy = std::pow(n.ey, p - 2.0);
        const double vx = std::copysign(ux * n.ex, v.x), vy = std::copysign(uy * n.ey, v.y);
        xx = plane * ((r - p) * vx * vx + (p - 1.0) * ux);
        xy = plane * (r - p) * vx * vy;
        yy = plane * ((r - p) * vy * vy + (p - 1.0) * uy);
        zz = (r - 1.0) * std::pow(n.along, r - 2.0);
    }

    double between(const Vector& a, const Vector& b) const {
        return xx * a.x * b.x + xy * (a.x * b.y + a.y * b.x) + yy * a.y * b.y + zz * a.z * b.z;
    }
};

}  // namespace

bool is_ellipsoid(const Superellipsoid& s) {
    return s.exponents == Exponents{};
}

Ellipsoid as_ellipsoid(const Superellipsoid& s) {
    return {.semi_axes = s.semi_axes, .centre = s.centre, .orientation = s.orientation};
}

double reach(const Superellipsoid& s, const Vector& n) {
    if (is_ellipsoid(s)) return reach(as_ellipsoid(s), n);
    return MixedNorm(times(s.semi_axes, to_body(s.orientation, n)), dual(s.exponents)).size;
}

Vector reach_point(const Superellipsoid& s, const Vector& n) {
    if (is_ellipsoid(s)) return reach_point(as_ellipsoid(s), n);
    const Vector stretched = times(s.semi_axes, to_body(s.orientation, n));
    return to_space(s.orientation, times(s.semi_axes, gradient(stretched, dual(s.exponents))));
}

PlaneMatrix bending(const Superellipsoid& s, const Vector& n) {
    if (is_ellipsoid(s)) return bending(as_ellipsoid(s), n);
    return bending_at(s, reach_point(s, n), tangents(n));
}

double gauge(const Superellipsoid& s, const Vector& arm) {
    return MixedNorm(over(to_body(s.orientation, arm), s.semi_axes), s.exponents).size;
}

Vector normal_at(const Superellipsoid& s, const Vector& arm) {
    const Vector slope = slope_at(s, arm);
    return to_space(s.orientation, slope * (1.0 / length(slope)));
}

PlaneMatrix bending_at(const Superellipsoid& s, const Vector& arm,
                       const std::array<Vector, 2>& across) {
    const SecondDerivative second(over(to_body(s.orientation, arm), s.semi_axes), s.exponents);
    const Vector u = over(to_body(s.orientation, across[0]), s.semi_axes);
    const Vector w = over(to_body(s.orientation, across[1]), s.semi_axes);
    const double scale = 1.0 / length(slope_at(s, arm));
    return {.uu = scale * second.between(u, u),
            .uw = scale * second.between(u, w),
            .ww = scale * second.between(w, w)};
}

bool is_sharp_pole(const Superellipsoid& s, const Vector& arm) {
    const Vector at = to_body(s.orientation, arm);
    return s.exponents.axis == 2.0 && s.exponents.plane > 2.0 && at.x == 0.0 && at.y == 0.0;
}

double farthest(const Superellipsoid& s) {
    if (is_ellipsoid(s)) return std::max({s.semi_axes.x, s.semi_axes.y, s.semi_axes.z});
    // The largest |x| is a norm of the semi-axes, with 1/m = 1/2 - 1/n.
    constexpr double infinite = std::numeric_limits<double>::infinity();
    const auto exponent = [](double n) { return n > 2.0 ? 2.0 * n / (n - 2.0) : infinite; };
    const Vector& a = s.semi_axes;
    return power_sum(power_sum(a.x, a.y, exponent(s.exponents.plane)), a.z,
                     exponent(s.exponents.axis));
}

double smallest_radius(const Superellipsoid& s) {
    if (is_ellipsoid(s)) return smallest_radius(as_ellipsoid(s));
    const double least = std::min({s.semi_axes.x, s.semi_axes.y, s.semi_axes.z});
    const double n = std::max(s.exponents.plane, s.exponents.axis);
    return least * least / ((n - 1.0) * farthest(s));
}

}  // namespace beadwave::shapes
