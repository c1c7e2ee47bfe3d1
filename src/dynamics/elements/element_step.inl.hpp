// A step of the elements of a row. Included by vector_code.cpp.
//
// The sweep has left the half-step velocities of the next step without the forces of the elements.
// Those follow here, from the displacements after the step. Between the steps of a task the column
// of a resonator's velocity holds its half-step velocity.

namespace beadwave::dynamics::BEADWAVE_TARGET {

template <bool uniform>
HWY_INLINE Vector number_at(const double* numbers, std::size_t i) {
    return uniform ? Vector(*numbers) : Vector::load(numbers + i);
}

/// k x + k_3 x^3 + c v
template <bool cubic, bool damped, bool uniform>
HWY_INLINE Vector spring_force(const SpringRow& spring, std::size_t i, Vector x, Vector speed) {
    Vector stiffness = number_at<uniform>(spring.stiffness, i);
    if constexpr (cubic)
        stiffness = multiply_add(number_at<uniform>(spring.cubic, i), x * x, stiffness);
    Vector force = stiffness * x;
    if constexpr (damped) force = multiply_add(number_at<uniform>(spring.damping, i), speed, force);
    return force;
}

/// Calls function.operator()<cubic, damped, uniform>().
template <class Function>
HWY_INLINE void choose_terms(const ElementRow& row, const Function& function) {
    const auto with = [&]<bool uniform>() HWY_ATTR {
        if (row.cubic) {
            row.damped ? function.template operator()<true, true, uniform>()
                       : function.template operator()<true, false, uniform>();
        } else {
            row.damped ? function.template operator()<false, true, uniform>()
                       : function.template operator()<false, false, uniform>();
        }
    };
    row.uniform ? with.template operator()<true>() : with.template operator()<false>();
}

/// `numbers` at the entries before those of a block, whose own numbers are `here`; 0 before entry
/// 0.
HWY_INLINE Vector to_left(const double* numbers, std::size_t i, Vector here) {
    return moved_up(i > 0 ? Vector::load(numbers + i - lane_count) : Vector(), here);
}

/// The elongation that has a force, as BondColumns has it.
HWY_INLINE Vector elongation(const BondRow& bonds, const double* displacement, std::size_t i) {
    const Vector here = Vector::load(displacement + i);
    const Vector x = here - to_left(displacement, i, here) + Vector::load(bonds.stretch + i);
    return select(x < Vector(), x * Vector::load(bonds.pushes + i), x);
}

/// Of bonds that are intact.
HWY_INLINE Vector tension(const BondRow& bonds, std::size_t i, Vector elongation,
                          const double* speed) {
    const Vector pull = Vector::load(bonds.stiffness + i) * elongation;
    if (speed == nullptr) return pull;
    const Vector here = Vector::load(speed + i);
    const Vector damped =
        multiply_add(Vector::load(bonds.damping + i), here - to_left(speed, i, here), pull);
    return select(elongation > Vector() || Vector::load(bonds.pushes + i) > Vector(), damped, pull);
}

/// In the present state.
HWY_INLINE Vector present_tension(const BondRow& bonds, const State& s, std::size_t i,
                                  bool moving) {
    const Vector now =
        tension(bonds, i, elongation(bonds, s.displacement, i), moving ? s.velocity : nullptr);
    return select(Vector::load(bonds.broken_at + i) == Vector(), now, Vector());
}

/// The tensions of the bonds [begin, end) after step number `step`, and which of them break in it.
HWY_FLATTEN void step_bonds(const BondRow& bonds, const State& s, const double* predicted,
                            std::size_t begin, std::size_t end, double step) {
    for (std::size_t i = begin; i < end; i += lane_count) {
        const Vector before = Vector::load(bonds.elongation + i);
        const Vector x = elongation(bonds, s.displacement, i);
        x.store(bonds.elongation + i);
        const Vector stiffness = Vector::load(bonds.stiffness + i);
        const Mask intact = Vector::load(bonds.broken_at + i) == Vector();
        const Mask breaks = intact && stiffness * x > Vector::load(bonds.strength + i);
        if (HWY_UNLIKELY(any(breaks))) {
            select(breaks, Vector(step), Vector::load(bonds.broken_at + i))
                .store(bonds.broken_at + i);
            select(breaks, Vector(0.5) * stiffness * x * before,
                   Vector::load(bonds.broken_energy + i))
                .store(bonds.broken_energy + i);
        }
        select(intact && !breaks, tension(bonds, i, x, predicted), Vector())
            .store(bonds.tension + i);
    }
    Vector().store(bonds.tension + end);
}

/// The forces of the pairs on the beads [begin, end) of the row, from the displacements.
HWY_FLATTEN inline void add_up_pairs(const ElementRow& row, const State& s, std::size_t begin,
                                     std::size_t end) {
    for (std::size_t i = begin; i < end; i += lane_count)
        Vector().store(row.pairs_on_bead + i);
    const std::size_t from = begin - std::min(begin, block_beads);
    for (const PairRow& pair : row.pairs) {
        const laws::PairLaw law = *pair.law;
        const double* const displaced = s.displacement + pair.neighbour;
        for (std::size_t i = from; i < end; i += lane_count) {
            const Vector strength = Vector::load(pair.strength + i);
            const Vector apart = Vector::load(displaced + i) - Vector::load(s.displacement + i);
            const Vector force = law.force(Vector::load(pair.spacing + i) + apart);
            select(strength != Vector(), strength * force, Vector()).store(row.pair_force + i);
        }
        const double* const from_left = row.pair_force - pair.neighbour;
        for (std::size_t i = begin; i < end; i += lane_count) {
            const Vector net = Vector::load(from_left + i) - Vector::load(row.pair_force + i);
            (Vector::load(row.pairs_on_bead + i) + net).store(row.pairs_on_bead + i);
        }
    }
}

/// The forces on the beads in the present state; `moving`: with the velocities, and the half-step
/// velocity change of the resonators.
template <bool uniform>
HWY_INLINE Vector present_force(const ElementRow& row, const State& s, std::size_t i, bool moving) {
    const Vector u = Vector::load(s.displacement + i);
    const Vector v = moving ? Vector::load(s.velocity + i) : Vector();
    Vector force = -spring_force<true, true, uniform>(row.ground, i, u, v);
    if (!row.pairs.empty()) force += Vector::load(row.pairs_on_bead + i);
    for (const ResonatorRow& r : row.resonators) {
        const Vector w = moving ? Vector::load(r.velocity + i) : Vector();
        const Vector pull = spring_force<true, true, uniform>(
            r.spring, i, u - Vector::load(r.displacement + i), v - w);
        if (moving) (pull * number_at<uniform>(r.kick, i)).store(r.velocity_change + i);
        force -= pull;
    }
    if (row.bonds != nullptr) {
        const Vector own = present_tension(*row.bonds, s, i, moving);
        const Vector next = present_tension(*row.bonds, s, i + lane_count, moving);
        force += moved_down(own, next) - own;
    }
    return force;
}

HWY_INLINE Vector of_row(const Parameters& p, const double* numbers, std::size_t i) {
    return p.uniform ? Vector(*numbers) : Vector::load(numbers + i);
}

HWY_FLATTEN void init_elements(const ElementRow& row, const Parameters& p, const State& s,
                               std::size_t begin, std::size_t end) {
    if (!row.pairs.empty()) add_up_pairs(row, s, begin, end);
    for (std::size_t i = begin; i < end; i += lane_count) {
        const Vector force = row.uniform ? present_force<true>(row, s, i, true)
                                         : present_force<false>(row, s, i, true);
        force.store(row.force + i);
        multiply_add(force, of_row(p, p.kick, i), Vector::load(s.velocity_change + i))
            .store(s.velocity_change + i);
    }
    for (const LoadRow& load : row.loads) {
        const double kick = p.uniform ? *p.kick : p.kick[load.entry];
        s.velocity_change[load.entry] += kick * *load.force;
    }
}

HWY_FLATTEN void start_elements(const ElementRow& row, const State& s, std::size_t length) {
    for (const ResonatorRow& r : row.resonators) {
        for (std::size_t i = 0; i < length; i += lane_count)
            (Vector::load(r.velocity + i) + Vector::load(r.velocity_change + i))
                .store(r.velocity + i);
    }
    for (std::size_t i = 0; i < length; i += lane_count) {
        const Vector half = Vector::load(s.half + i) + Vector::load(row.half_rounding + i);
        half.store(s.half + i);
        if (row.half_before == nullptr) continue;
        half.store(row.half_before + i);
        (half + Vector::load(s.velocity_change + i)).store(row.predicted + i);
    }
    if (row.bonds == nullptr) return;
    for (std::size_t i = 0; i < length; i += lane_count)
        elongation(*row.bonds, s.displacement, i).store(row.bonds->elongation + i);
}

/// Places the driven beads. As a driven wall, their half-step velocity stays zero, and laws use the
/// half-step velocity change as the velocity.
void begin_element_step(const ElementRow& row, const State& s, std::size_t step) {
    for (const DrivenRow& driven : row.driven) {
        s.displacement[driven.entry] = driven.displacement[step];
        s.velocity_change[driven.entry] = driven.velocity[step];
        s.half[driven.entry] = 0.0;
        if (row.half_before == nullptr) continue;
        row.half_before[driven.entry] = 0.0;
        row.predicted[driven.entry] = driven.velocity[step];
    }
}

template <bool cubic, bool damped, bool uniform>
HWY_FLATTEN void step_elements(const ElementRow& row, const Parameters& p, const State& s,
                               std::size_t begin, std::size_t end, bool last, bool store_force,
                               bool store_change) {
    const Vector dt(p.time_step);
    const bool follows_contacts = s.power != nullptr;  // their power needs the whole velocity
    const bool has_pairs = !row.pairs.empty();
    if (has_pairs) add_up_pairs(row, s, begin, end);
    for (std::size_t i = begin; i < end; i += lane_count) {
        const Vector u = Vector::load(s.displacement + i);
        Vector predicted, power;
        if constexpr (damped) predicted = Vector::load(row.predicted + i);
        Vector force = -spring_force<cubic, damped, uniform>(row.ground, i, u, predicted);
        if (has_pairs) force += Vector::load(row.pairs_on_bead + i);
        for (const ResonatorRow& r : row.resonators) {
            const Vector half = Vector::load(r.velocity + i);
            const Vector y = multiply_add(dt, half, Vector::load(r.displacement + i));
            y.store(r.displacement + i);
            Vector relative;
            if constexpr (damped)
                relative = predicted - (half + Vector::load(r.velocity_change + i));
            const Vector pull = spring_force<cubic, damped, uniform>(r.spring, i, u - y, relative);
            const Vector change = pull * number_at<uniform>(r.kick, i);
            const Vector velocity = half + change;
            if (damped || last) change.store(r.velocity_change + i);
            if constexpr (damped) power = multiply_add(pull, velocity, power);
            (last ? velocity : velocity + change).store(r.velocity + i);
            force -= pull;
        }
        if (row.bonds != nullptr) {
            const double* const tension = row.bonds->tension;
            force += Vector::load(tension + i + 1) - Vector::load(tension + i);
        }
        const Vector kick = of_row(p, p.kick, i);
        const Vector change = force * kick;
        const Vector half = Vector::load(s.half + i);
        const Vector after = half + (change + change);
        after.store(s.half + i);
        Vector whole;
        if (store_change) whole = Vector::load(s.velocity_change + i) + change;
        if (damped || follows_contacts) {
            const Vector before = Vector::load(row.half_before + i);
            const Vector own = (half - before) * 0.5;  // by contacts, gravity and loads
            if (follows_contacts) {
                const Vector contacts = own - of_row(p, p.body_force, i) * kick;
                multiply_add(contacts, force, Vector::load(s.power + i)).store(s.power + i);
            }
            whole = own + change;
            if constexpr (damped) {
                power = multiply_add(force, before + whole, power);
                (Vector::load(row.power + i) + power).store(row.power + i);
                (after + whole).store(row.predicted + i);
            }
            after.store(row.half_before + i);
        }
        if (store_force) force.store(row.force + i);
        if (store_change) whole.store(s.velocity_change + i);
        if (last) {
            const Vector velocity = Vector::load(s.velocity + i) + change;
            velocity.store(s.velocity + i);
            (after - (velocity + whole)).store(row.half_rounding + i);
        }
    }
}

/// A load over time: as a contact force without a contact.
void add_load(const ElementRow& row, const Parameters& p, const State& s, const LoadRow& load,
              std::size_t step) {
    const std::size_t i = load.entry;
    const double kick = p.uniform ? *p.kick : p.kick[i], change = load.force[step] * kick;
    if (s.power != nullptr) {
        const double own = 0.5 * (s.half[i] - row.half_before[i]);
        const double contacts = own - (p.uniform ? *p.body_force : p.body_force[i]) * kick;
        s.power[i] += contacts * load.force[step];
    }
    s.half[i] += 2.0 * change;
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
        add_load(row, p, s, load, step);
    if (row.bonds != nullptr) {
        step_bonds(*row.bonds, s, row.damped ? row.predicted : nullptr, begin, end,
                   row.bonds->steps_done + static_cast<double>(step) + 1.0);
    }
    choose_terms(row, [&]<bool cubic, bool damped, bool uniform>() HWY_ATTR {
        step_elements<cubic, damped, uniform>(row, p, s, begin, end, last, last || force_is_read,
                                              last || uses_speed);
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

HWY_FLATTEN bool elements_at_rest(const ElementRow& row, const State& s, std::size_t begin,
                                  std::size_t end) {
    if (!row.pairs.empty()) add_up_pairs(row, s, begin, end);
    bool still = true;
    for (std::size_t i = begin; i < end && still; i += lane_count) {
        still = !any(Vector::load(row.half_rounding + i) != Vector());
        for (const ResonatorRow& r : row.resonators) {
            still = still && same_bits(Vector::load(r.velocity + i), Vector()) &&
                    !any(Vector::load(r.velocity_change + i) != Vector()) &&
                    !any_minus_zero(Vector::load(r.displacement + i));
        }
        const Vector force = row.uniform ? present_force<true>(row, s, i, false)
                                         : present_force<false>(row, s, i, false);
        still = still && !any(force != Vector::load(row.force + i));
    }
    return still;
}

HWY_FLATTEN bool elements_finite(const ElementRow& row, std::size_t begin, std::size_t end) {
    Vector none;
    for (std::size_t i = begin; i < end; i += lane_count) {
        none += Vector::load(row.force + i) * 0.0;
        if (row.power != nullptr) none += Vector::load(row.power + i) * 0.0;
        for (const ResonatorRow& r : row.resonators) {
            none += Vector::load(r.displacement + i) * 0.0 + Vector::load(r.velocity + i) * 0.0 +
                    Vector::load(r.velocity_change + i) * 0.0;
        }
    }
    return !any(none != Vector());
}

}  // namespace beadwave::dynamics::BEADWAVE_TARGET
