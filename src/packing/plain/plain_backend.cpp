#include "plain_backend.hpp"

#include "packing/packing_engine.hpp"
#include "simd/flush_subnormals.hpp"

#include <cmath>
#include <stdexcept>

namespace beadwave::packing {

PlainBackend::PlainBackend(const Packing& packing, double dt, ContactRecords records)
    : VerletBackend(packing, dt, records, AccountsOfPairs::Sums::of_contacts),
      n_(packing.particles()),
      body_(n_),
      velocity_(packing.velocity),
      angular_velocity_(packing.angular_velocity),
      velocity_change_(n_),
      angular_velocity_change_(n_),
      force_(n_),
      torque_(n_),
      rims_(packing_.walls),
      rim_ghosts_(rims_),
      carried_(around_.elements.carriers()) {
    const simd::FlushSubnormals flush;
    hold_absent();
    for (std::size_t i = 0; i < n_; ++i) {
        if (around_.population.is_absent(i))
            velocity_[i] = angular_velocity_[i] = {};
        else if (around_.box.strains())
            velocity_[i] += around_.box.affine_velocity(packing.position[i] - packing.box.lower);
        body_[i] = {.reference = packing.position[i],
                    .displacement = {},
                    .half = velocity_[i],
                    .predicted = velocity_[i],
                    .half_angular_velocity = angular_velocity_[i],
                    .predicted_angular_velocity = angular_velocity_[i],
                    .radius = packing.radius[i]};
    }
    adopt_list();
    start();
}

template <class Vector, class Self>
ParticleViews<Vector> PlainBackend::views_of(Self& self) {
    auto* const bodies = self.body_.data();
    const auto of_bodies = [&](Vec3 Body::*member) { return EachVector<Vector>(bodies, member); };
    return {.velocity = EachVector<Vector>(self.velocity_),
            .velocity_change = EachVector<Vector>(self.velocity_change_),
            .force = EachVector<Vector>(self.force_),
            .torque = EachVector<Vector>(self.torque_),
            .half = of_bodies(&Body::half),
            .predicted = of_bodies(&Body::predicted),
            .half_spin = of_bodies(&Body::half_angular_velocity),
            .predicted_spin = of_bodies(&Body::predicted_angular_velocity)};
}

ParticleViews<Vec3> PlainBackend::views() {
    return views_of<Vec3>(*this);
}

ParticleViews<const Vec3> PlainBackend::views() const {
    return views_of<const Vec3>(*this);
}

Vec3 PlainBackend::displacement_of(std::size_t i) const {
    return (body_[i].reference - packing_.position[i]) + body_[i].displacement;
}

Vec3 PlainBackend::from_lower(std::size_t i) const {
    return (body_[i].reference - packing_.box.lower) + body_[i].displacement;
}

Vec3 PlainBackend::torque_of(std::size_t i) const {
    return (2.0 / dt_ * packing_.inertia[i]) * angular_velocity_change_[i];
}

VerletBackend::Rotation PlainBackend::rotation_of(std::size_t i) const {
    const Vec3& spin = angular_velocity_[i];
    return {0.5 * packing_.inertia[i] * dot(spin, spin), packing_.inertia[i] * spin};
}

void PlainBackend::rest_at(std::size_t i, const Vec3& place) {
    body_[i].reference = place;
    body_[i].displacement = {};
    velocity_[i] = angular_velocity_[i] = {};
    force_[i] = torque_[i] = {};
    velocity_change_[i] = angular_velocity_change_[i] = {};
}

bool PlainBackend::is_finite(std::size_t i) const {
    const auto finite = [](const Vec3& v) { return std::isfinite(dot(v, v)); };
    return finite(body_[i].displacement) && finite(body_[i].reference) && finite(velocity_[i]) &&
           finite(angular_velocity_[i]) && finite(velocity_change_[i]) &&
           finite(angular_velocity_change_[i]);
}

void PlainBackend::drift() {
    for (std::size_t i = 0; i < n_; ++i) {
        Body& body = body_[i];
        body.half = velocity_[i] + velocity_change_[i];
        body.displacement += dt_ * body.half;
        body.predicted = body.half + velocity_change_[i];
        body.half_angular_velocity = angular_velocity_[i] + angular_velocity_change_[i];
        body.predicted_angular_velocity = body.half_angular_velocity + angular_velocity_change_[i];
    }
    place_carriers();
}

void PlainBackend::place_carriers() {
    for (std::size_t c = 0; c < around_.elements.carriers(); ++c) {
        const std::size_t i = around_.elements.particle(c);
        Body& body = body_[i];
        around_.elements.predict(c, body.predicted, body.predicted_angular_velocity);
        if (!around_.elements.is_driven(c)) continue;
        const Vec3 moved = body.reference - packing_.position[i];
        CarrierPlace at{displacement_of(i), body.half, body.predicted, body.half_angular_velocity,
                        body.predicted_angular_velocity};
        const Vec3 before = at.displacement;
        around_.elements.place(c, ElementStepper::Step::present, at);
        for (double Vec3::*k : {&Vec3::x, &Vec3::y, &Vec3::z})
            if (at.displacement.*k != before.*k)
                body.displacement.*k = at.displacement.*k - moved.*k;
        body.half = at.half;
        body.predicted = at.predicted;
        body.half_angular_velocity = at.half_angular_velocity;
        body.predicted_angular_velocity = at.predicted_angular_velocity;
    }
}

void PlainBackend::step_carriers(double dt) {
    around_.elements.pull_bonds(
        [&](std::size_t i) -> BondStepper::End {
            return {displacement_of(i), body_[i].half, body_[i].half_angular_velocity};
        },
        dt);
    for (std::size_t c = 0; c < carried_.size(); ++c) {
        const std::size_t i = around_.elements.particle(c);
        carried_[c] =
            around_.elements.step(c,
                                  {.displacement = displacement_of(i),
                                   .half = body_[i].half,
                                   .half_angular_velocity = body_[i].half_angular_velocity,
                                   .contact_force = force_[i],
                                   .contact_torque = torque_[i]},
                                  dt);
    }
}

void PlainBackend::set_velocity_change(std::size_t i) {
    if (packing_.is_fixed(i)) return;
    if (const std::uint32_t c = around_.elements.carrier_of(i); c != ElementStepper::none) {
        velocity_change_[i] = carried_[c].change;
        angular_velocity_change_[i] = carried_[c].angular_change;
        return;
    }
    const double m = packing_.mass[i];
    velocity_change_[i] = (force_[i] + m * packing_.gravity) * (0.5 * dt_ * (1.0 / m));
    if (around_.box.has_pistons())
        velocity_change_[i] += (0.5 * dt_) * around_.box.push(from_lower(i));
    angular_velocity_change_[i] = torque_[i] * (0.5 * dt_ * (1.0 / packing_.inertia[i]));
}

void PlainBackend::finish_velocities() {
    step_carriers(dt_);
    for (std::size_t i = 0; i < n_; ++i) {
        set_velocity_change(i);
        velocity_[i] = body_[i].half + velocity_change_[i];
        angular_velocity_[i] = body_[i].half_angular_velocity + angular_velocity_change_[i];
    }
    for (std::size_t c = 0; c < carried_.size(); ++c) {
        velocity_[around_.elements.particle(c)] = carried_[c].velocity;
        angular_velocity_[around_.elements.particle(c)] = carried_[c].angular_velocity;
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
        std::make_unique<PlainBackend>(packing, time_step, records));
}

}  // namespace beadwave::packing
