// One step of a row: a sweep over its blocks. Included by vector_code.cpp.
//
// Three blocks are processed at once, each at another stage: the next block drifts, the contacts of
// this block get their forces, the block before the last gets its new velocity. The stages of one
// block have to wait for each other for a hundred cycles; the other two blocks fill this time. Laws
// in two parts start their force at the first stage.
//
// The arithmetic is that of the plain engine, except fused multiplication and addition. Between
// steps the state of a bead is its displacement and half-step velocity. Laws that dissipate also
// need the half-step velocity change ((dt/2) acceleration), for the predicted velocity.

namespace beadwave::dynamics::BEADWAVE_TARGET {

/// Parameters that are the same in a whole row, in registers.
template <class Law>
struct UniformRow {
    HWY_INLINE explicit UniformRow(const Parameters& p)
        : law_(laws::from_fields<Law>([&](std::size_t k) HWY_ATTR { return Vector(*p.law[k]); })),
          kick_(*p.kick),
          body_force_(*p.body_force),
          has_body_force_(*p.body_force != 0.0) {}
    HWY_INLINE const Law& law(std::size_t) const { return law_; }
    HWY_INLINE Vector kick(std::size_t) const { return kick_; }
    HWY_INLINE Vector velocity_change(std::size_t, Vector net) const {
        return (has_body_force_ ? net + body_force_ : net) * kick_;
    }

  private:
    Law law_;
    Vector kick_, body_force_;
    bool has_body_force_;
};

/// Parameters of each contact and bead, loaded when they are needed.
template <class Law>
struct ColumnRow {
    HWY_INLINE explicit ColumnRow(const Parameters& p) : p_(p) {}
    HWY_INLINE Law law(std::size_t i) const { return load_record<Law>(p_.law, i); }
    HWY_INLINE Vector kick(std::size_t i) const { return Vector::load(p_.kick + i); }
    /// (dt/2) acceleration by the net force of the contacts.
    HWY_INLINE Vector velocity_change(std::size_t i, Vector net) const {
        return (net + Vector::load(p_.body_force + i)) * Vector::load(p_.kick + i);
    }

  private:
    const Parameters& p_;
};

/// Either of the two; parameters are loaded in any case.
template <class Law>
struct AnyRow {
    HWY_INLINE explicit AnyRow(const Parameters& p)
        : p_(p), no_body_force_(p.uniform && *p.body_force == 0.0) {}
    HWY_INLINE Law law(std::size_t i) const { return law_at<Law>(p_, i); }
    HWY_INLINE Vector kick(std::size_t i) const { return Vector::load(p_.kick + place_of(p_, i)); }
    HWY_INLINE Vector velocity_change(std::size_t i, Vector net) const {
        const std::size_t at = place_of(p_, i);
        return (no_body_force_ ? net : net + Vector::load(p_.body_force + at)) *
               Vector::load(p_.kick + at);
    }

  private:
    const Parameters& p_;
    bool no_body_force_;
};

/// Laws that take so little time that loads of parameters and a condition per block count. They
/// have sweeps for either kind of row, and loops of their own for what is stored.
template <class Law>
inline constexpr bool is_cheap = false;
template <>
inline constexpr bool is_cheap<laws::Hertz<Vector>> = true;
template <>
inline constexpr bool is_cheap<laws::Hooke<Vector>> = true;
template <laws::ImpactSpeed kind>
inline constexpr bool is_cheap<laws::Hysteresis<Vector, kind>> = true;
template <>
inline constexpr bool is_cheap<laws::MaLiu<Vector>> = true;
template <laws::ImpactSpeed kind>
inline constexpr bool is_cheap<laws::WangLiu<Vector, kind>> = true;
template <>
inline constexpr bool is_cheap<laws::PowerLaw<Vector>> = true;
template <>
inline constexpr bool is_cheap<laws::Goldsmith<Vector>> = true;
template <class Shape>
inline constexpr bool is_cheap<laws::UnloadingPath<Shape, Vector>> = true;

/// Input of a contact law.
struct Motion {
    Vector overlap, approach_speed;
    HWY_INLINE Motion() {}
};

/// The first part of the forces of contacts, one block ahead; nothing of laws in one part.
template <class Law, class Row>
HWY_INLINE auto start_force(const Row& row, const State& s, std::size_t i, Motion contact) {
    if constexpr (has_two_parts<Law>) {
        return row.law(i).start(contact.overlap, contact.approach_speed);
    } else if constexpr (unloads_in_two_parts<Law>) {
        return Law::start_unloading(contact.overlap,
                                    load_record<typename Law::Memory>(s.memory, i));
    } else {
        return std::monostate();
    }
}

/// Where in a sweep velocity, half-step velocity change and force are stored: everywhere in the
/// last step, and in the other steps where a sensor or a driven wall needs them.
class Stored {
  public:
    explicit Stored(const TileTask& row) {
        if (row.left_wall.force != nullptr) add(0, lane_count);
        for (const TileSensor& sensor : row.sensors)
            add(sensor.bead - row.first, 2 * lane_count);  // its contacts may be in two blocks
        if (row.right_wall.force != nullptr) add(row.right_wall_entry, lane_count);
    }

