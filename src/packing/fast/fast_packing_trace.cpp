// Force and velocity of chosen particles: while the fast engine steps, and at any time.

#include "fast_packing_engine.hpp"

namespace beadwave::packing {

void FastPackingEngine::record(std::size_t b, const Sums& sums, ParticleTrace& trace) const {
    for (std::size_t k = 0; k < trace.particles.size(); ++k) {
        const std::size_t i = bodies_.body_of(trace.particles[k]);
        if (!share_.has(i) || share_.block_of(i) != b) continue;
        const Vec3 sum = triple(sums.force + line * (i - share_.block_begin(b)));
        const std::uint32_t carrier = elements_.stepper.carrier_of(bodies_.id(i));
        const Vec3 gravity_change = bodies_.is_fixed(i) ? Vec3{} : (0.5 * dt_) * packing_.gravity;
        const std::size_t to = taken_.row * trace.particles.size() + k;
        trace.force[to] = sum;
        trace.velocity[to] =
            carrier != ElementStepper::none
                ? elements_.velocity(carrier)
                : triple(bodies_.half(i)) + (bodies_.kick(i) * sum + gravity_change);
    }
}

void FastPackingEngine::sample_row(ParticleTrace& trace) const {
    ParticleTrace row{.particles = trace.particles, .force = {}, .velocity = {}};
    sample(row);
    const auto at = static_cast<std::ptrdiff_t>(taken_.row) * std::ssize(row.particles);
    std::ranges::copy(row.force, trace.force.begin() + at);
    std::ranges::copy(row.velocity, trace.velocity.begin() + at);
}

void FastPackingEngine::sample(ParticleTrace& trace) const {
    bodies_.exchange_velocities();
    trace.force.assign(trace.particles.size(), Vec3{});
    trace.velocity.assign(trace.particles.size(), Vec3{});
    for (std::size_t k = 0; k < trace.particles.size(); ++k) {
        const std::size_t i = bodies_.body_of(trace.particles[k]);
        if (!share_.has(i)) continue;
        trace.velocity[k] = bodies_.velocity(i);
        trace.force[k] = net_force(i);
    }
    if (!share_.shared() || trace.particles.empty()) return;
    share_rows(share_.ranks(), trace.force);
    share_rows(share_.ranks(), trace.velocity);
}

}  // namespace beadwave::packing
