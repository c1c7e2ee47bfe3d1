// What is asked of a row between visits: first forces, gains, what rests and what is put to rest,
// whether all is finite. Included like vector_number.inl.hpp.

namespace beadwave::dynamics::BEADWAVE_TARGET {

template <class Law>
HWY_FLATTEN void touch(const Parameters& p, const Visit& row, std::size_t begin, std::size_t end) {
    const State& s = row.state;
    const AnyRow<Law> parameters(p);
    Vector left_displacement, left_velocity;
    if (row.left_wall.velocity != nullptr) left_velocity = Vector(*row.left_wall.velocity);
    if (begin > 0) {
        left_displacement = Vector::load(s.displacement + begin - lane_count);
        left_velocity = Vector::load(s.velocity + begin - lane_count);
    }
    for (std::size_t i = begin; i < end; i += lane_count) {
        const Vector displacement = Vector::load(s.displacement + i);
        const Vector velocity = Vector::load(s.velocity + i);
        const Vector overlap =
            moved_up(left_displacement, displacement) - displacement - Vector::load(p.gap + i);
        const Vector approach_speed = moved_up(left_velocity, velocity) - velocity;
        // Twice: a contact that starts closed has been loaded to where it is, and answers from now
        // on by its unloading path, which may differ from the loading path by a rounding.
        for (int time = 0; time < 2; ++time) {
            const auto [force, memory] = parameters.law(i).respond(
                overlap, approach_speed, load_record<typename Law::Memory>(s.memory, i));
            force.store(s.force + i);
            store_record(memory, s.memory, i);
        }
        left_displacement = displacement;
        left_velocity = velocity;
    }
}

template <class Law>
HWY_FLATTEN void settle(const Parameters& p, const Visit& row, std::size_t begin, std::size_t end) {
    const State& s = row.state;
    const AnyRow<Law> parameters(p);
    for (std::size_t i = begin; i < end; i += lane_count) {
        const Vector net = Vector::load(s.force + i) - Vector::load(s.force + i + 1);
        parameters.gain(i, net).store(s.gain + i);
    }
}

/// Whether a block's velocity and gain are zero and its contacts' law, asked again without motion,
/// gives the same force and memory.
template <class Law>
HWY_FLATTEN bool rests(const Parameters& p, const State& s, std::size_t i,
                       Vector left_displacement) {
    const Vector displacement = Vector::load(s.displacement + i);
    if (!same_bits(Vector::load(s.velocity + i), Vector()) ||
        !same_bits(Vector::load(s.gain + i), Vector()) || any_minus_zero(displacement)) {
        return false;
    }
    const auto before = load_record<typename Law::Memory>(s.memory, i);
    const Vector overlap =
        moved_up(left_displacement, displacement) - displacement - Vector::load(p.gap + i);
    const auto [force, memory] = AnyRow<Law>(p).law(i).respond(overlap, Vector(), before);
    bool same = same_bits(force, Vector::load(s.force + i));
    laws::to_fields(memory, [&](std::size_t k, Vector value) HWY_ATTR {
        same = same && same_bits(value, Vector::load(s.memory[k] + i));
    });
    return same;
}

/// What a contact does to beads that stand still.
struct Hold {
    Vector force;     ///< on either [N]
    Vector rounding;  ///< what rounding may have added to it or taken [N]
    Vector energy;    ///< at least what it stores: no law's force falls with the overlap [J]
    HWY_INLINE Hold() {}
};

template <class Law>
HWY_INLINE Vector still_force(const Parameters& p, const State& s, std::size_t i, Vector overlap) {
    if constexpr (!asks_speed<Law>) return Vector::load(s.force + i);
    return AnyRow<Law>(p)
        .law(i)
        .respond(overlap, Vector(), load_record<typename Law::Memory>(s.memory, i))
        .force;
}

/// The numbers of the block before i; none before the first of a row, where a wall may be.
HWY_INLINE Vector before(const double* column, std::size_t i) {
    return i > 0 ? Vector::load(column + i - lane_count) : Vector();
}

template <class Law>
HWY_INLINE Hold hold(const Parameters& p, const State& s, std::size_t i) {
    constexpr double roundings = 4.0 * std::numeric_limits<double>::epsilon();
    const Vector right = Vector::load(s.displacement + i);
    const Vector left = moved_up(before(s.displacement, i), right);
    const Vector overlap = left - right - Vector::load(p.gap + i);
    Hold hold;
    hold.force = still_force<Law>(p, s, i, overlap);
    const Mask open = hold.force == Vector();
    const Vector force = abs(hold.force);
    const Vector stiffness = select(open, Vector(), force / abs(overlap));
    hold.rounding = (force + stiffness * (abs(left) + abs(right))) * roundings;
    hold.energy = select(open, Vector(), force * abs(overlap));
    return hold;
}

HWY_INLINE bool all(Mask mask) {
    return !any(!mask);
}

/// Puts a slow block to rest and books what it loses; whether it was one. Slow is a bead that does
/// not move faster than the tolerance and, were it left alone between its neighbours as they
/// stand, never would: because the forces on it balance, or because no force but its contacts' acts
/// on it and these store too little. Neither depends on the time step.
template <class Law>
HWY_FLATTEN bool put_to_rest(const Parameters& p, const Visit& row, std::size_t i, double tolerance,
                             Look& seen) {
    const State& s = row.state;
    const Vector velocity = Vector::load(s.velocity + i);
    if (!all(abs(velocity) <= Vector(tolerance))) return false;
    const AnyRow<Law> parameters(p);
    const Vector kick = parameters.kick(i), push = parameters.push(i);
    const Hold left = hold<Law>(p, s, i);
    Hold next;
    Vector next_force;
    if (i + lane_count < row.length) {
        next = hold<Law>(p, s, i + lane_count);
        next_force = Vector::load(s.force + i + lane_count);
    }
    const Vector net = left.force - moved_down(left.force, next.force);
    const Vector rounding = left.rounding + moved_down(left.rounding, next.rounding) +
                            abs(push) * (4.0 * std::numeric_limits<double>::epsilon());
    // E + m v^2/2 <= m (tolerance)^2/2, where kick = dt/(2 m).
    const Vector energy = left.energy + moved_down(left.energy, next.energy);
    const Mask weak = energy * kick <=
                      (Vector(tolerance * tolerance) - velocity * velocity) * (0.25 * p.time_step);
    const Mask held = kick == Vector();
    if (!all(held || abs(net + push) <= rounding || (weak && push == Vector()))) return false;

    alignas(64) double v[lane_count], k[lane_count];
    velocity.store(v);
    kick.store(k);
    for (std::size_t lane = 0; lane < lane_count; ++lane) {
        if (k[lane] == 0.0 || v[lane] == 0.0) continue;
        const double mass = 0.5 * p.time_step / k[lane];
        seen.discarded_energy += 0.5 * mass * v[lane] * v[lane];
        seen.discarded_momentum += mass * v[lane];
    }
    if constexpr (!Law::conservative) {
        // The contacts' power on the bead ends here: half of it belongs to the time to come.
        const Vector force = Vector::load(s.force + i);
        const Vector power = (force - moved_down(force, next_force)) * velocity;
        (Vector::load(s.power + i) - power * 0.5).store(s.power + i);
    }
    Vector().store(s.velocity + i);
    Vector().store(s.gain + i);
    return true;
}

/// Beads that were put to rest wait for the next wave as they are: their contacts bear what they
/// bear without motion, and the next step begins with what those do to them.
template <class Law>
HWY_FLATTEN void wait(const Parameters& p, const Visit& row, std::size_t begin, std::size_t end) {
    const State& s = row.state;
    if constexpr (asks_speed<Law>) {
        Vector left(1.0);  // another tile's bead, or one beside these, may move
        for (std::size_t i = begin; i < end; i += lane_count) {
            const Vector velocity = Vector::load(s.velocity + i);
            const Mask still = moved_up(left, velocity) == Vector() && velocity == Vector();
            select(still, hold<Law>(p, s, i).force, Vector::load(s.force + i)).store(s.force + i);
            left = velocity;
        }
    }
    for (std::size_t i = begin; i < end; i += lane_count) {
        const Vector force = Vector::load(s.force + i);
        const Vector next =
            i + lane_count < row.length ? Vector::load(s.force + i + lane_count) : Vector();
        AnyRow<Law>(p).gain(i, force - moved_down(force, next)).store(s.gain + i);
    }
}

/// Whether all of a block's state is finite.
template <class Law>
HWY_FLATTEN bool finite(const State& s, std::size_t i) {
    Vector none = Vector::load(s.displacement + i) * 0.0 + Vector::load(s.velocity + i) * 0.0 +
                  Vector::load(s.gain + i) * 0.0 + Vector::load(s.force + i) * 0.0;
    if constexpr (!Law::conservative) none += Vector::load(s.power + i) * 0.0;
    for (std::size_t k = 0; k < laws::field_count<typename Law::Memory>; ++k)
        none += Vector::load(s.memory[k] + i) * 0.0;
    return !any(none != Vector());
}

template <class Law>
Look look(const Parameters& p, const Visit& row, std::size_t begin, std::size_t end,
          double tolerance) {
    const State& s = row.state;
    Look seen{.begin = end,
              .end = begin,
              .finite = true,
              .discarded_energy = 0.0,
              .discarded_momentum = 0.0};
    for (std::size_t i = begin; i < end; i += lane_count)
        seen.finite = seen.finite && finite<Law>(s, i);
    const auto block_rests = [&](std::size_t i) HWY_ATTR {
        if (!seen.finite && !finite<Law>(s, i)) return false;
        if (tolerance > 0.0 && put_to_rest<Law>(p, row, i, tolerance, seen)) return true;
        return rests<Law>(p, s, i, before(s.displacement, i));
    };
    std::size_t first = begin, last = end;  // of the vectors that do not rest
    while (first < end && block_rests(first))
        first += lane_count;
    if (first == end) {
        seen.begin = seen.end = begin;
    } else {
        while (last - lane_count > first && block_rests(last - lane_count))
            last -= lane_count;
        seen.begin = first / block_beads * block_beads;
        seen.end = (last - lane_count) / block_beads * block_beads + block_beads;
    }
    if (tolerance > 0.0) {
        // Those in blocks that stay awake, too: what put them to rest took away their gain.
        wait<Law>(p, row, begin, first);
        wait<Law>(p, row, last, end);
    }
    return seen;
}

}  // namespace beadwave::dynamics::BEADWAVE_TARGET
