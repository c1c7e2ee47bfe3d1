#include "plain_packing_engine.hpp"

#include "packing/packing_engine.hpp"
#include "packing/walls/wall_motion.hpp"
#include "simd/flush_subnormals.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace beadwave::packing {

PlainPackingEngine::PlainPackingEngine(const Packing& packing, double dt, ContactRecords records)
    : PackingBackend(packing, dt),
      dt_(dt),
      n_(packing.particles()),
      skin_(skin_of(packing)),
      laws_(packing_),
      traits_(laws_.normal().traits()),
      adhesive_(laws::is_adhesive(laws_.normal())),
      body_(n_),
      velocity_(packing.velocity),
      angular_velocity_(packing.angular_velocity),
      velocity_change_(n_),
      angular_velocity_change_(n_),
      force_(n_),
      torque_(n_),
      rims_(packing_.walls),
      rim_ghosts_(rims_),
      carried_(elements_.carriers()),
      wall_force_(packing.walls.size()),
      wall_torque_(packing.walls.size()),
      wall_at_list_(wall_displacements(packing.walls, 0.0)),
      dissipation_(records != ContactRecords::none),
      watches_impacts_(records == ContactRecords::impacts) {
    if (dissipation_) wall_work_.emplace(packing_);
    const simd::FlushSubnormals flush;
    around_.hold_absent();
    for (std::size_t i = 0; i < n_; ++i) {
        if (population_.is_absent(i))
            velocity_[i] = angular_velocity_[i] = {};
        else if (box_.strains())
            velocity_[i] += box_.affine_velocity(packing.position[i] - packing.box.lower);
        body_[i] = {.reference = packing.position[i],
                    .displacement = {},
                    .half = velocity_[i],
                    .predicted = velocity_[i],
                    .half_angular_velocity = angular_velocity_[i],
                    .predicted_angular_velocity = angular_velocity_[i],
                    .radius = packing.radius[i]};
    }
    adopt_list();
    // Twice: a contact that starts closed is first loaded to its overlap. From then on it responds
    // on its unloading path, which may differ from the loading path by rounding.
    update_ghosts();
    respond(0.0);
    respond(0.0);
    end_box_step(0.0);
    step_carriers(0.0);
    update_power();
    accounting_ = {.power_now = accounting_.power_now, .power_at_start = accounting_.power_now};
    for (std::size_t i = 0; i < n_; ++i)
        set_velocity_changes(i);
    initial_stored_ = stored_normal();
    if (dissipation_) start_accounts();
}

void PlainPackingEngine::run(std::int64_t steps, ParticleTrace& trace, bool /*more*/) {
    const simd::FlushSubnormals flush;
    trace.force.resize(static_cast<std::size_t>(steps) * trace.particles.size());
    trace.velocity.resize(trace.force.size());
    for (std::int64_t s = 0; s < steps; ++s) {
        if (box_.starts_after(step_)) start_box();
        ++step_;
        loads_.begin_step(time());
        box_.begin_step();
        elements_.begin(step_);
        drift();
        place_carriers();
        if (moved_too_far()) {
            largest_leap_ = std::max(largest_leap_, largest_difference() - skin_);
            rebuild_list();
        }
        update_ghosts();
        respond(dt_);
        end_box_step(dt_);
        kick();
        record(trace, static_cast<std::size_t>(s));
    }
}

void PlainPackingEngine::sample(ParticleTrace& trace) const {
    trace.force.resize(trace.particles.size());
    trace.velocity.resize(trace.particles.size());
    record(trace, 0);
}

Vec3 PlainPackingEngine::displacement_of(std::size_t i) const {
    return (body_[i].reference - packing_.position[i]) + body_[i].displacement;
}

void PlainPackingEngine::drift() {
    for (std::size_t i = 0; i < n_; ++i) {
        Body& body = body_[i];
        body.half = velocity_[i] + velocity_change_[i];
        body.displacement += dt_ * body.half;
        body.predicted = body.half + velocity_change_[i];
        body.half_angular_velocity = angular_velocity_[i] + angular_velocity_change_[i];
        body.predicted_angular_velocity = body.half_angular_velocity + angular_velocity_change_[i];
    }
}

void PlainPackingEngine::place_carriers() {
    for (std::size_t c = 0; c < elements_.carriers(); ++c) {
        const std::size_t i = elements_.particle(c);
        Body& body = body_[i];
        elements_.predict(c, body.predicted, body.predicted_angular_velocity);
        if (!elements_.is_driven(c)) continue;
        const Vec3 moved = body.reference - packing_.position[i];
        CarrierPlace at{displacement_of(i), body.half, body.predicted, body.half_angular_velocity,
                        body.predicted_angular_velocity};
        const Vec3 before = at.displacement;
        elements_.place(c, ElementStepper::Step::present, at);
        for (double Vec3::*k : {&Vec3::x, &Vec3::y, &Vec3::z})
            if (at.displacement.*k != before.*k)
                body.displacement.*k = at.displacement.*k - moved.*k;
        body.half = at.half;
        body.predicted = at.predicted;
        body.half_angular_velocity = at.half_angular_velocity;
        body.predicted_angular_velocity = at.predicted_angular_velocity;
    }
}

