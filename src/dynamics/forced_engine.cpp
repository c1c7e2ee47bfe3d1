#include "dynamics/forced_engine.hpp"

#include <algorithm>

namespace beadwave::dynamics {

void ForcedEngine::add_force(stepping::ExternalForce<double> force) {
    forces_.add(std::move(force), time(), [&](std::size_t bead) { return motion(bead); });
}

void ForcedEngine::evaluate_forces() {
    forces_.evaluate_all(time(), [&](std::size_t bead) { return motion(bead); });
}

void ForcedEngine::advance(std::int64_t steps, SensorTrace& trace) {
    if (forces_.empty()) return engine_->advance(steps, trace);
    const std::size_t sensors = trace.beads.size();
    trace.resize_rows(static_cast<std::size_t>(steps));
    SensorTrace row{.beads = trace.beads, .force = {}, .velocity = {}};
    for (std::int64_t s = 0; s < steps; ++s) {
        const double time_after = static_cast<double>(step() + 1) * dt_;
        forces_.step(
            *engine_, [&] { engine_->advance(1, row); }, time_after,
            [&](std::size_t bead) { return motion(bead); });
        for (std::size_t k = 0; k < sensors; ++k) {
            const std::size_t at = static_cast<std::size_t>(s) * sensors + k;
            trace.force[at] = row.force[k];
            trace.velocity[at] = velocity()[trace.beads[k]];  // with the forces' second half
        }
    }
}

Totals ForcedEngine::totals() const {
    Totals totals = engine_->totals();
    totals.external_work += forces_.work();
    totals.external_work += forces_.written();
    return totals;
}

}  // namespace beadwave::dynamics
