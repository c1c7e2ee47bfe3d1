// Functions on a row between tasks: first forces, the scan for beads at rest and for numbers that
// are not finite, and putting beads to sleep. Included by vector_code.cpp.

namespace beadwave::dynamics::BEADWAVE_TARGET {

HWY_NOINLINE HWY_FLATTEN void init_forces(const LawCode& law, const Parameters& p,
                                          const TileTask& row, std::size_t begin, std::size_t end) {
    const State& s = row.state;
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
        // Twice: a contact that starts closed has been loaded to its overlap. From then on its
        // force follows the unloading path, which may differ from the loading path by rounding.
        for (int time = 0; time < 2; ++time) {
            law.respond(p, i, overlap, approach_speed, s.memory, s.memory, i).store(s.force + i);
        }
        left_displacement = displacement;
        left_velocity = velocity;
    }
}

HWY_FLATTEN void init_half_step(const Parameters& p, const TileTask& row, std::size_t begin,
                                std::size_t end) {
    const State& s = row.state;
    const AnyBeads parameters(p);
    for (std::size_t i = begin; i < end; i += lane_count) {
        const Vector net = Vector::load(s.force + i) - Vector::load(s.force + i + 1);
        parameters.velocity_change(i, net).store(s.velocity_change + i);
    }
}

/// Whether a block is at rest: velocity and half-step velocity change are zero, and the law of its
/// contacts, called without motion, gives the same force and memory again.
HWY_FLATTEN bool is_at_rest(const LawCode& law, const Parameters& p, const State& s, std::size_t i,
                            Vector left_displacement) {
    const Vector displacement = Vector::load(s.displacement + i);
    if (!same_bits(Vector::load(s.velocity + i), Vector()) ||
        !same_bits(Vector::load(s.velocity_change + i), Vector()) || any_minus_zero(displacement)) {
        return false;
    }
    const Vector overlap =
        moved_up(left_displacement, displacement) - displacement - Vector::load(p.gap + i);
    alignas(64) double memory[simd::most_fields][lane_count];
    double* next[simd::most_fields];
    for (std::size_t k = 0; k < law.memory_fields; ++k)
        next[k] = memory[k];
    const Vector force = law.respond(p, i, overlap, Vector(), s.memory, next, 0);
    bool same = same_bits(force, Vector::load(s.force + i));
    for (std::size_t k = 0; k < law.memory_fields; ++k)
        same = same && same_bits(Vector::load(memory[k]), Vector::load(s.memory[k] + i));
    return same;
}

/// The effect of a contact on beads at rest.
struct StaticContact {
    Vector force;     ///< on either bead [N]
    Vector rounding;  ///< bound of the rounding error of the force [N]
    Vector energy;    ///< upper bound of the stored energy: forces do not fall with the overlap [J]
    HWY_INLINE StaticContact() {}
};

HWY_INLINE Vector static_force(const LawCode& law, const Parameters& p, const State& s,
                               std::size_t i, Vector overlap) {
    if (!law.uses_speed) return Vector::load(s.force + i);
    return law.respond(p, i, overlap, Vector(), s.memory, nullptr, 0);
}

/// The block before i of a column; zero before the first block of a row, where a wall may be.
HWY_INLINE Vector before(const double* column, std::size_t i) {
    return i > 0 ? Vector::load(column + i - lane_count) : Vector();
}

HWY_INLINE StaticContact static_contact(const LawCode& law, const Parameters& p, const State& s,
                                        std::size_t i) {
    constexpr double roundings = 4.0 * std::numeric_limits<double>::epsilon();
    const Vector right = Vector::load(s.displacement + i);
    const Vector left = moved_up(before(s.displacement, i), right);
    const Vector overlap = left - right - Vector::load(p.gap + i);
    StaticContact contact;
    contact.force = static_force(law, p, s, i, overlap);
    const Mask open = contact.force == Vector();
    const Vector force = abs(contact.force);
    const Vector stiffness = select(open, Vector(), force / abs(overlap));
    contact.rounding = (force + stiffness * (abs(left) + abs(right))) * roundings;
    contact.energy = select(open, Vector(), force * abs(overlap));
    return contact;
}

HWY_INLINE bool all(Mask mask) {
    return !any(!mask);
}

