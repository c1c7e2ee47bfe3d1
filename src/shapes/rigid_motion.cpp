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

/// Turns about the axis whose component of the momentum is `own`; `next` and `last` follow it.
void turn_about(Rotation& r, double Vector::*own, double Vector::*next, double Vector::*last,
                double moment, double step) {
    const auto [half_sine, half_cosine] = sine_and_cosine(0.5 * (r.momentum.*own / moment * step));
    Vector axis{};
    axis.*own = half_sine;
    r.orientation = r.orientation * Quaternion{half_cosine, axis.x, axis.y, axis.z};
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
    turn_about(r, &Vector::x, &Vector::y, &Vector::z, moments.x, 0.5 * step);
    turn_about(r, &Vector::y, &Vector::z, &Vector::x, moments.y, 0.5 * step);
    turn_about(r, &Vector::z, &Vector::x, &Vector::y, moments.z, step);
    turn_about(r, &Vector::y, &Vector::z, &Vector::x, moments.y, 0.5 * step);
    turn_about(r, &Vector::x, &Vector::y, &Vector::z, moments.x, 0.5 * step);
    // Products of unit quaternions lose their length by rounding alone.
    r.orientation = normalised(r.orientation);
}

}  // namespace beadwave::shapes
