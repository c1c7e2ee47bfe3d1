#include "packing/packing_engine.hpp"

#include "beadwave/argument_error.hpp"
#include "packing/heat/dissipation_follower.hpp"

#include <algorithm>
#include <utility>

namespace beadwave::packing {

PackingEngine::PackingEngine(std::unique_ptr<PackingBackend> backend)
    : backend_(std::move(backend)) {}
PackingEngine::PackingEngine(PackingEngine&&) noexcept = default;
PackingEngine& PackingEngine::operator=(PackingEngine&&) noexcept = default;
PackingEngine::~PackingEngine() = default;

void PackingEngine::follow_dissipation(const Packing& packing, bool triangles) {
    follower_ = std::make_unique<DissipationFollower>(packing, triangles, dissipation());
}

void PackingEngine::advance(std::int64_t steps, ParticleTrace& trace) {
    if (forces_.empty() && !follower_) return advance_particles(steps, trace);
    const std::size_t sensors = trace.particles.size();
    trace.make_rows(steps);
    ParticleTrace row{.particles = trace.particles, .force = {}, .velocity = {}};
    for (std::int64_t s = 0; s < steps; ++s) {
        if (forces_.empty()) {
            take_step(row);
        } else {
            const double time_after = static_cast<double>(step() + 1) * time_step();
            forces_.step(
                *this, [&] { take_step(row); }, time_after,
                [&](std::size_t particle) { return linear_motion(particle); });
            for (std::size_t k = 0; k < sensors; ++k)  // with the forces' second half
                row.velocity[k] = motion(trace.particles[k]).velocity;
        }
        const auto at = static_cast<std::ptrdiff_t>(s) * std::ssize(trace.particles);
        std::ranges::copy(row.force, trace.force.begin() + at);
        std::ranges::copy(row.velocity, trace.velocity.begin() + at);
    }
}

void PackingEngine::take_step(ParticleTrace& row) {
    advance_particles(1, row);
    if (follower_) follower_->follow_step(*backend_);
}

void PackingEngine::advance_particles(std::int64_t steps, ParticleTrace& trace) {
    backend_->begin(steps);
    if (!population().changes()) return backend_->run(steps, trace, false);
    trace.force.clear();
    trace.velocity.clear();
    ParticleTrace part{.particles = trace.particles, .force = {}, .velocity = {}};
    for (std::int64_t done = 0; done < steps;) {
        const std::int64_t since_check = step() % Population::check_steps;
        if (since_check == 0) backend_->change_population();
        const std::int64_t count = std::min(steps - done, Population::check_steps - since_check);
        done += count;
        backend_->run(count, part, done < steps);
        trace.force.insert(trace.force.end(), part.force.begin(), part.force.end());
        trace.velocity.insert(trace.velocity.end(), part.velocity.begin(), part.velocity.end());
    }
}

void PackingEngine::visit_velocities(
    const std::function<void(std::size_t number, const Vec3& velocity)>& visit) const {
    backend_->visit_velocities([&](std::size_t number, const Vec3& velocity) {
        if (!population().is_absent(number)) visit(number, velocity);
    });
}

std::vector<OwnParticle> PackingEngine::own() const {
    std::vector<OwnParticle> all = backend_->own();
    std::erase_if(all, [&](const OwnParticle& one) { return population().is_absent(one.number); });
    std::ranges::sort(all, {}, &OwnParticle::number);
    return all;
}

void PackingEngine::kick(std::span<const stepping::BodyForce<Vec3>> forces,
                         stepping::HalfStep half) {
    backend_->kick(forces, half);
    if (follower_ && half == stepping::HalfStep::second) follower_->follow_kick(*backend_);
}

void PackingEngine::add_force(stepping::ExternalForce<Vec3> force) {
    if (around().box.strains()) {
        throw ArgumentError(
            "external forces in a box that strains are not possible: their work on the affine "
            "motion would be missing; expected a box without strain");
    }
    if (population().changes()) {
        throw ArgumentError(
            "external forces on particles that come or leave are not possible; expected a packing "
            "without pour and exit");
    }
    forces_.add(std::move(force), around().time(),
                [&](std::size_t particle) { return linear_motion(particle); });
}

void PackingEngine::evaluate_forces() {
    forces_.evaluate_all(around().time(),
                         [&](std::size_t particle) { return linear_motion(particle); });
}

BoxState PackingEngine::box() const {
    const BoxMotion& box = around().box;
    return {box.now(), box.rate(), box.strains()};
}

PackingTotals PackingEngine::totals() const {
    PackingTotals totals = backend_->totals();
    for (const double work : {forces_.work(), forces_.written()})
        if (work != 0.0) totals.external_work += work;  // 0 would change the sign of -0
    return totals;
}

const Heat* PackingEngine::heat() const {
    return follower_ ? follower_->heat() : nullptr;
}

std::span<const double> PackingEngine::triangle_dissipation() const {
    return follower_ ? follower_->triangle_energy() : std::span<const double>{};
}

std::vector<PackingColumn> PackingEngine::state() const {
    std::vector<PackingColumn> columns = backend_->state();
    if (follower_) follower_->append_state(columns);
    return columns;
}

void PackingEngine::restore(std::int64_t step, const SavedColumns& column) {
    backend_->restore(step, column);
    if (follower_) follower_->restore(column, dissipation());
}

}  // namespace beadwave::packing
