// The steps of the engine of ellipsoids.

#include "packing/shaped/shaped_packing_engine.hpp"

#include "packing/flow/stretches.hpp"
#include "packing/walls/wall_motion.hpp"
#include "simd/flush_subnormals.hpp"

#include <algorithm>

namespace beadwave::packing {
namespace {

std::vector<ShapedParticle> particles_at_start(const Packing& packing) {
    std::vector<ShapedParticle> all;
    for (std::size_t i = 0; i < packing.particles(); ++i)
        all.push_back(particle_at_start(packing, i));
    return all;
}

}  // namespace

ShapedPackingEngine::ShapedPackingEngine(const Packing& packing, double dt, int threads,
                                         ContactRecords records)
    : packing_(packing),
      dt_(dt),
      skin_(skin_of(packing)),
      threads_(threads),
      laws_(packing_),
      traits_(laws_.normal().traits()),
      rolls_(packing.rolling.acts()),
      adhesive_(laws::is_adhesive(laws_.normal())),
      particle_(particles_at_start(packing)),
      member_(members_at_start(packing)),
      at_list_(packing.particles()),
      loads_(packing_, dt),
      curved_(std::ranges::any_of(
          packing.walls,
          [](const Wall& wall) { return !std::holds_alternative<Plane>(wall.shape); })),
      rims_(packing_.walls),
      rim_ghosts_(rims_),
      box_(packing_, dt),
      elements_(packing_, dt),
      population_(packing_, dt),
      wall_force_(packing.walls.size()),
      wall_torque_(packing.walls.size()),
      wall_at_list_(wall_displacements(packing.walls, 0.0)),
      watches_impacts_(records == ContactRecords::impacts) {
    const simd::FlushSubnormals flush;
    if (records != ContactRecords::none) {
        accounts_.emplace(packing_);
        wall_work_.emplace(packing_);
    }
    for (const ShapedMember& member : member_)
        place_at_list_.push_back(member.place);
    hold_absent();
    for (std::size_t i = 0; i < particle_.size(); ++i) {
        ShapedParticle& particle = particle_[i];
        if (population_.is_absent(i)) {
            rest_at(particle, particle.start);
        } else if (box_.strains()) {
            particle.velocity += box_.affine_velocity(from_lower(i));
            particle.half = particle.predicted = particle.velocity;
        }
    }
    adopt_list();
    // Twice, as the plain engine: a contact that starts closed is first loaded to its overlap.
    respond(0.0);
    respond(0.0);
    end_box_step(0.0);
    const double power = power_of_contacts();
    accounting_ = {.power_now = power, .power_at_start = power};
    set_velocity_changes();
    initial_stored_ = stored_normal();
    if (!accounts_) return;
    accounts_->take_power(velocities());
    accounts_->start([&](auto visit) { each_stored(visit); });
}

void ShapedPackingEngine::advance(std::int64_t steps, ParticleTrace& trace) {
    if (!population_.changes()) return run_steps(steps, trace);
    advance_in_stretches(
        step_, steps, trace, [&] { change_population(); },
        [&](std::int64_t count, ParticleTrace& part) { run_steps(count, part); });
}

void ShapedPackingEngine::run_steps(std::int64_t steps, ParticleTrace& trace) {
    const simd::FlushSubnormals flush;
    trace.force.resize(static_cast<std::size_t>(steps) * trace.particles.size());
    trace.velocity.resize(trace.force.size());
    for (std::int64_t s = 0; s < steps; ++s) {
        if (box_.starts_after(step_)) start_box();
        ++step_;
        loads_.begin_step(time());
        box_.begin_step();
        for (ShapedParticle& particle : particle_)
            particle.drift(dt_);
        turn_members();
        if (moved_too_far()) {
            largest_leap_ = std::max(largest_leap_, largest_difference() - skin_);
            rebuild_list();
        }
        respond(dt_);
        end_box_step(dt_);
        set_velocity_changes();
        for (ShapedParticle& particle : particle_)
            particle.kick(dt_);
        accounting_.power_now = power_of_contacts();
        accounting_.power += accounting_.power_now;
        if (accounts_) accounts_->take_power(velocities());
        if (watches_impacts_) end_impacts();
        record(trace, static_cast<std::size_t>(s));
    }
}

void ShapedPackingEngine::set_velocity_changes() {
    for (std::size_t i = 0; i < particle_.size(); ++i) {
        ShapedParticle& particle = particle_[i];
        particle.set_velocity_change(packing_.gravity, dt_);
        if (box_.has_pistons() && !particle.held)
            particle.velocity_change += (0.5 * dt_) * box_.push(from_lower(i));
    }
}

void ShapedPackingEngine::predict_current() {
    for (ShapedParticle& particle : particle_) {
        particle.half = particle.predicted = particle.velocity;
        particle.half_spin = particle.predicted_spin = particle.spin();
    }
}

void ShapedPackingEngine::turn_members() {
    for (ShapedMember& member : member_) {
        if (member.of_clump)
            member.place = to_space(particle_[member.body].orientation, member.centre);
    }
}

void ShapedPackingEngine::sample(ParticleTrace& trace) const {
    trace.force.resize(trace.particles.size());
    trace.velocity.resize(trace.particles.size());
    record(trace, 0);
}

void ShapedPackingEngine::record(ParticleTrace& trace, std::size_t row) const {
    for (std::size_t k = 0; k < trace.particles.size(); ++k) {
        const std::size_t at = row * trace.particles.size() + k;
        trace.force[at] = particle_[trace.particles[k]].force;
        trace.velocity[at] = particle_[trace.particles[k]].velocity;
    }
}

void ShapedPackingEngine::kick(std::span<const stepping::BodyForce<Vec3>> forces,
                               stepping::HalfStep half) {
    for (const auto& [number, force] : forces) {
        ShapedParticle& particle = particle_[number];
        if (particle.held) continue;
        const Vec3 change = (0.5 * dt_ / particle.mass) * force;
        if (half == stepping::HalfStep::first) {
            particle.velocity_change += change;
            continue;
        }
        particle.velocity += change;
        // The step has counted the contacts' power without this change.
        const double power = dot(particle.force, change);
        accounting_.power += power;
        accounting_.power_now += power;
        if (accounts_) accounts_->add_change(number, change, {}, 1.0);
    }
}

void ShapedPackingEngine::set_velocities(std::size_t number, const Vec3& velocity,
                                         const Vec3& angular_velocity) {
    ShapedParticle& particle = particle_[number];
    if (particle.held) return;
    const double power = dot(particle.force, velocity - particle.velocity) +
                         dot(particle.torque, angular_velocity - particle.spin());
    // The trapezoidal sum of the contacts' power has half of this step before the change and half
    // after it.
    accounting_.power += 0.5 * power;
    accounting_.power_now += power;
    if (accounts_)
        accounts_->add_change(number, velocity - particle.velocity,
                              angular_velocity - particle.spin(), 0.5);
    particle.velocity = velocity;
    // Back and forth between the axes of body and space rounds: what is unchanged keeps its bits.
    if (angular_velocity != particle.spin()) particle.set_spin(angular_velocity);
}

Motion ShapedPackingEngine::motion(std::size_t i) const {
    return {particle_[i].displacement, particle_[i].velocity, particle_[i].spin()};
}

std::vector<Vec3> ShapedPackingEngine::displacement() const {
    std::vector<Vec3> all;
    for (const ShapedParticle& particle : particle_)
        all.push_back(particle.displacement);
    return all;
}

std::vector<Vec3> ShapedPackingEngine::velocity() const {
    std::vector<Vec3> all;
    for (const ShapedParticle& particle : particle_)
        all.push_back(particle.velocity);
    return all;
}

std::vector<Vec3> ShapedPackingEngine::angular_velocity() const {
    std::vector<Vec3> all;
    for (const ShapedParticle& particle : particle_)
        all.push_back(particle.spin());
    return all;
}

std::vector<shapes::Quaternion> ShapedPackingEngine::orientation() const {
    std::vector<shapes::Quaternion> all;
    for (const ShapedParticle& particle : particle_)
        all.push_back(particle.given_orientation());
    return all;
}

}  // namespace beadwave::packing
