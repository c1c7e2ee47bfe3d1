#include "packing/heat/followed_packing_engine.hpp"

#include <utility>

namespace beadwave::packing {

FollowedPackingEngine::FollowedPackingEngine(const Packing& packing,
                                             std::unique_ptr<PackingEngine> engine, bool triangles)
    : PackingEngineAround(std::move(engine)) {
    if (packing.heat) heat_.emplace(packing);
    if (triangles) triangles_.emplace(packing);
    changes_.start(engine_->dissipation());
}

std::vector<ContactState> FollowedPackingEngine::contacts_needed() const {
    if (triangles_ || heat_->conducts()) return engine_->contacts();
    return {};
}

void FollowedPackingEngine::follow(const std::vector<ContactState>& contacts) {
    const std::vector<DissipationChange>& changes = changes_.take(engine_->dissipation());
    if (heat_) heat_->receive(changes);
    if (triangles_) triangles_->receive(changes, contacts);
}

void FollowedPackingEngine::advance(std::int64_t steps, ParticleTrace& trace) {
    const std::size_t sensors = trace.particles.size();
    trace.force.resize(static_cast<std::size_t>(steps) * sensors);
    trace.velocity.resize(trace.force.size());
    ParticleTrace row{.particles = trace.particles, .force = {}, .velocity = {}};
    for (std::int64_t s = 0; s < steps; ++s) {
        engine_->advance(1, row);
        const std::vector<ContactState> contacts = contacts_needed();
        follow(contacts);
        if (heat_ && heat_->conducts()) heat_->conduct(contacts, engine_->time_step());
        for (std::size_t k = 0; k < sensors; ++k) {
            const std::size_t at = static_cast<std::size_t>(s) * sensors + k;
            trace.force[at] = row.force[k];
            trace.velocity[at] = row.velocity[k];
        }
    }
}

void FollowedPackingEngine::kick(std::span<const stepping::BodyForce<Vec3>> forces,
                                 stepping::HalfStep half) {
    engine_->kick(forces, half);
    if (half == stepping::HalfStep::second) follow(contacts_needed());
}

std::vector<PackingColumn> FollowedPackingEngine::state() const {
    std::vector<PackingColumn> columns = engine_->state();
    if (heat_) {
        heat_numbers_ = heat_->numbers();
        columns.push_back({"heat", heat_numbers_});
    }
    if (triangles_) {
        triangle_numbers_ = triangles_->numbers();
        columns.push_back({"triangle_energy", triangle_numbers_});
    }
    return columns;
}

void FollowedPackingEngine::restore(std::int64_t step, const SavedColumns& column) {
    engine_->restore(step, column);
    if (heat_) heat_->restore(column("heat"));
    if (triangles_) triangles_->restore(column("triangle_energy"));
    changes_.start(engine_->dissipation());
}

}  // namespace beadwave::packing
