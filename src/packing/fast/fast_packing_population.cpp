// Particles come into the fast engine, and leave it.

#include "fast_packing_engine.hpp"
#include "simd/flush_subnormals.hpp"

namespace beadwave::packing {

bool FastPackingEngine::forget_pairs(const std::vector<char>& leaves) {
    const auto has_left = [&](std::uint32_t body) {
        return leaves[body < n_ ? body : list_.ghosts[body - n_].of] != 0;
    };
    bool some_closed = false;
    for (const std::uint32_t e : home_) {
        if (!has_left(first_[e]) && !has_left(second_[e])) continue;
        some_closed = some_closed || touches(e, geometry_of(e).overlap);
        const double normal = normal_energy(e), tangential = tangential_energy(e);
        // What was stored in their contacts goes with them; nothing of it was dissipated. The work
        // on tangential springs is subtracted where the normal law's dissipation is computed:
        // without theirs it would be too large.
        initial_stored_ -= normal + tangential;
        velocity(first_[e])[3] -= tangential;
        if (rolls_) rolling_work_[first_[e]] -= rolling_energy(e);
        population_.take_stored(normal + tangential);
    }
    return some_closed;
}

void FastPackingEngine::renew_forces() {
    step_all_blocks(true, 0.0, nullptr);
    for (std::size_t i = 0; i < n_; ++i) {
        velocity(i)[3] += velocity_change(i)[3];
        velocity_change(i)[3] = velocity_change(i)[7] = 0.0;
    }
}

void FastPackingEngine::change_population() {
    const simd::FlushSubnormals flush;
    std::vector<Vec3> position(n_);
    for (std::size_t i = 0; i < n_; ++i)
        position[id_[i]] = triple(place(i) + 4) + triple(place(i));
    const Exchange exchange = population_.exchange_at(step_, position, loads_.displacements());
    if (exchange.empty()) return;
    // Forces are computed anew: the motion of the walls is that at this time, as after a resume.
    loads_.restore(time());

    std::vector<char> leaves(n_, false);
    for (const Leaving& leaving : exchange.leaving)
        leaves[slot_[leaving.particle]] = true;
    update_ghosts();
    const bool some_closed = forget_pairs(leaves);
    const double power_before = some_closed ? power_now() : 0.0;

    const auto place_at_rest = [&](std::size_t i, const Vec3& at) {
        put(place(i) + 4, at);
        put(place(i), {});
        for (double* const motion : {velocity(i), velocity_change(i)}) {
            put(motion, {});
            put(motion + 4, {});
        }
    };
    for (const Leaving& leaving : exchange.leaving) {
        const std::size_t i = slot_[leaving.particle];
        population_.leave(step_, leaving, position[leaving.particle], triple(velocity(i)),
                          angular_velocity_of(static_cast<std::uint32_t>(i)));
        place_at_rest(i, position[leaving.particle]);
    }
    for (const Entering& entering : exchange.entering) {
        const std::size_t i = slot_[entering.particle];
        population_.enter(step_, entering);
        place_at_rest(i, entering.position);
        put(velocity(i), population_.velocity(entering.particle));
        put(velocity(i) + 4, place(i)[3] * population_.angular_velocity(entering.particle));
        put(velocity_change(i), (0.5 * dt_) * packing_.gravity);
    }
    packing_.fixed = population_.held();
    rebuild_list();
    if (!some_closed) return;
    // The others feel no more forces of those that left. The trapezoidal sum of the contacts' power
    // has half of this step before the change and half after it.
    renew_forces();
    velocity(slot_[exchange.leaving.front().particle])[7] += 0.5 * (power_now() - power_before);
}

}  // namespace beadwave::packing
