// The order of a step, and what acts on velocities from outside.

#include "packing/step/verlet_backend.hpp"

#include "packing/neighbours/two_farthest.hpp"
#include "packing/walls/wall_motion.hpp"
#include "simd/flush_subnormals.hpp"

#include <algorithm>
#include <cmath>

namespace beadwave::packing {

VerletBackend::VerletBackend(const Packing& packing, double time_step, ContactRecords records,
                             AccountsOfPairs::Sums sums)
    : PackingBackend(packing, time_step),
      walls_{.force = std::vector<Vec3>(packing.walls.size()),
             .torque = std::vector<double>(packing.walls.size()),
             .at_list = wall_displacements(packing.walls, 0.0)},
      dt_(time_step),
      skin_(skin_of(packing)),
      laws_(around_.packing),
      traits_(laws_.normal().traits()),
      watches_impacts_(records == ContactRecords::impacts) {
    if (records == ContactRecords::none) return;
    accounts_.emplace(around_.packing, sums);
    wall_work_.emplace(around_.packing);
}

void VerletBackend::start() {
    // Twice: a contact that starts closed is first loaded to its overlap. From then on it responds
    // on its unloading path, which may differ from the loading path by rounding.
    update_ghosts();
    respond(0.0);
    respond(0.0);
    end_box_step(0.0);
    step_carriers(0.0);
    const double power = power_of_contacts();
    ledger_ = {.power_now = power, .power_at_start = power};
    for (std::size_t i = 0; i < count(); ++i)
        set_velocity_change(i);
    ledger_.initial_stored = stored_normal();
    if (accounts_) accounts_->start(velocities(), stored_in_accounts());
}

void VerletBackend::run(std::int64_t steps, ParticleTrace& trace, bool /*more*/) {
    const simd::FlushSubnormals flush;
    trace.make_rows(steps);
    for (std::int64_t s = 0; s < steps; ++s) {
        if (around_.box.starts_after(around_.step)) start_box();
        ++around_.step;
        around_.loads.begin_step(time());
        around_.box.begin_step();
        around_.elements.begin(around_.step);
        drift();
        if (moved_too_far()) {
            report_.largest_leap = std::max(report_.largest_leap, largest_difference() - skin_);
            rebuild_list();
        }
        update_ghosts();
        respond(dt_);
        end_box_step(dt_);
        finish_velocities();
        ledger_.power_now = power_of_contacts();
        ledger_.power += ledger_.power_now;
        if (accounts_) accounts_->take_step_power(velocities());
        if (watches_impacts_) end_impacts();
        record(trace, s);
    }
}

void VerletBackend::sample(ParticleTrace& trace) const {
    trace.make_rows(1);
    record(trace, 0);
}

void VerletBackend::record(ParticleTrace& trace, std::int64_t row) const {
    const ParticleViews<const Vec3> now = views();
    trace.fill(row, now.force, now.velocity);
}

void VerletBackend::respond(double dt) {
    const OnWalls before = walls_;
    std::ranges::fill(walls_.force, Vec3{});
    std::ranges::fill(walls_.torque, 0.0);
    image_force_ = {};
    opened_.clear();
    if (watches_impacts_) impacts_.begin_step(accounts_->all().size(), dt > 0.0);
    if (accounts_) accounts_->begin_step();
    respond_pairs(dt);
    around_.loads.end_step(before.force, walls_.force, dt, ledger_.walls);
    for (std::size_t w = 0; w < walls_.torque.size(); ++w) {
        const double turned = around_.packing.walls[w].angular_velocity * dt;
        ledger_.walls -= 0.5 * (before.torque[w] + walls_.torque[w]) * turned;
    }
    if (accounts_) accounts_->end_step(dt, around_.loads, around_.box);
}

void VerletBackend::begin_list() {
    walls_.at_list = around_.loads.displacements();
    walls_.list_time = around_.loads.time();
    around_.box.begin_list();
}

bool VerletBackend::moved_too_far() const {
    if (around_.box.strains()) return largest_difference() >= skin_;
    TwoFarthest farthest;
    for (std::size_t k = 0; k < listed_bodies(); ++k)
        farthest.include(moved(k));
    for (std::size_t w = 0; w < walls_.at_list.size(); ++w) {
        const Vec3 u = around_.loads.displacement(w) - walls_.at_list[w];
        const double turned = around_.loads.turned(w, walls_.list_time);
        farthest.include_squared(turned > 0.0 ? std::pow(std::sqrt(dot(u, u)) + turned, 2)
                                              : dot(u, u));
    }
    return farthest.approach() >= skin_;
}

double VerletBackend::largest_difference() const {
    const Packing& packing = around_.packing;
    Vec3 lowest = moved(0), highest = lowest;
    const auto include = [&](const Vec3& d) {
        lowest = {std::min(lowest.x, d.x), std::min(lowest.y, d.y), std::min(lowest.z, d.z)};
        highest = {std::max(highest.x, d.x), std::max(highest.y, d.y), std::max(highest.z, d.z)};
    };
    for (std::size_t k = 0; k < listed_bodies(); ++k)
        include(moved(k));
    double turned = 0.0;
    for (std::size_t w = 0; w < walls_.at_list.size(); ++w) {
        include(around_.loads.displacement(w) - walls_.at_list[w]);
        turned = std::max(turned, around_.loads.turned(w, walls_.list_time));
    }
    // Members of two clumps are listed when the spheres around these are as close.
    const double reach = 2.0 * packing.radius.largest() + skin_;
    return std::sqrt(dot(highest - lowest, highest - lowest)) + turned +
           around_.box.approach_within(reach);
}

Vec3 VerletBackend::own_velocity(std::size_t i) const {
    const Vec3& velocity = views().velocity[i];
    if (!around_.box.strains() || around_.packing.is_fixed(i)) return velocity;
    return around_.box.own_velocity(from_lower(i), velocity);
}

void VerletBackend::start_box() {
    around_.loads.renew(time());
    around_.box.start();
    const ParticleViews<Vec3> now = views();
    for (std::size_t i = 0; i < count(); ++i) {
        if (!around_.packing.is_fixed(i))
            now.velocity[i] += around_.box.affine_velocity(from_lower(i));
    }
    predict_current();
    update_ghosts();
    renew_forces();
}

void VerletBackend::end_box_step(double dt) {
    if (!around_.box.strains()) return;
    const Packing& packing = around_.packing;
    const ParticleViews<const Vec3> now = std::as_const(*this).views();
    BoxMotion::ParticleSums sums;
    for (std::size_t i = 0; i < count(); ++i) {
        if (packing.is_fixed(i)) continue;  // not there
        around_.box.add_particle(sums, packing.mass[i], from_lower(i), now.force[i],
                                 now.predicted[i]);
    }
    around_.box.end_step(image_force_, around_.box.force_of(sums), dt);
}

void VerletBackend::kick(std::span<const stepping::BodyForce<Vec3>> forces,
                         stepping::HalfStep half) {
    const Packing& packing = around_.packing;
    ElementStepper& elements = around_.elements;
    const ParticleViews<Vec3> now = views();
    std::vector<VelocityChange> changes;
    for (const auto& [particle, force] : forces) {
        if (packing.is_fixed(particle)) continue;
        const std::uint32_t carrier = elements.carrier_of(particle);
        Vec3 free = force;
        if (carrier != ElementStepper::none)
            free = elements.external(carrier, force, now.velocity[particle]);
        const Vec3 change = (0.5 * dt_ / packing.mass[particle]) * free;
        if (half == stepping::HalfStep::first) {
            now.velocity_change[particle] += change;
            continue;
        }
        now.velocity[particle] += change;
        if (carrier != ElementStepper::none) elements.change_velocity(carrier, change);
        // The step has counted the contacts' power without this change.
        const double power = dot(now.force[particle], change);
        ledger_.power += power;
        ledger_.power_now += power;
        changes.push_back({particle, change, {}});
    }
    if (accounts_ && !changes.empty()) accounts_->add_changes(changes, 1.0);
}

void VerletBackend::set_velocities(std::size_t particle, const Vec3& given,
                                   const Vec3& given_angular) {
    if (around_.packing.is_fixed(particle)) return;
    ElementStepper& elements = around_.elements;
    Vec3& now = views().velocity[particle];
    const Vec3 spin = spin_of(particle);
    const std::uint32_t carrier = elements.carrier_of(particle);
    Vec3 velocity = given, angular_velocity = given_angular;
    if (carrier != ElementStepper::none) {
        velocity = elements.allowed(carrier, given, now);
        if (!elements.may_turn(carrier)) angular_velocity = spin;
        elements.set_velocity(carrier, velocity - now, spin, angular_velocity - spin);
    }
    const VelocityChange change{particle, velocity - now, angular_velocity - spin};
    const double power = dot(std::as_const(*this).views().force[particle], change.velocity) +
                         dot(torque_of(particle), change.spin);
    // The trapezoidal sum of the contacts' power has half of this step before the change and half
    // after it.
    ledger_.power += 0.5 * power;
    ledger_.power_now += power;
    if (accounts_) accounts_->add_changes({&change, 1}, 0.5);
    now = velocity;
    // Back and forth between the axes of body and space rounds: what is unchanged keeps its bits.
    if (angular_velocity != spin) set_spin(particle, angular_velocity);
}

}  // namespace beadwave::packing
