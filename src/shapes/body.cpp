#include "shapes/body.hpp"

#include <algorithm>
#include <cmath>

namespace beadwave::shapes {
namespace {

Vector over_moments(const Body& b, const Vector& v) {
    return {v.x / b.moments.x, v.y / b.moments.y, v.z / b.moments.z};
}

double inverse_mass(const Body& b, const Vector& arm, const Vector& n) {
    const Vector lever = to_body(b.shape.orientation, cross(arm, n));
    return 1.0 / b.mass + dot(lever, over_moments(b, lever));
}

}  // namespace

Body solid(const Ellipsoid& shape, double density) {
    return solid(Superellipsoid(shape), density);
}

Body solid(const Superellipsoid& shape, double density) {
    const double mass = density * volume(shape);
    return {.shape = shape, .mass = mass, .moments = moments(shape, mass)};
}

Vector body_spin(const Body& b) {
    return over_moments(b, b.momentum);
}
Vector spin(const Body& b) {
    return to_space(b.shape.orientation, body_spin(b));
}

void set_spin(Body& b, const Vector& spin) {
    const Vector w = to_body(b.shape.orientation, spin);
    b.momentum = {b.moments.x * w.x, b.moments.y * w.y, b.moments.z * w.z};
}

Vector velocity_at(const Body& b, const Vector& arm) {
    return b.velocity + cross(spin(b), arm);
}

double translational_energy(const Body& b) {
    return 0.5 * b.mass * dot(b.velocity, b.velocity);
}
double rotational_energy(const Body& b) {
    return 0.5 * dot(b.momentum, body_spin(b));
}

void fly(Body& b, double time) {
    constexpr double turn = 0.02;
    constexpr double w1 = -1.17767998417887, w2 = 0.235573213359357, w3 = 0.784513610477560;
    constexpr double parts[] = {w3, w2, w1, 1.0 - 2.0 * (w1 + w2 + w3), w1, w2, w3};
    b.shape.centre += time * b.velocity;
    const double fastest = length(b.momentum) / std::min({b.moments.x, b.moments.y, b.moments.z});
    if (fastest == 0.0) return;
    const double steps = std::max(1.0, std::ceil(fastest * std::abs(time) / turn));
    Rotation r{.orientation = b.shape.orientation, .momentum = b.momentum};
    for (double i = 0.0; i < steps; i += 1.0) {
        for (const double part : parts)
            turn_freely(r, b.moments, part * time / steps);
    }
    b.shape.orientation = r.orientation;
    b.momentum = r.momentum;
}

Gap gap_between(const Pair& pair, const Vector& guess) {
    Gap gap{};
    if (const Body* const second = pair.other()) {
        const CommonPoints c = common_points(pair.first.shape, second->shape, guess);
        gap = {.normal = c.at.normal,
               .overlap = c.at.overlap,
               .arm_1 = c.arm_1,
               .arm_2 = c.arm_2,
               .approach = 0.0};
    } else {
        const HalfSpace& wall = std::get<HalfSpace>(pair.second);
        const PlaneContact c = contact(pair.first.shape, wall);
        gap = {.normal = -wall.normal,
               .overlap = c.overlap,
               .arm_1 = reach_point(pair.first.shape, -wall.normal),
               .arm_2 = {},
               .approach = 0.0};
    }
    Vector relative = velocity_at(pair.first, gap.arm_1);
    if (const Body* const second = pair.other()) relative -= velocity_at(*second, gap.arm_2);
    gap.approach = dot(gap.normal, relative);
    return gap;
}

double impact_mass(const Pair& pair, const Gap& gap) {
    double inverse = inverse_mass(pair.first, gap.arm_1, gap.normal);
    if (const Body* const second = pair.other())
        inverse += inverse_mass(*second, gap.arm_2, gap.normal);
    return 1.0 / inverse;
}

}  // namespace beadwave::shapes
