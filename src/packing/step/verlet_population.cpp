// Particles come into the packing, and leave it.

#include "packing/flow/carried_exchange.hpp"
#include "packing/step/verlet_backend.hpp"
#include "simd/flush_subnormals.hpp"

#include <cstdint>
#include <numeric>
#include <vector>

namespace beadwave::packing {

void VerletBackend::change_population() {
    const simd::FlushSubnormals flush;
    Population& population = around_.population;
    std::vector<Vec3> position(count());
    std::vector<std::uint32_t> all(count());
    std::iota(all.begin(), all.end(), 0U);
    for (std::size_t i = 0; i < count(); ++i)
        position[i] = place_of(i);
    const Exchange exchange =
        population.exchange_at(around_.step, {.particles = all, .position = position},
                               around_.loads.displacements(), around_.box.now());
    if (exchange.empty()) return;
    // Forces are computed anew: the motion of the walls and of the box is that at this time.
    around_.loads.renew(time());
    around_.box.renew();

    std::vector<char> leaves(count(), false);
    for (const Leaving& leaving : exchange.leaving)
        leaves[leaving.particle] = true;
    const bool some_closed = release_pairs(leaves);
    release_bonds(around_.elements, population, leaves);
    for (const Leaving& leaving : exchange.leaving) {
        const std::size_t i = leaving.particle;
        take_carried(around_.elements, population, i, displacement_of(i));
        population.leave(around_.step, leaving, position[i], own_velocity(i), spin_of(i));
        population.take(more_of_rotation(i));
        rest_at(i, position[i]);
    }
    for (const Entering& entering : exchange.entering) {
        const std::size_t i = entering.particle;
        population.enter(around_.step, entering);
        rest_at(i, entering.position);
        Vec3& velocity = views().velocity[i];
        velocity = population.velocity(i);
        if (around_.box.strains()) velocity += around_.box.affine_velocity(from_lower(i));
        set_spin(i, population.angular_velocity(i));
        bring_carried(around_.elements, population, i, displacement_of(i));
        population.bring(more_of_rotation(i));
    }
    hold_absent();
    for (const Entering& entering : exchange.entering)
        set_velocity_change(entering.particle);
    predict_current();
    rebuild_list();
    // The others feel no more forces of those that left, and the box none of what these carried.
    if (some_closed || around_.elements.any() || around_.box.strains()) renew_forces();
}

bool VerletBackend::release_pairs(const std::vector<char>& leaves) {
    bool some_closed = false;
    double normal = 0.0, sliding = 0.0, rolling = 0.0;
    for (std::size_t p = 0; p < listed_pairs(); ++p) {
        const auto [first, second] = particles_of(p);
        if (leaves[first] == 0 && leaves[second] == 0) continue;
        some_closed = some_closed || touches(p);
        const Stored stored = stored_in(p);
        normal += stored.normal;
        sliding += stored.sliding;
        rolling += stored.rolling;
        if (accounts_) accounts_->release(bodies_of(p), energy_of(p));
    }
    // What was stored in their contacts goes with them; nothing of it was dissipated. The work on
    // tangential springs is subtracted where the normal law's dissipation is computed: without
    // theirs it would be too large.
    ledger_.initial_stored -= normal + sliding + rolling;
    ledger_.tangential -= sliding + rolling;
    ledger_.rolling -= rolling;
    around_.population.take_stored(normal + sliding + rolling);
    return some_closed;
}

void VerletBackend::predict_current() {
    const ParticleViews<Vec3> now = views();
    for (std::size_t i = 0; i < count(); ++i) {
        now.half[i] = now.predicted[i] = now.velocity[i];
        now.half_spin[i] = now.predicted_spin[i] = spin_of(i);
    }
}

void VerletBackend::renew_forces() {
    // The trapezoidal sum of the contacts' power has half of this step before the change and half
    // after it.
    const double before = ledger_.power_now;
    respond(0.0);
    ElementStepper& elements = around_.elements;
    for (std::size_t c = 0; c < elements.carriers(); ++c) {
        const std::size_t i = elements.particle(c);
        elements.predict(c, views().velocity[i], spin_of(i));
    }
    end_box_step(0.0);
    step_carriers(0.0);
    ledger_.power_now = power_of_contacts();
    ledger_.power += 0.5 * (ledger_.power_now - before);
    if (accounts_) accounts_->take_changed_power(velocities());
    for (std::size_t i = 0; i < count(); ++i)
        set_velocity_change(i);
}

}  // namespace beadwave::packing
