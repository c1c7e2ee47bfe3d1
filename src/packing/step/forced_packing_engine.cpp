#include "packing/step/forced_packing_engine.hpp"

#include "beadwave/argument_error.hpp"

namespace beadwave::packing {

void ForcedPackingEngine::add_force(stepping::ExternalForce<Vec3> force) {
    if (engine_->box().strains) {
        throw ArgumentError(
            "external forces in a box that strains are not possible: their work on the affine "
            "motion would be missing; expected a box without strain");
    }
    if (engine_->population().changes()) {
        throw ArgumentError(
            "external forces on particles that come or leave are not possible; expected a packing "
            "without pour and exit");
    }
    forces_.add(std::move(force), time(),
                [&](std::size_t particle) { return linear_motion(particle); });
}

void ForcedPackingEngine::evaluate_forces() {
    forces_.evaluate_all(time(), [&](std::size_t particle) { return linear_motion(particle); });
}

void ForcedPackingEngine::advance(std::int64_t steps, ParticleTrace& trace) {
    if (forces_.empty()) return engine_->advance(steps, trace);
    const std::size_t sensors = trace.particles.size();
    trace.force.resize(static_cast<std::size_t>(steps) * sensors);
    trace.velocity.resize(trace.force.size());
    ParticleTrace row{.particles = trace.particles, .force = {}, .velocity = {}};
    for (std::int64_t s = 0; s < steps; ++s) {
        const double time_after = static_cast<double>(step() + 1) * time_step();
        forces_.step(
            *engine_, [&] { engine_->advance(1, row); }, time_after,
            [&](std::size_t particle) { return linear_motion(particle); });
        for (std::size_t k = 0; k < sensors; ++k) {
            const std::size_t at = static_cast<std::size_t>(s) * sensors + k;
            trace.force[at] = row.force[k];
            trace.velocity[at] =
                motion(trace.particles[k]).velocity;  // with the forces' second half
        }
    }
}

PackingTotals ForcedPackingEngine::totals() const {
    PackingTotals totals = engine_->totals();
    totals.external_work += forces_.work();
    totals.external_work += forces_.written();
    return totals;
}

}  // namespace beadwave::packing
