// T steps of a row, each one sweep over its blocks. Included like vector_number.inl.hpp.
//
// Three blocks are under way at once, each at another stage: the next one drifts, this one's
// contacts answer, the one before the last gets its new velocity. The stages of one block wait for
// each other for a hundred cycles, those of three fill the waiting.
//
// The arithmetic is the plain engine's, but for fused multiplication and addition. Between steps a
// bead is its displacement and half-step velocity; laws that dissipate also keep the gain
// ((dt/2) acceleration), for the predicted velocity.

namespace beadwave::dynamics::BEADWAVE_TARGET {

template <class Record>
HWY_INLINE Record load_record(const double* const* columns, std::size_t i) {
    return laws::from_fields<Record>([&](std::size_t k)
                                         HWY_ATTR { return Vector::load(columns[k] + i); });
}

template <class Record>
HWY_INLINE void store_record(const Record& record, double* const* columns, std::size_t i) {
    laws::to_fields(record,
                    [&](std::size_t k, Vector value) HWY_ATTR { value.store(columns[k] + i); });
}

/// Parameters that hold for a whole row, in registers.
template <class Law>
struct UniformRow {
    HWY_INLINE explicit UniformRow(const Parameters& p)
        : law_(laws::from_fields<Law>([&](std::size_t k) HWY_ATTR { return Vector(*p.law[k]); })),
          kick_(*p.kick),
          push_(*p.push),
          pushed_(*p.push != 0.0) {}
    HWY_INLINE const Law& law(std::size_t) const { return law_; }
    HWY_INLINE Vector gain(std::size_t, Vector net) const {
        return (pushed_ ? net + push_ : net) * kick_;
    }

  private:
    Law law_;
    Vector kick_, push_;
    bool pushed_;
};

/// Parameters of each contact and bead, loaded where they are needed.
template <class Law>
struct ColumnRow {
    HWY_INLINE explicit ColumnRow(const Parameters& p) : p_(p) {}
    HWY_INLINE Law law(std::size_t i) const { return load_record<Law>(p_.law, i); }
    /// (dt/2) acceleration by a net force of the contacts.
    HWY_INLINE Vector gain(std::size_t i, Vector net) const {
        return (net + Vector::load(p_.push + i)) * Vector::load(p_.kick + i);
    }

  private:
    const Parameters& p_;
};

/// Either, asked block by block: for what is not worth code of its own.
template <class Law>
struct AnyRow {
    HWY_INLINE explicit AnyRow(const Parameters& p) : p_(p) {}
    HWY_INLINE Law law(std::size_t i) const {
        return laws::from_fields<Law>([&](std::size_t k) HWY_ATTR { return at(p_.law[k], i); });
    }
    HWY_INLINE Vector kick(std::size_t i) const { return at(p_.kick, i); }
    HWY_INLINE Vector gain(std::size_t i, Vector net) const {
        return (net + at(p_.push, i)) * kick(i);
    }

