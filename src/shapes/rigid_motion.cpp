#include "shapes/rigid_motion.hpp"

#include <cmath>
#include <numbers>

namespace beadwave::shapes {
namespace {

struct SineCosine {
    double sine, cosine;
};

/// To rounding; of the small angles of a step by their series, which is faster.
SineCosine sine_and_cosine(double angle) {
    if (!(std::abs(angle) < 0.01)) return {std::sin(angle), std::cos(angle)};
    const double s = angle * angle;  // what is left out is below 1e-20
    return {angle - angle * s * (1.0 / 6.0 - s * (1.0 / 120.0 - s * (1.0 / 5040.0))),
            1.0 - s * (0.5 - s * (1.0 / 24.0 - s * (1.0 / 720.0)))};
}

/// Turns about one axis of the body; `next` and `last` follow it.
template <double Vector::*own, double Vector::*next, double Vector::*last>
void turn_about(Rotation& r, double moment, double step) {
    const auto [half_sine, half_cosine] = sine_and_cosine(0.5 * (r.momentum.*own / moment * step));
    // The product with {cosine, sine along the axis}.
    const Quaternion& q = r.orientation;
    const Vector v{q.x, q.y, q.z};
    Vector turned{};
    turned.*own = half_cosine * v.*own + half_sine * q.w;
    turned.*next = half_cosine * v.*next + half_sine * v.*last;
    turned.*last = half_cosine * v.*last - half_sine * v.*next;
    r.orientation = {half_cosine * q.w - half_sine * v.*own, turned.x, turned.y, turned.z};
    // The momentum stays in space, so it turns back in the axes of the body.
    const double c = 1.0 - 2.0 * half_sine * half_sine, s = 2.0 * half_sine * half_cosine;
    const double n = r.momentum.*next, l = r.momentum.*last;
    r.momentum.*next = c * n + s * l;
    r.momentum.*last = c * l - s * n;
}

}  // namespace

double volume(const Ellipsoid& e) {
    return 4.0 / 3.0 * std::numbers::pi * e.semi_axes.x * e.semi_axes.y * e.semi_axes.z;
}

Vector moments(const Ellipsoid& e, double mass) {
    const double a = e.semi_axes.x * e.semi_axes.x, b = e.semi_axes.y * e.semi_axes.y,
                 c = e.semi_axes.z * e.semi_axes.z;
    return {0.2 * mass * (b + c), 0.2 * mass * (c + a), 0.2 * mass * (a + b)};
}

void turn_freely(Rotation& r, const Vector& moments, double step) {
    constexpr auto x = &Vector::x, y = &Vector::y, z = &Vector::z;
    turn_about<x, y, z>(r, moments.x, 0.5 * step);
    turn_about<y, z, x>(r, moments.y, 0.5 * step);
    turn_about<z, x, y>(r, moments.z, step);
    turn_about<y, z, x>(r, moments.y, 0.5 * step);
    turn_about<x, y, z>(r, moments.x, 0.5 * step);
    // Products of unit quaternions lose their length by rounding alone.
    r.orientation = normalised(r.orientation);
}

}  // namespace beadwave::shapes
