// Particles come into the plain engine, and leave it.

#include "packing/flow/carried_exchange.hpp"
#include "plain_packing_engine.hpp"
#include "simd/flush_subnormals.hpp"

#include <cstdint>
#include <numeric>
#include <vector>

namespace beadwave::packing {

void PlainPackingEngine::change_population() {
    const simd::FlushSubnormals flush;
    std::vector<Vec3> position(n_);
    std::vector<std::uint32_t> all(n_);
    std::iota(all.begin(), all.end(), 0U);
    for (std::size_t i = 0; i < n_; ++i)
        position[i] = body_[i].reference + body_[i].displacement;
    const Exchange exchange = population_.exchange_at(
        step_, {.particles = all, .position = position}, loads_.displacements(), box_.now());
    if (exchange.empty()) return;
    // Forces are computed anew: the motion of the walls and of the box is that at this time.
    loads_.renew(time());
    box_.renew();

    std::vector<char> leaves(n_, false);
    for (const Leaving& leaving : exchange.leaving)
        leaves[leaving.particle] = true;
    const auto has_left = [&](std::uint32_t body) {
        return leaves[body < n_ ? body : list_.ghosts[body - n_].of] != 0;
    };
    bool some_closed = false;
    double normal = 0.0, sliding = 0.0, rolling = 0.0;
    for (std::size_t p = 0; p < pair_.size(); ++p) {
        if (!has_left(list_.first[p]) && !has_left(list_.second[p])) continue;
        some_closed = some_closed || touches(pair_[p]);
        normal += normal_energy(pair_[p]);
        sliding += sliding_energy(pair_[p]);
        rolling += rolling_energy(pair_[p]);
        if (dissipation_) release_account(p);
    }
    // What was stored in their contacts goes with them; nothing of it was dissipated. The work on
    // tangential springs is subtracted where the normal law's dissipation is computed: without
    // theirs it would be too large.
    initial_stored_ -= normal + sliding + rolling;
    accounting_.tangential -= sliding + rolling;
    accounting_.rolling -= rolling;
    population_.take_stored(normal + sliding + rolling);

    const auto place_at_rest = [&](std::size_t i, const Vec3& place) {
        body_[i].reference = place;
        body_[i].displacement = {};
        velocity_[i] = angular_velocity_[i] = {};
        force_[i] = torque_[i] = {};
        velocity_change_[i] = angular_velocity_change_[i] = {};
    };
    release_bonds(elements_, population_, leaves);
    for (const Leaving& leaving : exchange.leaving) {
        const std::size_t i = leaving.particle;
        take_carried(elements_, population_, i, displacement_of(i));
        population_.leave(step_, leaving, position[i], own_velocity(i), angular_velocity_[i]);
        place_at_rest(i, position[i]);
    }
    for (const Entering& entering : exchange.entering) {
        const std::size_t i = entering.particle;
        population_.enter(step_, entering);
        place_at_rest(i, entering.position);
        velocity_[i] = population_.velocity(i);
        if (box_.strains()) velocity_[i] += box_.affine_velocity(from_lower(i));
        angular_velocity_[i] = population_.angular_velocity(i);
        bring_carried(elements_, population_, i, displacement_of(i));
    }
    around_.hold_absent();
    for (const Entering& entering : exchange.entering)
        set_velocity_changes(entering.particle);

    predict_current();
    rebuild_list();
    // The others feel no more forces of those that left, and the box none of what these carried.
    if (some_closed || elements_.any() || box_.strains()) renew_forces();
}

void PlainPackingEngine::predict_current() {
    for (std::size_t i = 0; i < n_; ++i) {
        body_[i].half = body_[i].predicted = velocity_[i];
        body_[i].half_angular_velocity = body_[i].predicted_angular_velocity = angular_velocity_[i];
    }
}

void PlainPackingEngine::renew_forces() {
    // The trapezoidal sum of the contacts' power has half of this step before the change and half
    // after it.
    const double before = accounting_.power_now;
    std::vector<double> before_of;
    for (const PlainAccount& account : accounts_.all())
        before_of.push_back(account.power_now);
    respond(0.0);
    for (std::size_t c = 0; c < carried_.size(); ++c) {
        const std::size_t i = elements_.particle(c);
        elements_.predict(c, velocity_[i], angular_velocity_[i]);
    }
    end_box_step(0.0);
    step_carriers(0.0);
    update_power();
    accounting_.power += 0.5 * (accounting_.power_now - before);
    before_of.resize(accounts_.all().size());  // others touch for the first time
    for (std::size_t k = 0; k < before_of.size(); ++k)
        accounts_.all()[k].power += 0.5 * (accounts_.all()[k].power_now - before_of[k]);
    for (std::size_t i = 0; i < n_; ++i)
        set_velocity_changes(i);
}

}  // namespace beadwave::packing