void PlainPackingEngine::step_carriers(double dt) {
    elements_.pull_bonds(
        [&](std::size_t i) -> BondStepper::End {
            return {displacement_of(i), body_[i].half, body_[i].half_angular_velocity};
        },
        dt);
    for (std::size_t c = 0; c < carried_.size(); ++c) {
        const std::size_t i = elements_.particle(c);
        carried_[c] = elements_.step(c,
                                     {.displacement = displacement_of(i),
                                      .half = body_[i].half,
                                      .half_angular_velocity = body_[i].half_angular_velocity,
                                      .contact_force = force_[i],
                                      .contact_torque = torque_[i]},
                                     dt);
    }
}

void PlainPackingEngine::set_velocity_changes(std::size_t i) {
    if (packing_.is_fixed(i)) return;
    if (const std::uint32_t c = elements_.carrier_of(i); c != ElementStepper::none) {
        velocity_change_[i] = carried_[c].change;
        angular_velocity_change_[i] = carried_[c].angular_change;
        return;
    }
    const double m = packing_.mass[i];
    velocity_change_[i] = (force_[i] + m * packing_.gravity) * (0.5 * dt_ * (1.0 / m));
    if (box_.has_pistons()) velocity_change_[i] += (0.5 * dt_) * box_.push(from_lower(i));
    angular_velocity_change_[i] = torque_[i] * (0.5 * dt_ * (1.0 / packing_.inertia[i]));
}

void PlainPackingEngine::kick() {
    step_carriers(dt_);
    for (std::size_t i = 0; i < n_; ++i) {
        set_velocity_changes(i);
        velocity_[i] = body_[i].half + velocity_change_[i];
        angular_velocity_[i] = body_[i].half_angular_velocity + angular_velocity_change_[i];
    }
    for (std::size_t c = 0; c < carried_.size(); ++c) {
        velocity_[elements_.particle(c)] = carried_[c].velocity;
        angular_velocity_[elements_.particle(c)] = carried_[c].angular_velocity;
    }
    update_power();
    accounting_.power += accounting_.power_now;
    for (PlainAccount& account : accounts_.all())
        account.power += account.power_now;
    if (watches_impacts_) end_impacts();
}

void PlainPackingEngine::kick(std::span<const stepping::BodyForce<Vec3>> forces,
                              stepping::HalfStep half) {
    std::vector<Vec3> changes(dissipation_ ? n_ : 0);
    for (const auto& [particle, force] : forces) {
        if (packing_.is_fixed(particle)) continue;
        const std::uint32_t carrier = elements_.carrier_of(particle);
        Vec3 free = force;
        if (carrier != ElementStepper::none)
            free = elements_.external(carrier, force, velocity_[particle]);
        const Vec3 change = (0.5 * dt_ / packing_.mass[particle]) * free;
        if (half == stepping::HalfStep::first) {
            velocity_change_[particle] += change;
            continue;
        }
        velocity_[particle] += change;
        if (carrier != ElementStepper::none) elements_.change_velocity(carrier, change);
        // The step has counted the contacts' power without this change.
        const double power = dot(force_[particle], change);
        accounting_.power += power;
        accounting_.power_now += power;
        if (dissipation_) changes[particle] += change;
    }
    if (dissipation_) add_contact_power(changes, {}, 1.0);
}

void PlainPackingEngine::set_velocities(std::size_t particle, const Vec3& given,
                                        const Vec3& given_angular) {
    if (packing_.is_fixed(particle)) return;
    const std::uint32_t carrier = elements_.carrier_of(particle);
    Vec3 velocity = given, angular_velocity = given_angular;
    if (carrier != ElementStepper::none) {
        velocity = elements_.allowed(carrier, given, velocity_[particle]);
        if (!elements_.may_turn(carrier)) angular_velocity = angular_velocity_[particle];
        elements_.set_velocity(carrier, velocity - velocity_[particle], angular_velocity_[particle],
                               angular_velocity - angular_velocity_[particle]);
    }
    const Vec3 torque =
        (2.0 / dt_ * packing_.inertia[particle]) * angular_velocity_change_[particle];
    const double power = dot(force_[particle], velocity - velocity_[particle]) +
                         dot(torque, angular_velocity - angular_velocity_[particle]);
    // The trapezoidal sum of the contacts' power has half of this step before the change and half
    // after it.
    accounting_.power += 0.5 * power;
    accounting_.power_now += power;
    if (dissipation_) {
        std::vector<Vec3> change(n_), angular_change(n_);
        change[particle] = velocity - velocity_[particle];
        angular_change[particle] = angular_velocity - angular_velocity_[particle];
        add_contact_power(change, angular_change, 0.5);
    }
    velocity_[particle] = velocity;
    angular_velocity_[particle] = angular_velocity;
}

void PlainPackingEngine::record(ParticleTrace& trace, std::size_t row) const {
    for (std::size_t k = 0; k < trace.particles.size(); ++k) {
        const std::size_t at = row * trace.particles.size() + k;
        trace.force[at] = force_[trace.particles[k]];
        trace.velocity[at] = velocity_[trace.particles[k]];
    }
}

std::unique_ptr<PackingEngine> make_plain_packing_engine(const Packing& packing, double time_step,
                                                         ContactRecords records) {
    if (const std::string wrong = validate(packing); !wrong.empty())
        throw std::invalid_argument(wrong);
    if (packing.has_shapes())
        throw std::invalid_argument("the plain engine takes spheres; expected no semi-axes");
    if (packing.is_rigid())
        throw std::invalid_argument(
            "the plain engine takes laws of the catalogue; \"rigid\" is none");
    return std::make_unique<PackingEngine>(
        std::make_unique<PlainPackingEngine>(packing, time_step, records));
}

}  // namespace beadwave::packing
