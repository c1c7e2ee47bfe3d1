// The forces of what beads carry, with derivatives. Included by vector_code.cpp.
//
// The numbers follow the elements of the tiled engine operation by operation
// (dynamics/elements/element_advance.inl.hpp). A bond that breaks, and a damped bond for tension
// only that becomes taut or slack, change their tension with a jump. As for contacts, the
// derivatives contain the change of the instant (tangent/tangent_jumps.inl.hpp).

namespace beadwave::dynamics::tangent::BEADWAVE_TARGET {

/// k x + k_3 x^3 + c v.
HWY_INLINE Dual spring_force(const TangentElementRow& e, const TangentSprings& spring, bool damped,
                             std::size_t i, std::size_t stride, const Dual& x, const Dual& speed) {
    Dual secant = Dual::load(spring.stiffness + i, stride);
    if (e.cubic) secant = multiply_add(Dual::load(spring.cubic + i, stride), x * x, secant);
    Dual force = secant * x;
    if (damped) force = multiply_add(Dual::load(spring.damping + i, stride), speed, force);
    return force;
}

/// `column` at the entries before those of a block, whose own are `here`; 0 before entry 0.
HWY_INLINE Dual to_left(const double* column, std::size_t i, std::size_t stride, const Dual& here) {
    Dual before;
    if (i > 0) before = Dual::load(column + i - register_lanes, stride);
    return moved_up(before, here);
}

/// F(r) / A with the derivatives by r, r0, p and R.
HWY_INLINE Dual pair_force(const TangentPairs& pair, const Dual& r) {
    const laws::PairLaw law = *pair.law;
    const Register force = law.force(r.value);
    const RegisterMask within = r.value < Register(law.range());
    const Register lost(pair.power_at_range);
    const Register power = force + lost;  // (r0/r)^p
    const Register p(law.exponent());
    const Register by_distance = p * force / Register(law.distance());
    const bool ends = law.range() < laws::PairLaw::no_range;
    const Register by_range = ends ? p * lost / Register(law.range()) : Register();
    const Dual exponent = Dual::fill(pair.exponent);
    Register by_exponent;
    if (any(varies(exponent))) {
        const Register distance(law.distance());
        by_exponent = power * log(distance / r.value);
        if (ends) by_exponent -= lost * log(distance / Register(law.range()));
    }
    const Dual distance = Dual::fill(pair.distance), range = Dual::fill(pair.range);
    Dual result(force);
    for (std::size_t k = 0; k < tangent_directions; ++k) {
        const Register along = -p / r.value * power * r.along[k] + by_distance * distance.along[k] +
                               by_exponent * exponent.along[k] + by_range * range.along[k];
        result.along[k] = select(within, along, Register());
    }
    return result;
}

/// The forces of the pairs on all beads, from the displacements.
HWY_NOINLINE HWY_FLATTEN void add_up_pairs(const TangentRow& row, const TangentElementRow& e) {
    const std::size_t stride = row.stride;
    for (std::size_t i = 0; i < row.length; i += register_lanes)
        Dual().store(e.pairs_on_bead + i, stride);
    for (const TangentPairs& pair : e.pairs) {
        const double* const displaced = row.displacement + pair.neighbour;
        for (std::size_t i = 0; i < row.length; i += register_lanes) {
            const Dual strength = Dual::load(pair.strength + i, stride);
            const Dual apart =
                Dual::load(displaced + i, stride) - Dual::load(row.displacement + i, stride);
            const Dual force = pair_force(pair, Dual::load(pair.spacing + i, stride) + apart);
            const RegisterMask acts = strength.value != Register() || varies(strength);
            select(acts, strength * force, Dual()).store(e.pair_force + i, stride);
        }
        const double* const from_left = e.pair_force - pair.neighbour;
        for (std::size_t i = 0; i < row.length; i += register_lanes) {
            const Dual net =
                Dual::load(from_left + i, stride) - Dual::load(e.pair_force + i, stride);
            (Dual::load(e.pairs_on_bead + i, stride) + net).store(e.pairs_on_bead + i, stride);
        }
    }
}

/// Bonds of a block in the present state.
struct BondBlock {
    Dual apart, elongation, speed, tension;
    Register stiffness;
    RegisterMask intact, breaks;
    HWY_INLINE BondBlock() {}
};

/// `speed(i)`: of the beads of a block.
template <class Speed>
HWY_INLINE BondBlock bonds_at(const TangentRow& row, const TangentElementRow& e, std::size_t i,
                              const Speed& speed) {
    const TangentBonds& bonds = *e.bonds;
    const std::size_t stride = row.stride;
    BondBlock block;
    const Dual here = Dual::load(row.displacement + i, stride);
    block.apart =
        here - to_left(row.displacement, i, stride, here) + Dual::load(bonds.stretch + i, stride);
    const Register pushes = Register::load(bonds.pushes + i);
    block.elongation = select(block.apart < Dual(0.0), block.apart * Dual(pushes), block.apart);
    const Dual stiffness = Dual::load(bonds.stiffness + i, stride);
    block.stiffness = stiffness.value;
    block.tension = stiffness * block.elongation;
    if (e.damped) {
        const Dual own = speed(i);
        Dual before;
        if (i > 0) before = speed(i - register_lanes);
        block.speed = own - moved_up(before, own);
        const Dual damped =
            multiply_add(Dual::load(bonds.damping + i, stride), block.speed, block.tension);
        block.tension = select(block.elongation.value > Register() || pushes > Register(), damped,
                               block.tension);
    }
    block.intact = Register::load(bonds.broken + i) == Register();
    block.breaks = block.intact &&
                   block.stiffness * block.elongation.value > Register::load(bonds.strength + i);
    return block;
}

/// The blows of bonds that break, become taut or become slack in this step. That of a contact
/// pushes its beads apart, a tension pulls them together.
HWY_NOINLINE HWY_FLATTEN void strike_bonds(const TangentRow& row, const TangentElementRow& e,
                                           std::size_t i, const BondBlock& now) {
    const TangentBonds& bonds = *e.bonds;
    const std::size_t stride = row.stride;
    const Dual before = Dual::load(bonds.apart + i, stride);
    const Register moved = now.apart.value - before.value;
    const Register rate = moved / Register(row.time_step);
    const RegisterMask moves = abs(rate) > Register(slowest_passage);
    const Register pushes = Register::load(bonds.pushes + i);
    const Dual stiffness = Dual::load(bonds.stiffness + i, stride);
    const Dual strength = Dual::load(bonds.strength + i, stride);
    const RegisterMask breaks = now.breaks && moves;
    // At the elongation strength / k, where the tension ends.
    const Dual limit = select(breaks, strength, Dual(0.0)) / select(breaks, stiffness, Dual(1.0));
    const Register damping = Register::load(bonds.damping + i);
    const Register broken = strength.value + damping * now.speed.value;
    // At zero, where a damped bond for tension only begins or ends to pull.
    const RegisterMask turns = now.intact && !breaks && moves && pushes == Register() &&
                               passed(before.value, now.apart.value, Register());
    const Register turned = damping * abs(rate);
    const auto place = [&](const Dual& at, std::size_t d) HWY_ATTR {
        const Register part = (now.apart.value - at.value) / moved;
        return now.apart.along[d] - part * (now.apart.along[d] - before.along[d]) - at.along[d];
    };
    Dual blow = Dual::load(row.blow + i, stride);
    for (std::size_t d = 0; d < tangent_directions; ++d) {
        blow.along[d] += select(breaks, broken * place(limit, d) / rate, Register());
        blow.along[d] -= select(turns, turned * place(Dual(0.0), d) / rate, Register());
    }
    blow.store(row.blow + i, stride);
    select(now.breaks, Register(1.0), Register::load(bonds.broken + i)).store(bonds.broken + i);
}

/// The tensions after a step, and which bonds break in it. Returns whether there are blows.
HWY_NOINLINE HWY_FLATTEN bool step_bonds(const TangentRow& row, const TangentElementRow& e) {
    const TangentBonds& bonds = *e.bonds;
    const std::size_t stride = row.stride;
    const auto predicted = [&](std::size_t i) HWY_ATTR {
        return Dual::load(row.half + i, stride) + Dual::load(e.last_change + i, stride);
    };
    bool struck = false;
    for (std::size_t i = 0; i < row.length; i += register_lanes) {
        const BondBlock now = bonds_at(row, e, i, predicted);
        const RegisterMask turns =
            Register::load(bonds.pushes + i) == Register() &&
            passed(Register::load(bonds.apart + i), now.apart.value, Register());
        if (HWY_UNLIKELY(any(now.breaks || turns))) {
            strike_bonds(row, e, i, now);
            struck = true;
        }
        now.apart.store(bonds.apart + i, stride);
        select(now.intact && !now.breaks, now.tension, Dual()).store(bonds.tension + i, stride);
    }
    return struck;
}

/// (dt/2) acceleration of the loads, added to a column twice or once.
HWY_INLINE void add_loads(const TangentRow& row, const TangentElementRow& e, double* column,
                          double times) {
    for (const TangentLoad& load : e.loads) {
        const auto at = [&](const double* of, std::size_t part)
                            HWY_ATTR { return of[part * row.stride + load.entry]; };
        for (std::size_t part = 0; part <= tangent_directions; ++part) {
            double change = load.force[part] * at(row.kick, 0);
            if (part > 0) change += load.force[0] * at(row.kick, part);
            column[part * row.stride + load.entry] += times * change;
        }
    }
}

HWY_FLATTEN void init_elements(const TangentRow& row, const TangentElementRow& e) {
    const std::size_t stride = row.stride;
    const auto velocity = [&](std::size_t i) HWY_ATTR { return Dual::load(row.half + i, stride); };
    if (!e.pairs.empty()) add_up_pairs(row, e);
    for (std::size_t i = 0; e.bonds != nullptr && i < row.length; i += register_lanes) {
        const BondBlock now = bonds_at(row, e, i, velocity);
        now.apart.store(e.bonds->apart + i, stride);
        now.tension.store(e.bonds->tension + i, stride);
    }
    for (std::size_t i = 0; i < row.length; i += register_lanes) {
        const Dual u = Dual::load(row.displacement + i, stride), v = velocity(i);
        Dual force = -spring_force(e, e.ground, e.damped, i, stride, u, v);
        if (!e.pairs.empty()) force += Dual::load(e.pairs_on_bead + i, stride);
        for (const TangentResonators& r : e.resonators) {
            const Dual w = Dual::load(r.half + i, stride);
            const Dual pull = spring_force(e, r.spring, e.damped, i, stride,
                                           u - Dual::load(r.displacement + i, stride), v - w);
            const Dual change = pull * Dual::load(r.kick + i, stride);
            change.store(r.velocity_change + i, stride);
            (w + change).store(r.half + i, stride);
            force -= pull;
        }
        if (e.bonds != nullptr) {
            force += Dual::load(e.bonds->tension + i + 1, stride) -
                     Dual::load(e.bonds->tension + i, stride);
        }
        multiply_add(force, Dual::load(row.kick + i, stride),
                     Dual::load(row.velocity_change + i, stride))
            .store(row.velocity_change + i, stride);
    }
    add_loads(row, e, row.velocity_change, 1.0);
    for (std::size_t i = 0; i < row.length; i += register_lanes)
        Dual::load(row.velocity_change + i, stride).store(e.last_change + i, stride);
}

/// A step of the masses of a block; returns the pull of the beads on them. `speed(half)`: of the
/// beads over that of the masses.
template <class Speed>
HWY_INLINE Dual step_resonators(const TangentRow& row, const TangentElementRow& e,
                                const TangentResonators& r, std::size_t i, const Dual& u,
                                const Speed& speed) {
    const std::size_t stride = row.stride;
    const Dual half = Dual::load(r.half + i, stride);
    Dual displacement = Dual::load(r.displacement + i, stride);
    const Register dt(row.time_step);
    displacement.value = multiply_add(dt, half.value, displacement.value);
    for (std::size_t k = 0; k < tangent_directions; ++k)
        displacement.along[k] = multiply_add(dt, half.along[k], displacement.along[k]);
    displacement.store(r.displacement + i, stride);
    const Dual pull = spring_force(e, r.spring, e.damped, i, stride, u - displacement, speed(half));
    const Dual change = pull * Dual::load(r.kick + i, stride);
    if (e.damped) change.store(r.velocity_change + i, stride);
    ((half + change) + change).store(r.half + i, stride);
    return pull;
}

HWY_FLATTEN bool step_elements(const TangentRow& row, const TangentElementRow& e) {
    const std::size_t stride = row.stride;
    add_loads(row, e, row.half_after, 2.0);
    if (!e.pairs.empty()) add_up_pairs(row, e);
    const bool struck = e.bonds != nullptr && step_bonds(row, e);
    for (std::size_t i = 0; i < row.length; i += register_lanes) {
        const Dual u = Dual::load(row.displacement + i, stride);
        const Dual swept = Dual::load(row.half_after + i, stride);
        Dual before, last_change, force;
        if (e.damped || e.uses_speed) before = Dual::load(row.half + i, stride);
        if (e.damped) last_change = Dual::load(e.last_change + i, stride);
        if (e.grounded)
            force -= spring_force(e, e.ground, e.ground_damped, i, stride, u, before + last_change);
        if (!e.pairs.empty()) force += Dual::load(e.pairs_on_bead + i, stride);
        for (const TangentResonators& r : e.resonators) {
            const Dual own_change = Dual::load(r.velocity_change + i, stride);
            force -= step_resonators(row, e, r, i, u, [&](const Dual& half) HWY_ATTR {
                return e.single ? before - half + (last_change - own_change)
                                : (before + last_change) - (half + own_change);
            });
        }
        if (e.bonds != nullptr) {
            force += Dual::load(e.bonds->tension + i + 1, stride) -
                     Dual::load(e.bonds->tension + i, stride);
        }
        const Dual change = force * Dual::load(row.kick + i, stride);
        if (e.damped || e.uses_speed) {
            const Dual whole = multiply_add(Dual(0.5), swept - before, change);
            if (e.damped) whole.store(e.last_change + i, stride);
            if (e.uses_speed) whole.store(row.velocity_change + i, stride);
        }
        multiply_add(Dual(2.0), change, swept).store(row.half + i, stride);
    }
    return struck;
}

}  // namespace beadwave::dynamics::tangent::BEADWAVE_TARGET