/// Puts a slow block to sleep, adds its losses to `found` and returns true; returns false for any
/// other block. A bead is slow if it does not move faster than the tolerance and, between fixed
/// neighbours, never will: because the forces on it balance, or because only its contacts act on it
/// and these store too little energy. Neither condition depends on the time step.
HWY_FLATTEN bool put_to_sleep(const LawCode& law, const Parameters& p, const TileTask& row,
                              std::size_t i, double tolerance, Scan& found) {
    const State& s = row.state;
    const Vector velocity = Vector::load(s.velocity + i);
    if (!all(abs(velocity) <= Vector(tolerance))) return false;
    const AnyBeads parameters(p);
    const Vector kick = parameters.kick(i), body_force = parameters.body_force(i);
    const StaticContact left = static_contact(law, p, s, i);
    StaticContact next;
    Vector next_force;
    if (i + lane_count < row.length) {
        next = static_contact(law, p, s, i + lane_count);
        next_force = Vector::load(s.force + i + lane_count);
    }
    const Vector net = left.force - moved_down(left.force, next.force);
    const Vector rounding = left.rounding + moved_down(left.rounding, next.rounding) +
                            abs(body_force) * (4.0 * std::numeric_limits<double>::epsilon());
    // E + m v^2/2 <= m (tolerance)^2/2, where kick = dt/(2 m).
    const Vector energy = left.energy + moved_down(left.energy, next.energy);
    const Mask weak = energy * kick <=
                      (Vector(tolerance * tolerance) - velocity * velocity) * (0.25 * p.time_step);
    const Mask held = kick == Vector();
    if (!all(held || abs(net + body_force) <= rounding || (weak && body_force == Vector())))
        return false;

    alignas(64) double v[lane_count], k[lane_count];
    velocity.store(v);
    kick.store(k);
    for (std::size_t lane = 0; lane < lane_count; ++lane) {
        if (k[lane] == 0.0 || v[lane] == 0.0) continue;
        const double mass = 0.5 * p.time_step / k[lane];
        found.sleep_loss_energy += 0.5 * mass * v[lane] * v[lane];
        found.sleep_loss_momentum += mass * v[lane];
    }
    if (!law.conservative) {
        // The power of the contacts on the bead ends here: half of the last power belongs to the
        // future.
        const Vector force = Vector::load(s.force + i);
        const Vector power = (force - moved_down(force, next_force)) * velocity;
        (Vector::load(s.power + i) - power * 0.5).store(s.power + i);
    }
    Vector().store(s.velocity + i);
    Vector().store(s.velocity_change + i);
    return true;
}

/// Updates beads that were put to sleep: the forces of their contacts become those without motion,
/// and the half-step velocity change follows from these forces.
HWY_FLATTEN void update_sleeping(const LawCode& law, const Parameters& p, const TileTask& row,
                                 std::size_t begin, std::size_t end) {
    const State& s = row.state;
    if (law.uses_speed) {
        Vector left(1.0);  // the bead before the first one may move
        for (std::size_t i = begin; i < end; i += lane_count) {
            const Vector velocity = Vector::load(s.velocity + i);
            const Mask still = moved_up(left, velocity) == Vector() && velocity == Vector();
            select(still, static_contact(law, p, s, i).force, Vector::load(s.force + i))
                .store(s.force + i);
            left = velocity;
        }
    }
    for (std::size_t i = begin; i < end; i += lane_count) {
        const Vector force = Vector::load(s.force + i);
        const Vector next =
            i + lane_count < row.length ? Vector::load(s.force + i + lane_count) : Vector();
        AnyBeads(p)
            .velocity_change(i, force - moved_down(force, next))
            .store(s.velocity_change + i);
    }
}

/// Whether all of a block's state is finite.
HWY_FLATTEN bool finite(const LawCode& law, const State& s, std::size_t i) {
    Vector none = Vector::load(s.displacement + i) * 0.0 + Vector::load(s.velocity + i) * 0.0 +
                  Vector::load(s.velocity_change + i) * 0.0 + Vector::load(s.force + i) * 0.0;
    if (!law.conservative) none += Vector::load(s.power + i) * 0.0;
    for (std::size_t k = 0; k < law.memory_fields; ++k)
        none += Vector::load(s.memory[k] + i) * 0.0;
    return !any(none != Vector());
}

HWY_NOINLINE Scan scan(const LawCode& law, const Parameters& p, const TileTask& row,
                       std::size_t begin, std::size_t end, double tolerance) {
    const State& s = row.state;
    Scan found{.begin = end,
               .end = begin,
               .finite = true,
               .sleep_loss_energy = 0.0,
               .sleep_loss_momentum = 0.0};
    for (std::size_t i = begin; i < end; i += lane_count)
        found.finite = found.finite && finite(law, s, i);
    const auto block_sleeps = [&](std::size_t i) HWY_ATTR {
        if (!found.finite && !finite(law, s, i)) return false;
        if (tolerance > 0.0 && put_to_sleep(law, p, row, i, tolerance, found)) return true;
        return is_at_rest(law, p, s, i, before(s.displacement, i));
    };
    std::size_t first = begin, last = end;  // of the vectors that are not at rest
    while (first < end && block_sleeps(first))
        first += lane_count;
    if (first == end) {
        found.begin = found.end = begin;
    } else {
        while (last - lane_count > first && block_sleeps(last - lane_count))
            last -= lane_count;
        found.begin = first / block_beads * block_beads;
        found.end = (last - lane_count) / block_beads * block_beads + block_beads;
    }
    if (tolerance > 0.0) {
        // Also in blocks that stay awake: put_to_sleep() has cleared the half-step velocity change
        // of some beads.
        update_sleeping(law, p, row, begin, first);
        update_sleeping(law, p, row, last, end);
    }
    return found;
}

}  // namespace beadwave::dynamics::BEADWAVE_TARGET