    std::span<const Stretch> stretches() const { return {stretches_.data(), count_}; }

  private:
    void add(std::size_t bead, std::size_t length) {
        // A block is stored when the sweep is two blocks ahead.
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

/// Force of contacts some of which load. Not inlined, so that `sweep` has its registers for the
/// other contacts.
template <class Law, template <class> class Row>
HWY_NOINLINE HWY_FLATTEN Vector load_further(const Parameters& p, const State& s, std::size_t i,
                                             Vector overlap) {
    const auto [force, memory] = Row<Law>(p).law(i).respond(
        overlap, Vector(), load_record<typename Law::Memory>(s.memory, i));
    store_record(memory, s.memory, i);
    return force;
}

/// The beads of a row carry nothing, or what they carry is stepped after the sweep. In place of
/// CarriedAlone.
struct NothingAlone {
    HWY_INLINE explicit NothingAlone(const ElementRow*) {}
};

/// A sweep of any law.
using Sweep = void(const Parameters&, const State&, std::size_t begin, std::size_t end,
                   std::span<const Stretch> stored, double wall_displacement, double wall_velocity,
                   const ElementRow*, const LawCode&);

/// One step of the blocks [begin, end); the wall before them has the given displacement and
/// velocity. Also stores velocity, half-step velocity change and force in the `stored` stretches
/// and at the end, with the forces of what is carried. `Carried`: what of the `elements` is stepped
/// in passing.
template <class Law, template <class> class Row, class Carried>
HWY_NOINLINE HWY_FLATTEN void sweep(const Parameters& p, const State& s, std::size_t begin,
                                    std::size_t end, std::span<const Stretch> stored,
                                    double wall_displacement, double wall_velocity,
                                    const ElementRow* elements,
                                    [[maybe_unused]] const LawCode& law) {
    constexpr bool carries = !std::same_as<Carried, NothingAlone>;
    [[maybe_unused]] const Carried carried(elements);
    constexpr bool dissipative = !Law::conservative;
    using Memory = typename Law::Memory;
    const Row<Law> row(p);
    const Vector dt(p.time_step);
    double* const displacements = s.displacement;
    double* const halves = s.half;
    double* const halves_after = carries ? s.half : s.half_after;
    double* const velocity_changes = s.velocity_change;
    double* const velocities = s.velocity;
    double* const forces = s.force;
    double* const powers = s.power;
    const double* const gaps = p.gap;
    // Left of the first block is a wall, or an invalid halo, which affects invalid beads only.
    Vector left_displacement(wall_displacement), left_predicted(wall_velocity);

    const auto drift = [&](std::size_t i) HWY_ATTR {
        Motion motion;
        const Vector half = Vector::load(halves + i);
        const Vector displacement = multiply_add(dt, half, Vector::load(displacements + i));
        displacement.store(displacements + i);
        motion.overlap =
            moved_up(left_displacement, displacement) - displacement - Vector::load(gaps + i);
        left_displacement = displacement;
        if constexpr (uses_speed<Law>) {
            const Vector predicted = half + Vector::load(velocity_changes + i);
            motion.approach_speed = moved_up(left_predicted, predicted) - predicted;
            left_predicted = predicted;
        }
        return motion;
    };
    /// Unless `stores`, nothing reads velocity, force and half-step velocity change of this block.
    const auto kick = [&](auto stores, std::size_t i, Vector force, Vector next_force) HWY_ATTR {
        const Vector net = force - moved_down(force, next_force);
        const Vector velocity_change = row.velocity_change(i, net);
        const Vector before = Vector::load(halves + i);
        const Vector velocity = before + velocity_change;
        Vector after = velocity + velocity_change;
        if constexpr (carries) {
            const auto of_element =
                carried.step(i, dt, row.kick(i), Vector::load(displacements + i), before, after);
            after = of_element.half;
            if (stores) of_element.force.store(carried.forces() + i);
        }
        after.store(halves_after + i);
        if constexpr (uses_speed<Law>) velocity_change.store(velocity_changes + i);
        if constexpr (dissipative)
            multiply_add(net, velocity, Vector::load(powers + i)).store(powers + i);
        if (stores) {
            force.store(forces + i);
            velocity.store(velocities + i);
            if constexpr (!uses_speed<Law>) velocity_change.store(velocity_changes + i);
        }
    };

    if constexpr (laws::is_formula<Law>)
        return sweep_in_batches<Law>(p, s, begin, end, stored, drift, kick);

    const auto start = [&](std::size_t at, Motion contact) HWY_ATTR {
        // Behind the last block are no parameters.
        return start_force<Law>(row, s, std::min(at, end - lane_count), contact);
    };
    Motion motion = drift(begin);
    auto started = start(begin, motion);
    Vector force_before_last, force_before;
    std::size_t i = begin;
    const auto respond = [&](std::size_t at, Motion contact,
                             [[maybe_unused]] const auto& begun) HWY_ATTR {
        const auto before = load_record<Memory>(s.memory, at);
        if constexpr (remembers_largest<Law>) {
            if (HWY_UNLIKELY(any(contact.overlap > before.largest_overlap))) {
                if constexpr (is_cheap<Law> && requires { &Law::respond; }) {
                    return load_further<Law, Row>(p, s, at, contact.overlap);
                } else {
                    return law.respond(p, at, contact.overlap, Vector(), s.memory, s.memory, at);
                }
            }
            if constexpr (unloads_in_two_parts<Law>)
                return Law::finish_unloading(begun, contact.overlap, before);
            return row.law(at).unloading_force(contact.overlap, before);
        } else if constexpr (has_two_parts<Law>) {
            const auto [force, memory] =
                row.law(at).finish(begun, contact.overlap, contact.approach_speed, before);
            store_record(memory, s.memory, at);
            return force;
        } else {
            const auto [force, memory] =
                row.law(at).respond(contact.overlap, contact.approach_speed, before);
            store_record(memory, s.memory, at);
            return force;
        }
    };
    const auto step_until = [&](std::size_t until, auto stores) HWY_ATTR {
        for (; i < until; i += lane_count) {
            const Motion next =
                drift(i + lane_count);  // behind the last block: into the unused one
            const auto next_started = start(i + lane_count, next);
            const Vector force = respond(i, motion, started);
            if (i >= begin + 2 * lane_count)
                kick(stores, i - 2 * lane_count, force_before_last, force_before);
            motion = next;
            started = next_started;
            force_before_last = force_before;
            force_before = force;
        }
    };
    const Stretch* next_stored = stored.data();
    const Stretch* const last_stored = next_stored + stored.size();
    if constexpr (is_cheap<Law>) {
        // In loops of their own, so that the processor predicts where a stretch ends.
        for (; i < end; ++next_stored) {
            const bool none = next_stored == last_stored;
            step_until(none ? end : std::min(end, next_stored->begin), std::false_type());
            if (none) break;
            step_until(std::min(end, next_stored->end), std::true_type());
        }
    } else {
        for (bool stores = false; i < end; stores = !stores) {
            std::size_t until = end;
            if (next_stored != last_stored)
                until = std::min(end, stores ? next_stored++->end : next_stored->begin);
            step_until(until, stores);
        }
    }
    if (end >= begin + 2 * lane_count)
        kick(std::true_type(), end - 2 * lane_count, force_before_last, force_before);
    kick(std::true_type(), end - lane_count, force_before, Vector());
}

}  // namespace beadwave::dynamics::BEADWAVE_TARGET
