// The steps of the engine of ellipsoids.

#include "packing/shaped/shaped_backend.hpp"

#include "ranks/communicator.hpp"
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

ShapedBackend::ShapedBackend(const Packing& packing, double dt, int threads, ContactRecords records,
                             ranks::Communicator* ranks)
    : VerletBackend(packing, dt, records, AccountsOfPairs::Sums::of_pairs),
      threads_(threads),
      ranks_(ranks != nullptr && !ranks->alone() ? ranks : nullptr),
      particle_(particles_at_start(packing)),
      carried_(around_.elements.carriers()),
      member_(members_at_start(packing)),
      at_list_(packing.particles()),
      curved_(std::ranges::any_of(
          packing.walls,
          [](const Wall& wall) { return !std::holds_alternative<Plane>(wall.shape); })),
      rims_(packing_.walls),
      rim_ghosts_(rims_) {
    const simd::FlushSubnormals flush;
    for (const ShapedMember& member : member_) {
        place_at_list_.push_back(member.place);
        shape_.emplace_back(as_member(particle_[member.body], member).shape_at({}));
    }
    hold_absent();
    for (std::size_t c = 0; c < carried_.size(); ++c)
        particle_[around_.elements.particle(c)].guided = !around_.elements.may_turn(c);
    for (std::size_t i = 0; i < particle_.size(); ++i) {
        ShapedParticle& particle = particle_[i];
        if (around_.population.is_absent(i)) {
            rest_at(i, particle.start);
        } else if (around_.box.strains()) {
            particle.velocity += around_.box.affine_velocity(from_lower(i));
            particle.half = particle.predicted = particle.velocity;
        }
    }
    adopt_list();
    start();
}

template <class Vector, class Self>
ParticleViews<Vector> ShapedBackend::views_of(Self& self) {
    auto* const particles = self.particle_.data();
    const auto of = [&](Vec3 ShapedParticle::*member) {
        return EachVector<Vector>(particles, member);
    };
    using P = ShapedParticle;
    return {.velocity = of(&P::velocity),
            .velocity_change = of(&P::velocity_change),
            .force = of(&P::force),
            .torque = of(&P::torque),
            .half = of(&P::half),
            .predicted = of(&P::predicted),
            .half_spin = of(&P::half_spin),
            .predicted_spin = of(&P::predicted_spin)};
}

ParticleViews<Vec3> ShapedBackend::views() {
    return views_of<Vec3>(*this);
}

ParticleViews<const Vec3> ShapedBackend::views() const {
    return views_of<const Vec3>(*this);
}

ElementTotals ShapedBackend::more_of_rotation(std::size_t i) const {
    ElementTotals rotation{};
    rotation.kinetic = particle_[i].rotational_energy();
    rotation.angular_momentum = particle_[i].momentum_in_space();
    return rotation;
}

void ShapedBackend::rest_at(std::size_t i, const Vec3& place) {
    ShapedParticle& particle = particle_[i];
    particle.displacement = place - particle.start;
    particle.velocity = particle.velocity_change = {};
    particle.half = particle.predicted = particle.half_spin = particle.predicted_spin = {};
    particle.momentum = particle.force = particle.torque = particle.twist = {};
}

void ShapedBackend::hold_absent() {
    VerletBackend::hold_absent();
    for (std::size_t i = 0; i < particle_.size(); ++i)
        particle_[i].held = packing_.is_held(i);
}

void ShapedBackend::drift() {
    for (ShapedParticle& particle : particle_)
        particle.drift(dt_);
    place_carriers();
    turn_members();
}

void ShapedBackend::set_velocity_change(std::size_t i) {
    ShapedParticle& particle = particle_[i];
    if (const std::uint32_t c = around_.elements.carrier_of(i); c != ElementStepper::none) {
        particle.velocity_change = carried_[c].change;
        particle.twist = (0.5 * dt_) * carried_[c].torque;
        return;
    }
    particle.set_velocity_change(packing_.gravity, dt_);
    if (around_.box.has_pistons() && !particle.held)
        particle.velocity_change += (0.5 * dt_) * around_.box.push(from_lower(i));
}

void ShapedBackend::finish_velocities() {
    step_carriers(dt_);
    for (std::size_t i = 0; i < particle_.size(); ++i) {
        set_velocity_change(i);
        particle_[i].kick();
    }
    for (std::size_t c = 0; c < carried_.size(); ++c) {
        ShapedParticle& particle = particle_[around_.elements.particle(c)];
        particle.velocity = carried_[c].velocity;
        if (particle.guided) particle.set_spin(carried_[c].angular_velocity);
    }
}

void ShapedBackend::turn_members() {
    for (std::size_t m = 0; m < member_.size(); ++m) {
        ShapedMember& member = member_[m];
        const shapes::Quaternion& orientation = particle_[member.body].orientation;
        if (member.of_clump) member.place = to_space(orientation, member.centre);
        if (!member.is_ball()) shape_[m].turn(orientation);
    }
}

void ShapedBackend::place_carriers() {
    for (std::size_t c = 0; c < carried_.size(); ++c) {
        ShapedParticle& p = particle_[around_.elements.particle(c)];
        around_.elements.predict(c, p.predicted, p.predicted_spin);
        if (!around_.elements.is_driven(c)) continue;
        CarrierPlace at{p.displacement, p.half, p.predicted, p.half_spin, p.predicted_spin};
        around_.elements.place(c, ElementStepper::Step::present, at);
        p.displacement = at.displacement;
        p.half = at.half;
        p.predicted = at.predicted;
        p.half_spin = at.half_angular_velocity;
        p.predicted_spin = at.predicted_angular_velocity;
        if (!p.guided) continue;
        p.orientation = turned(p.orientation, dt_ * p.half_spin);
        p.set_spin(p.predicted_spin);
    }
}

void ShapedBackend::step_carriers(double dt) {
    around_.elements.pull_bonds(
        [&](std::size_t i) -> BondStepper::End {
            const ShapedParticle& p = particle_[i];
            return {p.displacement, p.half, p.half_spin, p.given_orientation()};
        },
        dt);
    for (std::size_t c = 0; c < carried_.size(); ++c) {
        const ShapedParticle& p = particle_[around_.elements.particle(c)];
        carried_[c] = around_.elements.step(c,
                                            {.displacement = p.displacement,
                                             .half = p.half,
                                             .half_angular_velocity = p.spin(),
                                             .contact_force = p.force,
                                             .contact_torque = p.torque,
                                             .axes = p.orientation},
                                            dt);
    }
}

BackendReport ShapedBackend::report() const {
    BackendReport all = VerletBackend::report();
    all.uncertain_normals = static_cast<std::int64_t>(uncertain_normals_);
    all.flat_contacts = static_cast<std::int64_t>(flat_contacts_);
    return all;
}

std::vector<shapes::Quaternion> ShapedBackend::orientation() const {
    std::vector<shapes::Quaternion> all;
    for (const ShapedParticle& particle : particle_)
        all.push_back(particle.given_orientation());
    return all;
}

}  // namespace beadwave::packing
