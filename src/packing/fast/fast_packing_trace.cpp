// Force and velocity of chosen particles: while the fast engine steps, and at any time.

#include "fast_packing_engine.hpp"

namespace beadwave::packing {

void FastPackingEngine::record(std::size_t b, const Sums& sums, ParticleTrace& trace) const {
    for (std::size_t k = 0; k < trace.particles.size(); ++k) {
        const std::uint32_t slot = slot_[trace.particles[k]];
        if (slot / block_size != b) continue;
        const std::size_t i = share_.body_of(slot);
        const Vec3 sum = triple(sums.force + line * (slot - b * block_size));
        const std::uint32_t carrier = elements_.carrier_of(id_[i]);
        const Vec3 gravity_change =
            packing_.is_fixed(id_[i]) ? Vec3{} : (0.5 * dt_) * packing_.gravity;
        const std::size_t to = row_ * trace.particles.size() + k;
        trace.force[to] = sum;
        trace.velocity[to] =
            carrier != ElementStepper::none
                ? carried_[carrier].velocity
                : triple(half_[now_].data() + line * i) + (kick_[2 * i] * sum + gravity_change);
    }
}

void FastPackingEngine::sample(ParticleTrace& trace) const {
    exchange_velocities();
    trace.force.assign(trace.particles.size(), Vec3{});
    trace.velocity.assign(trace.particles.size(), Vec3{});
    for (std::size_t k = 0; k < trace.particles.size(); ++k) {
        const std::size_t i = body_of(trace.particles[k]);
        if (!share_.has(i)) continue;
        trace.velocity[k] = triple(velocity(i));
        trace.force[k] = net_force(i);
    }
    if (!share_.shared() || trace.particles.empty()) return;
    share_rows(trace.force);
    share_rows(trace.velocity);
}

}  // namespace beadwave::packing
