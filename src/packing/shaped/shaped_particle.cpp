#include "packing/shaped/shaped_particle.hpp"

#include "packing/build/particle_shapes.hpp"

#include <algorithm>
#include <cmath>

namespace beadwave::packing {
namespace {

Vec3 over_each(const Vec3& v, const Vec3& by) {
    return {v.x / by.x, v.y / by.y, v.z / by.z};
}

}  // namespace

ShapedParticle particle_at_start(const Packing& packing, std::size_t i) {
    ShapedParticle p;
    p.semi_axes = packing.semi_axes[i];
    if (!packing.exponents.empty()) p.exponents = packing.exponents[i];
    p.radius = packing.radius[i];
    p.mass = packing.mass[i];
    const shapes::Inertia inertia = inertia_of(packing, i);
    p.moments = inertia.moments;
    p.orientation = inertia.axes;
    p.held = packing.is_held(i);
    p.start = packing.position[i];
    p.velocity = packing.velocity[i];
    p.is_clump = packing.is_clump(i);
    if (p.is_clump) p.axes = packing.clumps[i]->axes;
    p.set_spin(packing.angular_velocity[i]);
    p.half = p.predicted = p.velocity;
    p.half_spin = p.predicted_spin = packing.angular_velocity[i];
    return p;
}

bool ShapedParticle::is_finite() const {
    const shapes::Quaternion& q = orientation;
    return std::isfinite(dot(displacement, displacement)) &&
           std::isfinite(dot(velocity, velocity)) && std::isfinite(dot(half, half)) &&
           std::isfinite(dot(velocity_change, velocity_change)) &&
           std::isfinite(dot(momentum, momentum)) && std::isfinite(norm(q));
}

Vec3 ShapedParticle::spin_of(const Vec3& in_space) const {
    return to_space(orientation, over_each(to_body(orientation, in_space), moments));
}

Vec3 ShapedParticle::spin() const {
    return to_space(orientation, over_each(momentum, moments));
}

shapes::Quaternion ShapedParticle::given_orientation() const {
    if (!is_clump) return orientation;
    return orientation * shapes::Quaternion{axes.w, -axes.x, -axes.y, -axes.z};
}

void ShapedParticle::set_spin(const Vec3& in_space) {
    const Vec3 w = to_body(orientation, in_space);
    momentum = {moments.x * w.x, moments.y * w.y, moments.z * w.z};
}

double ShapedParticle::rotational_energy() const {
    return 0.5 * dot(momentum, over_each(momentum, moments));
}

double ShapedParticle::mobility(const Vec3& arm, const Vec3& n) const {
    if (held) return 0.0;
    const Vec3 lever = to_body(orientation, cross(place + arm, n));
    return 1.0 / mass + dot(lever, over_each(lever, moments));
}

double ShapedParticle::largest_mobility(const Vec3& arm) const {
    if (held) return 0.0;
    const Vec3 lever = place + arm;
    return 1.0 / mass + dot(lever, lever) / std::min({moments.x, moments.y, moments.z});
}

double ShapedParticle::mean_turning() const {
    return held ? 0.0 : (1.0 / moments.x + 1.0 / moments.y + 1.0 / moments.z) / 3.0;
}

double ShapedParticle::largest_turning() const {
    return held ? 0.0 : 1.0 / std::min({moments.x, moments.y, moments.z});
}

void ShapedParticle::drift(double time_step) {
    half = velocity + velocity_change;
    displacement += time_step * half;
    predicted = half + velocity_change;
    if (held || guided) return;
    momentum += to_body(orientation, twist);
    // The spin in the middle of the step is, to second order, the mean of those at its ends: the
    // momentum in space stays.
    const Vec3 first = spin();
    shapes::Rotation rotation{.orientation = orientation, .momentum = momentum};
    turn_freely(rotation, moments, time_step);
    orientation = rotation.orientation;
    momentum = rotation.momentum;
    half_spin = 0.5 * (first + spin());
    predicted_spin = spin_of(momentum_in_space() + twist);
}

void ShapedParticle::set_velocity_change(const Vec3& gravity, double time_step) {
    if (held) return;
    twist = (0.5 * time_step) * torque;
    velocity_change = (force + mass * gravity) * (0.5 * time_step * (1.0 / mass));
}

void ShapedParticle::kick() {
    velocity = half + velocity_change;
    if (!held) momentum += to_body(orientation, twist);
}

ShapedParticle ShapedParticle::before(double time) const {
    ShapedParticle was = *this;
    was.displacement -= time * half;
    if (held) return was;
    if (guided) {
        was.orientation = turned(orientation, -time * half_spin);
        was.set_spin(spin());
        return was;
    }
    shapes::Rotation rotation{.orientation = orientation, .momentum = momentum};
    turn_freely(rotation, moments, -time);
    was.orientation = rotation.orientation;
    was.momentum = rotation.momentum;
    return was;
}

}  // namespace beadwave::packing
