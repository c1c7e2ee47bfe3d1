// A step of the elements of a row. Included by vector_code.cpp.
//
// The sweep has left the half-step velocities of the next step without the forces of the elements.
// Those follow here, from the displacements after the step. Between the steps of a task the column
// of a resonator's velocity holds its half-step velocity.

namespace beadwave::dynamics::BEADWAVE_TARGET {

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

/// The forces of bonds that are intact.
HWY_INLINE Vector tension(const BondRow& bonds, std::size_t i, Vector elongation,
                          const double* speed) {
    const Vector pull = Vector::load(bonds.stiffness + i) * elongation;
    if (speed == nullptr) return pull;
    const Vector here = Vector::load(speed + i);
    const Vector damped =
        multiply_add(Vector::load(bonds.damping + i), here - to_left(speed, i, here), pull);
    return select(elongation > Vector() || Vector::load(bonds.pushes + i) > Vector(), damped, pull);
}

/// The forces of bonds in the present state.
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
    using AnySprings = Springs<true, true, uniform>;
    Vector force = -AnySprings(row.ground).force(i, u, v);
    if (!row.pairs.empty()) force += Vector::load(row.pairs_on_bead + i);
    for (const ResonatorRow& r : row.resonators) {
        const Vector w = moving ? Vector::load(r.velocity + i) : Vector();
        const Vector pull =
            AnySprings(r.spring).force(i, u - Vector::load(r.displacement + i), v - w);
        if (moving) (pull * Numbers<uniform>(r.kick).at(i)).store(r.velocity_change + i);
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
