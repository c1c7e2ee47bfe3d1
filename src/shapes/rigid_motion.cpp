#include "shapes/rigid_motion.hpp"

#include <cmath>
#include <numbers>

namespace beadwave::shapes {
namespace {

/// Turns about the axis whose component of the momentum is `own`; `next` and `last` follow it.
void turn_about(Rotation& r, double Vector::*own, double Vector::*next, double Vector::*last,
                double moment, double step) {
    const double half = 0.5 * (r.momentum.*own / moment * step);
    const double half_sine = std::sin(half), half_cosine = std::cos(half);
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
