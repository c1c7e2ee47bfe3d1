// The steps of the engine of rigid contacts.

#include "packing/rigid/rigid_backend.hpp"

#include "beadwave/argument_error.hpp"
#include "packing/vector_length.hpp"
#include "packing/walls/wall_motion.hpp"
#include "simd/flush_subnormals.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace beadwave::packing {

RigidBackend::RigidBackend(const Packing& packing, double dt)
    : PackingBackend(packing, dt),
      dt_(dt),
      skin_(skin_of(packing)),
      n_(packing.particles()),
      limits_{.tolerance = packing.law.number("solver_tolerance"),
              .iterations = static_cast<std::int64_t>(packing.law.number("solver_iterations"))},
      slow_(2.0 * dt * length_of(packing.gravity)),
      displacement_(n_),
      velocity_(packing.velocity),
      angular_velocity_(packing.angular_velocity),
      force_(n_),
      at_list_(n_),
      wall_at_list_(wall_displacements(packing.walls, 0.0)) {
    adopt_list();
    measure_pairs();
}

void RigidBackend::run(std::int64_t steps, ParticleTrace& trace, bool /*more*/) {
    const simd::FlushSubnormals flush;
    trace.make_rows(steps);
    for (std::int64_t s = 0; s < steps; ++s) {
        take_step();
        trace.fill(s, force_, velocity_);
    }
}

void RigidBackend::take_step() {
    measure_pairs();
    ++step_;
    loads_.begin_step(time());
    free_bodies();
    possible_contacts();
    const RigidSolution solution = solve_contacts(body_, contact_, limits_);
    sums_.iterations += static_cast<double>(solution.iterations);
    if (!solution.converged) {
        sums_.unconverged += 1.0;
        sums_.largest_change = std::max(sums_.largest_change, solution.change);
    }
    take_work();
    for (std::size_t i = 0; i < n_; ++i) {
        displacement_[i] += (0.5 * dt_) * (velocity_[i] + body_[i].velocity);
        velocity_[i] = body_[i].velocity;
        angular_velocity_[i] = body_[i].angular_velocity;
    }
    if (moved_too_far()) {
        report_.largest_leap = std::max(report_.largest_leap, largest_difference() - skin_);
        rebuild_list();
    }
}

void RigidBackend::free_bodies() {
    body_.assign(n_ + packing_.walls.size(), {});
    for (std::size_t i = 0; i < n_; ++i) {
        body_[i].velocity = velocity_[i];
        body_[i].angular_velocity = angular_velocity_[i];
        if (packing_.is_fixed(i)) continue;
        body_[i].mobility = 1.0 / packing_.mass[i];
        body_[i].turning = 1.0 / packing_.inertia[i];
    }
    for (std::size_t w = 0; w < packing_.walls.size(); ++w)
        body_[n_ + w].velocity = (1.0 / dt_) * loads_.moved(w);
    body_before_ = body_;
    for (std::size_t i = 0; i < n_; ++i)
        if (!packing_.is_fixed(i)) body_[i].velocity += dt_ * packing_.gravity;
}

std::optional<double> RigidBackend::bias_of(const Pair& pair, double radii, double speed) const {
    const double rounding = touching * radii;
    const double gap = pair.gap > rounding ? pair.gap : 0.0;
    if (pair.restitution > 0.0 && speed < -slow_) {
        if (gap + 0.5 * dt_ * speed > rounding) return std::nullopt;
        return pair.restitution * speed;
    }
    return std::max(gap / dt_, speed);
}

void RigidBackend::possible_contacts() {
    contact_.clear();
    pair_of_contact_.clear();
    for (std::size_t p = 0; p < pair_.size(); ++p) {
        const Pair& pair = pair_[p];
        const Sides sides = sides_of(p);
        const double distance = sides.radii + pair.gap;
        const double part = packing_.radius[sides.first] / sides.radii;
        RigidContact contact{.first = sides.first,
                             .second = sides.wall < 0 ? sides.second
                                                      : static_cast<std::uint32_t>(n_) +
                                                            static_cast<std::uint32_t>(sides.wall),
                             .normal = pair.normal,
                             .arm_1 = part * distance,
                             .arm_2 = (1.0 - part) * distance,
                             .friction = pair.friction};
        if (body_[contact.first].mobility + body_[contact.second].mobility == 0.0) continue;
        const double speed = dot(
            contact.apart(body_before_[contact.first], body_before_[contact.second]), pair.normal);
        const std::optional<double> bias = bias_of(pair, sides.radii, speed);
        if (!bias) continue;
        contact.bias = *bias;
        // The impulse of the last step turns with the normal.
        const double normal = std::max(0.0, dot(pair.impulse, pair.normal));
        contact.impulse = normal > 0.0 ? pair.impulse : Vec3{};
        contact_.push_back(contact);
        pair_of_contact_.push_back(p);
    }
    for (Pair& pair : pair_)
        pair.impulse = {};
}

void RigidBackend::take_work() {
    std::ranges::fill(force_, Vec3{});
    for (std::size_t k = 0; k < contact_.size(); ++k) {
        const RigidContact& contact = contact_[k];
        const Vec3& impulse = contact.impulse;
        pair_[pair_of_contact_[k]].impulse = impulse;
        if (impulse == Vec3{}) continue;
        const std::uint32_t a = contact.first, b = contact.second;
        const Vec3 mean = 0.5 * (contact.apart(body_before_[a], body_before_[b]) +
                                 contact.apart(body_[a], body_[b]));
        const double normal = dot(impulse, contact.normal) * dot(mean, contact.normal);
        sums_.normal -= normal;
        sums_.friction -= dot(impulse, mean) - normal;
        force_[a] -= (1.0 / dt_) * impulse;
        if (b < n_)
            force_[b] += (1.0 / dt_) * impulse;
        else
            sums_.walls -= dot(impulse, body_[b].velocity);
    }
}

void RigidBackend::sample(ParticleTrace& trace) const {
    trace.make_rows(1);
    trace.fill(0, force_, velocity_);
}

void RigidBackend::kick(std::span<const stepping::BodyForce<Vec3>> /*forces*/,
                        stepping::HalfStep /*half*/) {
    throw ArgumentError(
        "external forces do not act on particles with rigid contacts yet; expected a law of the "
        "catalogue");
}

void RigidBackend::set_velocities(std::size_t particle, const Vec3& velocity,
                                  const Vec3& angular_velocity) {
    if (packing_.is_fixed(particle)) return;
    velocity_[particle] = velocity;
    angular_velocity_[particle] = angular_velocity;
}

std::unique_ptr<PackingEngine> make_rigid_packing_engine(const Packing& packing, double time_step) {
    if (const std::string wrong = validate(packing); !wrong.empty())
        throw std::invalid_argument(wrong);
    if (!packing.is_rigid())
        throw std::invalid_argument("the engine of rigid contacts takes the law \"rigid\"");
    return std::make_unique<PackingEngine>(std::make_unique<RigidBackend>(packing, time_step));
}

}  // namespace beadwave::packing
