// Steps of several chains, one per lane. Included by vector_code.cpp.
//
// The operations on a bead are those of ../tiled/tiled_step.inl.hpp in the same order, so a chain
// has the same bits as alone. No number moves between lanes, few contacts share a vector with one
// that loads, and beads at rest ahead of a wave are skipped one by one.

namespace beadwave::dynamics::BEADWAVE_TARGET {

// The entries of a chain of a hundred beads should fit the first-level cache.
#if HWY_TARGET == HWY_AVX3
using LaneVector = Register;
#else
using LaneVector = Vector;
#endif
inline constexpr std::size_t chains_at_once = sizeof(LaneVector) / sizeof(double);

/// A law or its memory from adjacent columns.
template <class Record>
HWY_INLINE Record load_lanes(const double* columns) {
    return laws::from_fields<Record>(
        [&](std::size_t k) HWY_ATTR { return LaneVector::load(columns + k * chains_at_once); });
}

template <class Record>
HWY_INLINE void store_lanes(const Record& record, double* columns) {
    laws::to_fields(record, [&](std::size_t k, LaneVector value)
                                HWY_ATTR { value.store(columns + k * chains_at_once); });
}

/// Force of contacts some of which load. Not inlined, as in tiled_step.inl.hpp.
template <class Law>
HWY_NOINLINE HWY_FLATTEN LaneVector load_lanes_further(const double* law, double* columns,
                                                       LaneVector overlap) {
    using Memory = typename Law::Memory;
    const auto [force, memory] =
        load_lanes<Law>(law).respond(overlap, LaneVector(), load_lanes<Memory>(columns));
    store_lanes(memory, columns);
    return force;
}

/// The columns of a law's entries.
template <class Law>
inline constexpr LaneColumns lane_columns{uses_speed<Law>, Law::conservative,
                                          laws::field_count<typename Law::Memory>};

/// One step of all entries up to the first bead at rest.
template <class Law, bool uniform>
class LaneSweep {
  public:
    HWY_INLINE LaneSweep(const LaneTask& task, double time_step)
        : task_(task), dt_(time_step), parameters_(task.parameters), entry_(task.entries) {}

    /// Drift of bead 0, and the force of the contact to its left.
    HWY_INLINE void begin() { force_ = respond(entry_, parameters_); }

    /// Steps the beads before bead `end`; `store`: also stores their results.
    template <bool store>
    HWY_INLINE void run_to(std::size_t end) {
        for (; bead_ < end; ++bead_)
            kick<store>(respond(entry_ + stride, next_parameters()));
    }

    /// The force of the contact to the left of the next bead.
    HWY_INLINE LaneVector force() const { return force_; }

    /// Ends the step of the next bead, whose right contact has this force.
    template <bool store>
    HWY_INLINE void kick(LaneVector next) {
        const LaneVector net = force_ - next;
        const double* const numbers = parameters_ + law_fields * chains_at_once;
        const LaneVector factor = LaneVector::load(numbers);
        LaneVector change;
        if constexpr (uniform) {
            change = net * factor;
        } else {
            change = (net + LaneVector::load(numbers + chains_at_once)) * factor;
        }
        const LaneVector velocity = column(entry_, LaneColumns::half) + change;
        put(velocity + change, entry_, LaneColumns::half);
        if constexpr (uses_speed<Law>) put(change, entry_, columns.velocity_change);
        if constexpr (!Law::conservative)
            put(multiply_add(net, velocity, column(entry_, columns.power)), entry_, columns.power);
        if constexpr (store) {
            double* const result = task_.results + bead_ * LaneResult::count * chains_at_once;
            put(force_, result, LaneResult::force);
            put(velocity, result, LaneResult::velocity);
            put(change, result, LaneResult::velocity_change);
            put(next, result, LaneResult::count + LaneResult::force);
        }
        force_ = next;
        entry_ += stride;
        parameters_ = next_parameters();
    }

  private:
    static constexpr LaneColumns columns = lane_columns<Law>;
    static constexpr std::size_t stride = columns.count * chains_at_once;
    static constexpr std::size_t law_fields = laws::field_count<Law>;

    static HWY_INLINE LaneVector column(const double* entry, std::size_t k) {
        return LaneVector::load(entry + k * chains_at_once);
    }
    static HWY_INLINE void put(LaneVector value, double* entry, std::size_t k) {
        value.store(entry + k * chains_at_once);
    }
    HWY_INLINE const double* next_parameters() const {
        return uniform ? parameters_ : parameters_ + (law_fields + 2) * chains_at_once;
    }

