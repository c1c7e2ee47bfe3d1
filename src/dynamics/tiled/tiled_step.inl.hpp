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
    HWY_INLINE Vector push(std::size_t i) const { return at(p_.push, i); }
    HWY_INLINE Vector gain(std::size_t i, Vector net) const { return (net + push(i)) * kick(i); }

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

/// Whether the force depends on the approach speed.
template <class Law>
inline constexpr bool asks_speed = !Law::conservative && !remembers_largest<Law>;

/// Places in a row's sweep.
struct Stretch {
    std::size_t begin, end;
};

/// Where in a sweep velocity, gain and force are stored: in the last step everywhere, in the others
/// where a sensor or a driven wall reads them.
class Stored {
  public:
    explicit Stored(const Visit& row) {
        if (row.left_wall.force != nullptr) add(0, lane_count);
        for (const TileSensor& sensor : row.sensors)
            add(sensor.bead - row.first, 2 * lane_count);  // its contacts may stand in two blocks
        if (row.right_wall.force != nullptr) add(row.right_wall_entry, lane_count);
    }

    std::span<const Stretch> stretches() const { return {stretches_.data(), count_}; }

  private:
    void add(std::size_t bead, std::size_t length) {
        // A block is stored when the sweep is two blocks further.
        const std::size_t begin = (bead / lane_count + 2) * lane_count, end = begin + length;
        if (count_ > 0 && (begin <= stretches_[count_ - 1].end || count_ == stretches_.size())) {
            stretches_[count_ - 1].end = std::max(stretches_[count_ - 1].end, end);
        } else {
            stretches_[count_++] = {begin, end};
        }
    }

    std::array<Stretch, 64> stretches_;
    std::size_t count_ = 0;
};

inline constexpr Stretch everywhere{0, std::numeric_limits<std::size_t>::max()};

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
/// Stores velocity, gain and force too in the `stored` stretches and at the end.
template <class Law, template <class> class Row>
HWY_NOINLINE HWY_FLATTEN void sweep(const Parameters& p, const State& s, std::size_t begin,
                                    std::size_t end, std::span<const Stretch> stored,
                                    double wall_displacement, double wall_velocity) {
    constexpr bool dissipative = !Law::conservative;
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
        if constexpr (asks_speed<Law>) {
            const Vector predicted = half + Vector::load(gains + i);
            motion.approach_speed = moved_up(left_predicted, predicted) - predicted;
            left_predicted = predicted;
        }
        return motion;
    };
    const auto kick = [&](std::size_t i, Vector force, Vector next_force, bool store) HWY_ATTR {
        const Vector net = force - moved_down(force, next_force);
        const Vector gain = row.gain(i, net);
        const Vector velocity = Vector::load(halves + i) + gain;
        (velocity + gain).store(halves + i);
        if constexpr (asks_speed<Law>) gain.store(gains + i);
        if constexpr (dissipative)
            multiply_add(net, velocity, Vector::load(powers + i)).store(powers + i);
        if (HWY_UNLIKELY(store)) {
            force.store(forces + i);
            velocity.store(velocities + i);
            gain.store(gains + i);
        }
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
    const Stretch* stretch = stored.data();
    const Stretch* const last = stretch + stored.size();
    do {
        while (stretch != last && stretch->end <= i)
            ++stretch;
        const bool store = stretch != last && stretch->begin <= i;
        const std::size_t change = stretch == last ? end : store ? stretch->end : stretch->begin;
        const std::size_t until = std::min(end, change);
        do {
            const Motion next =
                drift(i + lane_count);  // behind the last block: into the spare one, for nobody
            const Vector force = respond(i, motion);
            if (i >= begin + 2 * lane_count)
                kick(i - 2 * lane_count, force_before_last, force_before, store);
            motion = next;
            force_before_last = force_before;
            force_before = force;
            i += lane_count;
        } while (i < until);
    } while (i < end);
    if (end >= begin + 2 * lane_count)
        kick(end - 2 * lane_count, force_before_last, force_before, true);
    kick(end - lane_count, force_before, Vector(), true);
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
    const Stored stored(row);
    const bool read_each_step = !stored.stretches().empty();
    for (std::int64_t step = 1; step <= row.steps; ++step) {
        // Beads from `step` on to length - 1 - step are right after this step; they need one more
        // contact on the right and one more displacement on the left.
        const auto lost = static_cast<std::size_t>(step - 1);
        const std::size_t begin = row.left_end ? 0 : lost / lane_count * lane_count;
        const std::size_t end =
            row.right_end ? row.length : row.length - lost / lane_count * lane_count;
        if (right.displacement != nullptr) {
            // A bead that is held: its half-step velocity stays zero, its gain the law sees as its
            // velocity.
            s.displacement[row.right_wall_entry] = right.displacement[lost];
            s.gain[row.right_wall_entry] = right.velocity[lost];
        }
        sweep<Law, Row>(p, s, begin, end,
                        step == row.steps ? std::span(&everywhere, 1) : stored.stretches(),
                        left.displacement != nullptr ? left.displacement[lost] : 0.0,
                        left.velocity != nullptr ? left.velocity[lost] : 0.0);
        if (!read_each_step) continue;
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

}  // namespace beadwave::dynamics::BEADWAVE_TARGET
