// What acts on the velocities from outside of the fast engine: external forces, and new velocities.

#include "fast_packing_engine.hpp"

#include <stdexcept>

namespace beadwave::packing {

void FastPackingEngine::kick(std::span<const stepping::BodyForce<Vec3>> forces,
                             stepping::HalfStep half) {
    if (share_.shared()) throw std::logic_error("forces from outside act on one process only");
    settle_works();
    const bool counts = keeps_accounts() && half == stepping::HalfStep::second;
    std::vector<Vec3> changes(counts ? n_ : 0);
    for (const auto& [particle, force] : forces) {
        if (packing_.is_fixed(particle)) continue;
        const std::size_t i = slot_[particle];
        const std::uint32_t carrier = elements_.carrier_of(particle);
        Vec3 free = force;
        if (carrier != ElementStepper::none)
            free = elements_.external(carrier, force, triple(velocity(i)));
        const Vec3 change = kick_[2 * i] * free;
        sleep_.wake(i / block_size);
        if (half == stepping::HalfStep::first) {
            put(velocity_change(i), triple(velocity_change(i)) + change);
            continue;
        }
        // The step has counted the contacts' power without this change.
        velocity(i)[7] += dot(net_force(i), change);
        put(velocity(i), triple(velocity(i)) + change);
        if (carrier != ElementStepper::none) elements_.change_velocity(carrier, change);
        if (counts) changes[i] += change;
    }
    if (counts) add_work_of_kicks(changes);
}

void FastPackingEngine::set_velocities(std::size_t particle, const Vec3& given,
                                       const Vec3& given_angular) {
    if (share_.shared()) throw std::logic_error("velocities are set on one process only");
    if (packing_.is_fixed(particle)) return;
    settle_works();
    const std::size_t i = slot_[particle];
    double* const v = velocity(i);
    const std::uint32_t carrier = elements_.carrier_of(particle);
    Vec3 velocity_now = given, angular_velocity = given_angular, rim = triple(v + 4);
    // Back and forth between the two rounds: an angular velocity that is unchanged keeps its bits.
    if (given_angular != angular_velocity_of(static_cast<std::uint32_t>(i)))
        rim = place(i)[3] * given_angular;
    if (carrier != ElementStepper::none) {
        velocity_now = elements_.allowed(carrier, given, triple(v));
        const Vec3 before = (1.0 / place(i)[3]) * triple(v + 4);
        if (!elements_.may_turn(carrier)) {
            angular_velocity = before;
            rim = triple(v + 4);
        }
        elements_.set_velocity(carrier, velocity_now - triple(v), before,
                               angular_velocity - before);
    }
    // The trapezoidal sum of the contacts' power has half of this step before the change and half
    // after it.
    v[7] += 0.5 * (dot(net_force(i), velocity_now - triple(v)) +
                   dot(net_rim_force(i), rim - triple(v + 4)));
    put(v, velocity_now);
    put(v + 4, rim);
    sleep_.wake(i / block_size);
}

}  // namespace beadwave::packing
