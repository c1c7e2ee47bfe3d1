// Particles come into the fast engine, and leave it. All ranks change the population alike.

#include "fast_packing_engine.hpp"
#include "packing/flow/carried_exchange.hpp"
#include "simd/flush_subnormals.hpp"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

namespace beadwave::packing {
namespace {

/// The energies that a pair had stored, and 1 if it was closed.
struct StoredInPair {
    double number;  ///< in the order of all ranks
    double normal, tangential, closed;
};

}  // namespace

bool FastPackingEngine::forget_pairs(const std::vector<char>& leaves) {
    const auto has_left = [&](std::uint32_t body) {
        return leaves[bodies_.id(bodies_.particle_of(body))] != 0;
    };
    const std::span<const std::uint32_t> home = contacts_.home();
    std::vector<StoredInPair> stored;
    for (std::size_t p = 0; p < home.size(); ++p) {
        const std::uint32_t e = home[p];
        if (!has_left(contacts_.entries.first[e]) && !has_left(contacts_.entries.second[e]))
            continue;
        if (keeps_accounts())
            works_->release(e, contacts_.energy(e, contacts_.geometry(e).overlap));
        const double tangential = contacts_.tangential_energy(e);
        // The work on tangential springs is subtracted where the normal law's dissipation is
        // computed: without theirs it would be too large.
        bodies_.tangential_work(contacts_.entries.first[e]) -= tangential;
        if (laws_.rolls)
            bodies_.rolling_work()[contacts_.entries.first[e]] -= contacts_.rolling_energy(e);
        stored.push_back({static_cast<double>(sums_.pair_number(p)), contacts_.normal_energy(e),
                          tangential,
                          contacts_.touches(e, contacts_.geometry(e).overlap) ? 1.0 : 0.0});
    }
    if (share_.shared()) {
        std::vector<StoredInPair> all;
        for (const auto& theirs : share_.ranks().gather_numbers_to_all<StoredInPair>(stored))
            all.insert(all.end(), theirs.begin(), theirs.end());
        std::ranges::sort(all, {}, &StoredInPair::number);
        stored = std::move(all);
    }
    bool some_closed = false;
    for (const StoredInPair& pair : stored) {
        // What was stored in their contacts goes with them; nothing of it was dissipated.
        initial_.stored -= pair.normal + pair.tangential;
        population_.take_stored(pair.normal + pair.tangential);
        some_closed = some_closed || pair.closed != 0.0;
    }
    return some_closed;
}

void FastPackingEngine::renew_forces() {
    elements_.take_velocities();
    step_all_blocks(true, 0.0, nullptr);
    for (std::size_t i = share_.begin(); i < share_.end(); ++i) {
        bodies_.tangential_work(i) += bodies_.change(i)[3];
        bodies_.clear_work_of_change(i);
    }
}

void FastPackingEngine::renew_forces_after(double power_before, std::size_t particle) {
    renew_forces();
    end_box_step(0.0, false);
    // The trapezoidal sum of the contacts' power has half of this step before the change and half
    // after it.
    const double change = power_now() - power_before;
    if (const std::uint32_t i = bodies_.body_of(particle); share_.has(i))
        bodies_.power(i) += 0.5 * change;
}

Exchange FastPackingEngine::next_exchange() {
    std::vector<Vec3> position;
    position.reserve(share_.end() - share_.begin());
    for (std::size_t i = share_.begin(); i < share_.end(); ++i)
        position.push_back(bodies_.position(i));
    const auto own = std::span(bodies_.ids()).subspan(share_.begin(), position.size());
    return population_.exchange_at(step_,
                                   {.particles = own,
                                    .position = position,
                                    .ranks = share_.shared() ? &share_.ranks() : nullptr},
                                   walls_.loads.displacements(), box_.now());
}

void FastPackingEngine::change_population() {
    const simd::FlushSubnormals flush;
    const Exchange exchange = next_exchange();
    if (exchange.empty()) return;
    near_.restore();
    if (works_) works_->settle();
    // Forces are computed anew: the motion of the walls and of the box is that at this time.
    walls_.loads.renew(time());
    box_.renew();

    std::vector<char> leaves(particles(), false);
    std::vector<Vec3> motions;  // place, velocity and angular velocity
    for (const Leaving& leaving : exchange.leaving) {
        const std::uint32_t i = bodies_.body_of(leaving.particle);
        leaves[leaving.particle] = true;
        const bool known = share_.has(i);
        motions.push_back(known ? bodies_.position(i) : Vec3{});
        motions.push_back(known ? own_velocity(i) : Vec3{});
        motions.push_back(known ? bodies_.angular_velocity(i) : Vec3{});
    }
    if (share_.shared() && !motions.empty()) share_rows(share_.ranks(), motions);
    elements_.all();
    const auto displacement = [&](std::size_t particle, const Vec3& at) {
        return at - packing_.position[particle];
    };
    release_bonds(elements_.stepper, population_, leaves);
    update_ghosts();
    const bool some_closed = !motions.empty() && forget_pairs(leaves);
    const bool renew = some_closed || elements_.any() || box_.strains();
    const double power_before = renew ? power_now() : 0.0;

    const auto place_at_rest = [&](std::size_t i, const Vec3& at) {
        if (i == BlockShare::none) return;
        put(bodies_.place(i) + 4, at);
        put(bodies_.place(i), {});
        for (double* const motion : {bodies_.half(i), bodies_.change(i)}) {
            put(motion, {});
            put(motion + 4, {});
        }
    };
    const Vec3* motion = motions.data();
    for (const Leaving& leaving : exchange.leaving) {
        const std::size_t particle = leaving.particle;
        take_carried(elements_.stepper, population_, particle, displacement(particle, motion[0]));
        population_.leave(step_, leaving, motion[0], motion[1], motion[2]);
        place_at_rest(bodies_.body_of(particle), motion[0]);
        motion += 3;
    }
    for (const Entering& entering : exchange.entering) {
        const std::size_t particle = entering.particle;
        population_.enter(step_, entering);
        bring_carried(elements_.stepper, population_, particle,
                      displacement(particle, entering.position));
        const std::uint32_t i = bodies_.body_of(particle);
        if (i == BlockShare::none) continue;
        place_at_rest(i, entering.position);
        const Vec3 affine = box_.affine_velocity(entering.position - packing_.box.lower);
        bodies_.set_velocity(i, population_.velocity(particle) + affine);
        bodies_.set_rim(i, bodies_.radius(i) * population_.angular_velocity(particle));
        bodies_.set_velocity_change(i, (0.5 * dt_) * packing_.gravity);
    }
    around_.hold_absent();
    bodies_.predict_present();
    rebuild_list();
    // The others feel no more forces of those that left, and the box none of what these carried.
    if (renew)
        renew_forces_after(power_before, exchange.leaving.empty()
                                             ? exchange.entering.front().particle
                                             : exchange.leaving.front().particle);
}

}  // namespace beadwave::packing