    /// Drift of an entry's bead, and the force of its contact.
    HWY_INLINE LaneVector respond(double* entry, const double* law) {
        using Memory = typename Law::Memory;
        const LaneVector half = column(entry, LaneColumns::half);
        const LaneVector displacement =
            multiply_add(dt_, half, column(entry, LaneColumns::displacement));
        put(displacement, entry, LaneColumns::displacement);
        const LaneVector overlap =
            left_displacement_ - displacement - column(entry, LaneColumns::gap);
        left_displacement_ = displacement;
        LaneVector approach_speed;
        if constexpr (uses_speed<Law>) {
            const LaneVector predicted = half + column(entry, columns.velocity_change);
            approach_speed = left_predicted_ - predicted;
            left_predicted_ = predicted;
        }
        double* const memory_columns = entry + columns.memory * chains_at_once;
        const auto before = load_lanes<Memory>(memory_columns);
        if constexpr (remembers_largest<Law>) {
            if (HWY_UNLIKELY(any(overlap > before.largest_overlap)))
                return load_lanes_further<Law>(law, memory_columns, overlap);
            return load_lanes<Law>(law).unloading_force(overlap, before);
        } else {
            const auto [force, memory] =
                load_lanes<Law>(law).respond(overlap, approach_speed, before);
            store_lanes(memory, memory_columns);
            return force;
        }
    }

    const LaneTask& task_;
    LaneVector dt_;
    const double* parameters_;
    double* entry_;
    std::size_t bead_ = 0;
    LaneVector force_, left_displacement_, left_predicted_;  // the wall at rest
};

template <class Law, bool uniform>
HWY_NOINLINE HWY_FLATTEN void step_lanes(LaneTask& task, bool last) {
    const std::size_t awake = task.awake;
    double* const stored_force = task.results + awake * LaneResult::count * chains_at_once;
    const LaneVector force_at_rest = LaneVector::load(stored_force);
    LaneSweep<Law, uniform> sweep(task, task.time_step);
    sweep.begin();
    if (last) {
        sweep.template run_to<true>(awake);
    } else {
        for (const std::size_t sensor : task.sensors) {
            if (sensor >= awake) break;
            sweep.template run_to<false>(sensor);
            sweep.template run_to<true>(sensor + 1);
        }
        sweep.template run_to<false>(awake);
    }
    if (awake == task.beads) {
        if (last) sweep.force().store(stored_force);
    } else if (!same_bits(sweep.force(), force_at_rest)) {
        // The first bead at rest begins to move. Its right contact is still at rest.
        sweep.template kick<true>(
            LaneVector::load(stored_force + LaneResult::count * chains_at_once));
        task.awake = awake + 1;
    }
}

/// Appends a step to the traces.
HWY_NOINLINE HWY_FLATTEN inline void record_lanes(const LaneTask& task, std::size_t step) {
    std::size_t at = step * chains_at_once;
    const auto keep = [](LaneVector value, double* extreme, bool larger) HWY_ATTR {
        const LaneVector before = LaneVector::load(extreme);
        select(larger ? value > before : value < before, value, before).store(extreme);
    };
    const std::size_t next_sensor = static_cast<std::size_t>(task.steps) * chains_at_once;
    for (std::size_t s = 0; s < task.sensors.size(); ++s, at += next_sensor) {
        const double* const result =
            task.results + task.sensors[s] * LaneResult::count * chains_at_once;
        const auto column = [&](std::size_t k)
                                HWY_ATTR { return LaneVector::load(result + k * chains_at_once); };
        const LaneVector force = LaneVector(0.5) * (column(LaneResult::force) +
                                                    column(LaneResult::count + LaneResult::force));
        const LaneVector velocity = column(LaneResult::velocity);
        force.store(task.trace_force + at);
        velocity.store(task.trace_velocity + at);
        keep(force, task.strongest + s * chains_at_once, true);
        keep(velocity, task.fastest + s * chains_at_once, true);
        keep(velocity, task.slowest + s * chains_at_once, false);
    }
}

template <class Law>
void advance_lanes(LaneTask& task) {
    for (std::int64_t step = 1; step <= task.steps; ++step) {
        const bool last = step == task.steps;
        task.uniform ? step_lanes<Law, true>(task, last) : step_lanes<Law, false>(task, last);
        if (!task.sensors.empty()) record_lanes(task, static_cast<std::size_t>(step - 1));
    }
}

}  // namespace beadwave::dynamics::BEADWAVE_TARGET
