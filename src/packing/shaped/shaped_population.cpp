// Ellipsoids and clumps come into the engine, and leave it.

#include "packing/elements/element_stepper.hpp"
#include "packing/shaped/shaped_packing_engine.hpp"
#include "simd/flush_subnormals.hpp"

#include <cstdint>
#include <numeric>
#include <vector>

namespace beadwave::packing {
namespace {

/// The rotation of a body, which the population does not know.
ElementTotals rotation_of(const ShapedParticle& particle) {
    ElementTotals rotation{};
    rotation.kinetic = particle.rotational_energy();
    rotation.angular_momentum = particle.momentum_in_space();
    return rotation;
}

}  // namespace

void ShapedPackingEngine::hold_absent() {
    if (!population_.changes()) return;
    const std::vector<char> held = population_.held();
    for (std::size_t i = 0; i < particle_.size(); ++i)
        particle_[i].held = held[i] != 0;
}

void ShapedPackingEngine::rest_at(ShapedParticle& particle, const Vec3& place) {
    particle.displacement = place - particle.start;
    particle.velocity = particle.velocity_change = {};
    particle.half = particle.predicted = particle.half_spin = particle.predicted_spin = {};
    particle.momentum = particle.force = particle.torque = {};
}

void ShapedPackingEngine::change_population() {
    const simd::FlushSubnormals flush;
    std::vector<Vec3> position(particle_.size());
    std::vector<std::uint32_t> all(particle_.size());
    std::iota(all.begin(), all.end(), 0U);
    for (std::size_t i = 0; i < particle_.size(); ++i)
        position[i] = place_of(i);
    const Exchange exchange = population_.exchange_at(
        step_, {.particles = all, .position = position}, loads_.displacements(), box_.now());
    if (exchange.empty()) return;
    // Forces are computed anew: the motion of the walls and of the box is that at this time.
    loads_.renew(time());
    box_.renew();

    std::vector<char> leaves(particle_.size(), false);
    for (const Leaving& leaving : exchange.leaving)
        leaves[leaving.particle] = true;
    bool some_closed = false;
    double normal = 0.0, sliding = 0.0, rolling = 0.0;
    for (std::size_t p = 0; p < pair_.size(); ++p) {
        const Sides sides = sides_of(p);
        if (leaves[sides.first] == 0 && leaves[sides.second] == 0) continue;
        some_closed = some_closed || touches(pair_[p]);
        normal += normal_energy(pair_[p]);
        sliding += sliding_energy(pair_[p]);
        if (rolls_) rolling += rolling_energy(pair_[p]);
        if (accounts_) accounts_->release(bodies_of(sides), energy_of(pair_[p]));
    }
    // As in the plain engine: what was stored in their contacts goes with them.
    initial_stored_ -= normal + sliding + rolling;
    accounting_.tangential -= sliding + rolling;
    accounting_.rolling -= rolling;
    population_.take_stored(normal + sliding + rolling);

    for (const Leaving& leaving : exchange.leaving) {
        ShapedParticle& particle = particle_[leaving.particle];
        population_.leave(step_, leaving, position[leaving.particle],
                          own_velocity(leaving.particle), {});
        population_.take(rotation_of(particle));
        rest_at(particle, position[leaving.particle]);
    }
    for (const Entering& entering : exchange.entering) {
        const std::size_t i = entering.particle;
        ShapedParticle& particle = particle_[i];
        population_.enter(step_, entering);
        rest_at(particle, entering.position);
        particle.velocity = population_.velocity(i);
        if (box_.strains()) particle.velocity += box_.affine_velocity(from_lower(i));
        particle.set_spin(population_.angular_velocity(i));
        population_.bring(rotation_of(particle));
    }
    hold_absent();
    for (const Entering& entering : exchange.entering)
        particle_[entering.particle].set_velocity_change(packing_.gravity, dt_);
    predict_current();
    rebuild_list();
    // The others feel no more forces of those that left, and the box none of what these carried.
    if (some_closed || box_.strains()) renew_forces();
}

void ShapedPackingEngine::renew_forces() {
    // The trapezoidal sum of the contacts' power has half of this step before the change and half
    // after it.
    const double before = accounting_.power_now;
    respond(0.0);
    end_box_step(0.0);
    accounting_.power_now = power_of_contacts();
    accounting_.power += 0.5 * (accounting_.power_now - before);
    if (accounts_) accounts_->renew_power(velocities());
    set_velocity_changes();
}

}  // namespace beadwave::packing
