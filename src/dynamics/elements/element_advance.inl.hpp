// A step of the elements of a row. Included by vector_code.cpp after element_step.inl.hpp.
//
// The sweep has left the half-step velocities of the next step without the forces of the elements.
// Those follow here, from the displacements after the step. Between the steps of a task the column
// of a resonator's velocity holds its half-step velocity. Stores limit the speed: if something
// dissipates, the half-step velocities go from one column to another and back, and a row of single
// resonators stores only the difference of the velocity changes of mass and bead.

namespace beadwave::dynamics::BEADWAVE_TARGET {

HWY_FLATTEN void start_elements(const ElementRow& row, const State& s, std::size_t length) {
    if (row.predicted != nullptr) {
        for (std::size_t i = 0; i < length; i += lane_count) {
            Vector change = Vector::load(s.velocity_change + i);
            if (row.single) {
                change -= Vector::load(row.resonators.front().velocity_change + i);
            } else {
                change += Vector::load(s.half + i) + Vector::load(row.half_rounding + i);
            }
            change.store(row.predicted + i);
        }
    }
    for (const ResonatorRow& r : row.resonators) {
        for (std::size_t i = 0; i < length; i += lane_count)
            (Vector::load(r.velocity + i) + Vector::load(r.velocity_change + i))
                .store(r.velocity + i);
    }
    for (std::size_t i = 0; i < length; i += lane_count)
        (Vector::load(s.half + i) + Vector::load(row.half_rounding + i)).store(s.half + i);
    if (row.bonds == nullptr) return;
    for (std::size_t i = 0; i < length; i += lane_count)
        elongation(*row.bonds, s.displacement, i).store(row.bonds->elongation + i);
}

/// Places the driven beads. As a driven wall, their half-step velocity stays zero, and laws use the
/// half-step velocity change as the velocity.
void begin_element_step(const ElementRow& row, const State& s, std::size_t step) {
    for (const DrivenRow& driven : row.driven) {
        const std::size_t i = driven.entry;
        const double velocity = driven.velocity[step];
        s.displacement[i] = driven.displacement[step];
        s.velocity_change[i] = velocity;
        s.half[i] = 0.0;
        if (row.predicted == nullptr) continue;
        // Its own change is zero, so that of its resonator is left.
        row.predicted[i] = row.single ? velocity + row.predicted[i] : velocity;
    }
}

/// The resonators of one slot.
template <bool cubic, bool damped, bool uniform>
struct Resonators {
    HWY_INLINE explicit Resonators(const ResonatorRow& row)
        : springs(row.spring),
          kick(row.kick),
          displacement(row.displacement),
          velocity(row.velocity),
          velocity_change(row.velocity_change) {}

    /// A step of the masses of a block.
    struct Step {
        Vector displacement, pull, change, velocity;  // pull: of the beads on the masses
        HWY_INLINE Step() {}
    };
    /// `u`: of the beads; speed(half): theirs over that of the masses, for the dashpots.
    template <class Speed>
    HWY_INLINE Step step(std::size_t i, Vector dt, Vector u, const Speed& speed) const {
        Step step;
        const Vector half = Vector::load(velocity + i);
        step.displacement = multiply_add(dt, half, Vector::load(displacement + i));
        step.pull = springs.force(i, u - step.displacement, speed(half));
        step.change = step.pull * kick.at(i);
        step.velocity = half + step.change;
        return step;
    }
    HWY_INLINE void store(std::size_t i, const Step& step, bool change, bool last) const {
        step.displacement.store(displacement + i);
        if (change) step.change.store(velocity_change + i);
        (last ? step.velocity : step.velocity + step.change).store(velocity + i);
    }

