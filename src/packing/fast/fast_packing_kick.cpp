// What acts on the velocities from outside of the fast engine: external forces, and new velocities.

#include "fast_packing_engine.hpp"

#include <stdexcept>

namespace beadwave::packing {

void FastPackingEngine::kick(std::span<const stepping::BodyForce<Vec3>> forces,
                             stepping::HalfStep half) {
    if (share_.shared()) throw std::logic_error("forces from outside act on one process only");
    if (works_) works_->settle();
    const bool counts = keeps_accounts() && half == stepping::HalfStep::second;
    std::vector<Vec3> changes(counts ? bodies_.held() : 0);
    for (const auto& [particle, force] : forces) {
        if (packing_.is_fixed(particle)) continue;
        const std::size_t i = bodies_.body_of(particle);
        const std::uint32_t carrier = elements_.stepper.carrier_of(particle);
        Vec3 free = force;
        if (carrier != ElementStepper::none)
            free = elements_.stepper.external(carrier, force, bodies_.velocity(i));
        const Vec3 change = bodies_.kick(i) * free;
        sleep_.wake(i / block_size);
        if (half == stepping::HalfStep::first) {
            bodies_.set_velocity_change(i, bodies_.velocity_change(i) + change);
            continue;
        }
        // The step has counted the contacts' power without this change.
        bodies_.power(i) += dot(net_force(i), change);
        bodies_.set_velocity(i, bodies_.velocity(i) + change);
        if (carrier != ElementStepper::none) elements_.stepper.change_velocity(carrier, change);
        if (counts) changes[i] += change;
    }
    if (counts) works_->add_kicks(changes);
}

void FastPackingEngine::set_velocities(std::size_t particle, const Vec3& given,
                                       const Vec3& given_angular) {
    if (share_.shared()) throw std::logic_error("velocities are set on one process only");
    if (packing_.is_fixed(particle)) return;
    if (works_) works_->settle();
    const std::size_t i = bodies_.body_of(particle);
    const std::uint32_t carrier = elements_.stepper.carrier_of(particle);
    Vec3 velocity_now = given, angular_velocity = given_angular, rim = bodies_.rim(i);
    // Back and forth between the two rounds: an angular velocity that is unchanged keeps its bits.
    if (given_angular != bodies_.angular_velocity(i)) rim = bodies_.radius(i) * given_angular;
    if (carrier != ElementStepper::none) {
        velocity_now = elements_.stepper.allowed(carrier, given, bodies_.velocity(i));
        const Vec3 before = (1.0 / bodies_.radius(i)) * bodies_.rim(i);
        if (!elements_.stepper.may_turn(carrier)) {
            angular_velocity = before;
            rim = bodies_.rim(i);
        }
        elements_.stepper.set_velocity(carrier, velocity_now - bodies_.velocity(i), before,
                                       angular_velocity - before);
    }
    // The trapezoidal sum of the contacts' power has half of this step before the change and half
    // after it.
    bodies_.power(i) += 0.5 * (dot(net_force(i), velocity_now - bodies_.velocity(i)) +
                               dot(net_rim_force(i), rim - bodies_.rim(i)));
    bodies_.set_velocity(i, velocity_now);
    bodies_.set_rim(i, rim);
    sleep_.wake(i / block_size);
}

}  // namespace beadwave::packing