  private:
    HWY_INLINE Vector at(const double* p, std::size_t i) const {
        return p_.uniform ? Vector(*p) : Vector::load(p + i);
    }
    const Parameters& p_;
};

/// What a contact's law is asked with.
struct Motion {
    Vector overlap, approach_speed;
    HWY_INLINE Motion() {}
};

/// Whether the law is one of an unloading path that a contact leaves only beyond its largest
/// overlap.
template <class Law>
inline constexpr bool remembers_largest = requires(const Law& law, Vector overlap,
                                                   typename Law::Memory memory) {
    law.unloading_force(overlap, memory);
};

/// Force of contacts some of which load. Not inlined: `sweep` keeps its registers for the others.
template <class Law, template <class> class Row>
HWY_NOINLINE HWY_FLATTEN Vector load_further(const Parameters& p, const State& s, std::size_t i,
                                             Vector overlap) {
    const auto [force, memory] = Row<Law>(p).law(i).respond(
        overlap, Vector(), load_record<typename Law::Memory>(s.memory, i));
    store_record(memory, s.memory, i);
    return force;
}

/// One step of the blocks [begin, end), a wall at the given displacement and velocity before them.
/// `full` stores velocity, gain and force too.
template <class Law, template <class> class Row>
HWY_NOINLINE HWY_FLATTEN void sweep(const Parameters& p, const State& s, std::size_t begin,
                                    std::size_t end, bool full, double wall_displacement,
                                    double wall_velocity) {
    constexpr bool dissipative = !Law::conservative;
    constexpr bool asks_speed = dissipative && !remembers_largest<Law>;
    using Memory = typename Law::Memory;
    const Row<Law> row(p);
    const Vector dt(p.time_step);
    double* const displacements = s.displacement;
    double* const halves = s.half;
    double* const gains = s.gain;
    double* const velocities = s.velocity;
    double* const forces = s.force;
    double* const powers = s.power;
    const double* const gaps = p.gap;
    // Left of the first block is a wall, or rubbish that only reaches rubbish.
    Vector left_displacement(wall_displacement), left_predicted(wall_velocity);

    const auto drift = [&](std::size_t i) HWY_ATTR {
        Motion motion;
        const Vector half = Vector::load(halves + i);
        const Vector displacement = multiply_add(dt, half, Vector::load(displacements + i));
        displacement.store(displacements + i);
        motion.overlap =
            moved_up(left_displacement, displacement) - displacement - Vector::load(gaps + i);
        left_displacement = displacement;
        if constexpr (asks_speed) {
            const Vector predicted = half + Vector::load(gains + i);
            motion.approach_speed = moved_up(left_predicted, predicted) - predicted;
            left_predicted = predicted;
        }
        return motion;
    };
    const auto kick = [&](std::size_t i, Vector force, Vector next_force) HWY_ATTR {
        const Vector net = force - moved_down(force, next_force);
        const Vector gain = row.gain(i, net);
        const Vector velocity = Vector::load(halves + i) + gain;
        (velocity + gain).store(halves + i);
        if (full) velocity.store(velocities + i);
        if (asks_speed || full) gain.store(gains + i);
        if constexpr (dissipative)
            multiply_add(net, velocity, Vector::load(powers + i)).store(powers + i);
    };

    Motion motion = drift(begin);
    Vector force_before_last, force_before;
    std::size_t i = begin;
    const auto respond = [&](std::size_t at, Motion asked) HWY_ATTR {
        const auto before = load_record<Memory>(s.memory, at);
        if constexpr (remembers_largest<Law>) {
            if (HWY_UNLIKELY(any(asked.overlap > before.largest_overlap))) {
                return load_further<Law, Row>(p, s, at, asked.overlap);
            }
            return row.law(at).unloading_force(asked.overlap, before);
        } else {
            const auto [force, memory] =
                row.law(at).respond(asked.overlap, asked.approach_speed, before);
            store_record(memory, s.memory, at);
            return force;
        }
    };
    while (true) {
        const Motion next =
            drift(i + lane_count);  // behind the last block: into the spare one, for nobody
        const Vector force = respond(i, motion);
        if (full) force.store(forces + i);
        if (i >= begin + 2 * lane_count) kick(i - 2 * lane_count, force_before_last, force_before);
        motion = next;
        force_before_last = force_before;
        force_before = force;
        i += lane_count;
        if (i >= end) break;
    }
    if (end >= begin + 2 * lane_count) kick(end - 2 * lane_count, force_before_last, force_before);
    kick(end - lane_count, force_before, Vector());
}

template <class Law, template <class> class Row>
void advance(const Parameters& p, const Visit& row) {
    const State& s = row.state;
    for (std::size_t i = 0; i < row.length; i += lane_count) {
        (Vector::load(s.velocity + i) + Vector::load(s.gain + i)).store(s.half + i);
    }
    double* force_row = row.trace_force;
    double* velocity_row = row.trace_velocity;
    const WallMotion &left = row.left_wall, &right = row.right_wall;
    const bool always_full =
        !row.sensors.empty() || left.force != nullptr || right.force != nullptr;
    for (std::int64_t step = 1; step <= row.steps; ++step) {
        // Beads from `step` on to length - 1 - step are right after this step; they need one more
        // contact on the right and one more displacement on the left.
        const auto lost = static_cast<std::size_t>(step - 1);
        const std::size_t begin = row.left_end ? 0 : lost / lane_count * lane_count;
        const std::size_t end =
            row.right_end ? row.length : row.length - lost / lane_count * lane_count;
        const bool full = step == row.steps || always_full;
        if (right.displacement != nullptr) {
            // A bead that is held: its half-step velocity stays zero, its gain the law sees as its
            // velocity.
            s.displacement[row.right_wall_entry] = right.displacement[lost];
            s.gain[row.right_wall_entry] = right.velocity[lost];
        }
        sweep<Law, Row>(p, s, begin, end, full,
                        left.displacement != nullptr ? left.displacement[lost] : 0.0,
                        left.velocity != nullptr ? left.velocity[lost] : 0.0);
        if (!full) continue;
        if (left.force != nullptr) left.force[lost] = s.force[0];
        if (right.force != nullptr) right.force[lost] = s.force[row.right_wall_entry];
        for (const TileSensor& sensor : row.sensors) {
            const std::size_t bead = sensor.bead - row.first;
            force_row[sensor.column] = 0.5 * (s.force[bead] + s.force[bead + 1]);
            velocity_row[sensor.column] = s.velocity[bead];
        }
        force_row += row.trace_stride;
        velocity_row += row.trace_stride;
    }
}

template <class Law>
void visit(const Parameters& p, const Visit& row) {
    if (p.uniform) {
        advance<Law, UniformRow>(p, row);
    } else {
        advance<Law, ColumnRow>(p, row);
    }
}

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

/// Steps for which a bead at rest by tolerance could go on accelerating as it does and stay so.
inline constexpr double patience = 1e4;

/// Puts a slow block to rest and books what it loses; whether it was one.
template <class Law>
HWY_FLATTEN bool put_to_rest(const Parameters& p, const State& s, std::size_t i, double tolerance,
                             Look& seen) {
    const Vector velocity = Vector::load(s.velocity + i);
    const Vector gain = Vector::load(s.gain + i);
    if (any(abs(velocity) > Vector(tolerance)) ||
        any(abs(gain) * (2.0 * patience) > Vector(tolerance)))
        return false;
    const Vector kick = AnyRow<Law>(p).kick(i);
    alignas(64) double v[lane_count], k[lane_count];
    velocity.store(v);
    kick.store(k);
    for (std::size_t lane = 0; lane < lane_count; ++lane) {
        if (k[lane] == 0.0 || v[lane] == 0.0) continue;
        const double mass = 0.5 * p.time_step / k[lane];
        seen.discarded_energy += 0.5 * mass * v[lane] * v[lane];
        seen.discarded_momentum += mass * v[lane];
    }
    Vector().store(s.velocity + i);
    Vector().store(s.gain + i);
    return true;
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
    for (std::size_t i = begin; i < end; i += lane_count) {
        const Vector none =
            Vector::load(s.displacement + i) * 0.0 + Vector::load(s.velocity + i) * 0.0;
        if (any(none != Vector(0.0))) seen.finite = false;
    }
    const auto block_rests = [&](std::size_t i) HWY_ATTR {
        if (tolerance > 0.0 && put_to_rest<Law>(p, s, i, tolerance, seen)) return true;
        return rests<Law>(p, s, i,
                          i > 0 ? Vector::load(s.displacement + i - lane_count) : Vector());
    };
    for (std::size_t i = begin; i < end; i += lane_count) {
        if (block_rests(i)) continue;
        seen.begin = i / block_beads * block_beads;
        break;
    }
    if (seen.begin == end) {
        seen.begin = begin;
        return seen;
    }
    for (std::size_t i = end - lane_count;; i -= lane_count) {
        if (i > seen.begin && block_rests(i)) continue;
        seen.end = i / block_beads * block_beads + block_beads;
        return seen;
    }
}

}  // namespace beadwave::dynamics::BEADWAVE_TARGET