    Springs<cubic, damped, uniform> springs;
    Numbers<uniform> kick;
    double *displacement, *velocity, *velocity_change;
};

/// The slot of a row with one slot of resonators; 0 for a row without resonators.
template <class Slot, bool single>
HWY_INLINE auto only_slot(const ElementRow& row) {
    if constexpr (single) {
        return Slot(row.resonators.front());
    } else {
        return 0;
    }
}

/// The numbers that a step of the elements also stores.
struct StoredToo {
    bool last;           ///< the last step of a task
    bool force;          ///< on the beads
    bool change;         ///< the half-step velocity change of the beads
    bool contact_power;  ///< the power of contacts that dissipate
};

/// `single`: see ElementRow.
template <bool cubic, bool damped, bool uniform, bool single>
HWY_FLATTEN void step_elements(const ElementRow& row, const Parameters& p, const State& state,
                               std::size_t begin, std::size_t end, const StoredToo& stored) {
    const State s = state;
    const bool last = stored.last, store_force = stored.force, store_change = stored.change;
    const bool follows_contacts = stored.contact_power;
    const bool has_pairs = !row.pairs.empty(), has_ground = row.grounded;
    const Vector dt(p.time_step), common_kick(*p.kick);
    using Slot = Resonators<cubic, damped, uniform>;
    [[maybe_unused]] const auto only = only_slot<Slot, single>(row);
    const Springs<cubic, damped && !single, uniform> ground(row.ground);
    double *const predictions = row.predicted, *const powers = row.power, *const forces = row.force;
    for (std::size_t i = begin; i < end; i += lane_count) {
        const Vector u = Vector::load(s.displacement + i);
        // What is needed again is loaded once, before the first store.
        const Vector swept = Vector::load(s.half_after + i);
        Vector before, predicted, power, force;
        if (damped || follows_contacts) before = Vector::load(s.half + i);
        if constexpr (damped) {
            predicted = Vector::load(predictions + i);
            power = Vector::load(powers + i);
        }
        if (has_ground) force -= ground.force(i, u, predicted);
        if (has_pairs) force += Vector::load(row.pairs_on_bead + i);
        [[maybe_unused]] const Vector others = force;
        [[maybe_unused]] typename Slot::Step mass;
        if constexpr (single) {
            mass = only.step(i, dt, u, [&](Vector half) HWY_ATTR {
                return damped ? before - half + predicted : Vector();
            });
            only.store(i, mass, last, last);
            force -= mass.pull;
        } else {
            for (const ResonatorRow& each : row.resonators) {
                const Slot slot(each);
                const auto step = slot.step(i, dt, u, [&](Vector half) HWY_ATTR {
                    return damped ? predicted - (half + Vector::load(each.velocity_change + i))
                                  : Vector();
                });
                slot.store(i, step, damped || last, last);
                if constexpr (damped) power = multiply_add(step.pull, step.velocity, power);
                force -= step.pull;
            }
            if (row.bonds != nullptr) {
                const double* const tension = row.bonds->tension;
                force += Vector::load(tension + i + 1) - Vector::load(tension + i);
            }
        }
        const Vector kick = p.uniform ? common_kick : Vector::load(p.kick + i);
        const Vector change = force * kick;
        const Vector after = multiply_add(Vector(2.0), change, swept);
        Vector whole;
        if (store_change) whole = Vector::load(s.velocity_change + i) + change;
        if (damped || follows_contacts) {
            const Vector twice_own = swept - before;  // by contacts, gravity and loads
            if (follows_contacts) {
                const Vector contacts = twice_own * 0.5 - of_row(p, p.body_force, i) * kick;
                multiply_add(contacts, force, Vector::load(s.power + i)).store(s.power + i);
            }
            whole = multiply_add(Vector(0.5), twice_own, change);
            if constexpr (damped) {
                const Vector velocity = before + whole;
                if constexpr (single) {
                    power = multiply_add(mass.pull, mass.velocity - velocity, power);
                    if (has_ground || has_pairs) power = multiply_add(others, velocity, power);
                } else {
                    power = multiply_add(force, velocity, power);
                }
                power.store(powers + i);
                (single ? whole - mass.change : after + whole).store(predictions + i);
            }
        }
        after.store(s.half + i);
        if (store_force) force.store(forces + i);
        if (store_change) whole.store(s.velocity_change + i);
        if (HWY_UNLIKELY(last)) {
            const Vector velocity = Vector::load(s.velocity + i) + change;
            velocity.store(s.velocity + i);
            (after - (velocity + whole)).store(row.half_rounding + i);
        }
    }
}

/// Calls function.operator()<cubic, damped, uniform, single>().
template <class Function>
HWY_INLINE void choose_terms(const ElementRow& row, const Function& function) {
    const auto with = [&]<bool cubic, bool damped, bool uniform>() HWY_ATTR {
        row.single ? function.template operator()<cubic, damped, uniform, true>()
                   : function.template operator()<cubic, damped, uniform, false>();
    };
    const auto with_uniform = [&]<bool cubic, bool damped>() HWY_ATTR {
        row.uniform ? with.template operator()<cubic, damped, true>()
                    : with.template operator()<cubic, damped, false>();
    };
    if (row.cubic) {
        row.damped ? with_uniform.template operator()<true, true>()
                   : with_uniform.template operator()<true, false>();
    } else {
        row.damped ? with_uniform.template operator()<false, true>()
                   : with_uniform.template operator()<false, false>();
    }
}

/// A load over time: as a contact force without a contact.
void add_load(const Parameters& p, const State& s, const LoadRow& load, std::size_t step) {
    const std::size_t i = load.entry;
    const double kick = p.uniform ? *p.kick : p.kick[i], change = load.force[step] * kick;
    if (s.power != nullptr) {
        const double own = 0.5 * (s.half_after[i] - s.half[i]);
        const double contacts = own - (p.uniform ? *p.body_force : p.body_force[i]) * kick;
        s.power[i] += contacts * load.force[step];
    }
    s.half_after[i] += 2.0 * change;
    s.velocity[i] += change;
    s.velocity_change[i] += change;
    if (load.displacement != nullptr) load.displacement[step] = s.displacement[i];
}

void end_element_step(const ElementRow& row, const Parameters& p, const TileTask& task,
                      std::size_t begin, std::size_t end, std::size_t step, bool uses_speed) {
    const State& s = task.state;
    const bool last = static_cast<std::int64_t>(step) + 1 == task.steps;
    const bool force_is_read = !task.sensors.empty() || !row.driven.empty() || !row.loads.empty();
    for (const LoadRow& load : row.loads)
        add_load(p, s, load, step);
    if (!row.pairs.empty()) add_up_pairs(row, s, begin, end);
    if (row.bonds != nullptr) {
        step_bonds(*row.bonds, s, row.damped ? row.predicted : nullptr, begin, end,
                   row.bonds->steps_done + static_cast<double>(step) + 1.0);
    }
    const StoredToo stored{.last = last,
                           .force = last || force_is_read,
                           .change = last || uses_speed,
                           .contact_power = s.power != nullptr};
    choose_terms(row, [&]<bool cubic, bool damped, bool uniform, bool single>() HWY_ATTR {
        step_elements<cubic, damped, uniform, single>(row, p, s, begin, end, stored);
    });
    const auto kick = [&](std::size_t i) { return p.uniform ? *p.kick : p.kick[i]; };
    for (const LoadRow& load : row.loads) {
        // step_elements() has taken the load for a contact.
        if (s.power != nullptr)
            s.power[load.entry] -= load.force[step] * kick(load.entry) * row.force[load.entry];
    }
    for (const TileSensor& sensor : task.sensors) {
        const std::size_t i = sensor.bead - task.first;
        if (!last) s.velocity[i] += kick(i) * row.force[i];
    }
    for (const DrivenRow& driven : row.driven) {
        const std::size_t i = driven.entry;
        s.velocity[i] = driven.velocity[step];
        if (driven.contact_force == nullptr) continue;
        driven.contact_force[step] = s.force[i] - s.force[i + 1];
        driven.element_force[step] = row.force[i];
    }
}

}  // namespace beadwave::dynamics::BEADWAVE_TARGET
