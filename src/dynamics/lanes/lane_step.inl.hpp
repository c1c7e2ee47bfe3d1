// Steps of several chains that advance together. Included by vector_code.cpp.
//
// A vector holds the same bead of several chains; with AVX-512 it is two beads wide. No number
// moves between chains. The operations on a bead are those of ../tiled/tiled_step.inl.hpp in the
// same order, so a chain has the same bits as alone. As there, three vectors are processed at once:
// the next one drifts, this one gets its forces, the one before the last its new velocities.
//
// Few contacts share a vector with one that loads beyond its elastic limit, and beads at rest ahead
// of a wave are skipped.

namespace beadwave::dynamics::BEADWAVE_TARGET {

// The state of a chain of a hundred beads should fit the first-level cache.
inline constexpr std::size_t beads_at_once = HWY_TARGET == HWY_AVX3 ? 2 : 1;
inline constexpr std::size_t chains_at_once = lane_count / beads_at_once;

/// The numbers of a sensor in LaneTask::recent_force.
inline constexpr std::size_t recent_numbers = (recent_steps + 1) * chains_at_once;

/// The beads of `now` moved up by one; the first is the last of `before`.
HWY_INLINE Vector bead_up(Vector before, Vector now) {
    if constexpr (beads_at_once == 1) {
        return before;
    } else {
        return {before.high, now.low};
    }
}
/// The beads of `now` moved down by one; the last is the first of `after`.
HWY_INLINE Vector bead_down(Vector now, Vector after) {
    if constexpr (beads_at_once == 1) {
        return after;
    } else {
        return {now.high, after.low};
    }
}

/// Parameters of the chains; `uniform`: the same for all beads of a chain.
template <bool uniform>
struct LaneParameters {
    static constexpr std::size_t width = uniform ? chains_at_once : lane_count;
    /// The distance from the first register of a vector to the second.
    static constexpr std::size_t second = width == lane_count ? register_lanes : 0;

    static HWY_INLINE Vector load(const double* numbers, std::size_t k) {
        const double* const at = numbers + k * width;
        return {Register::load(at), Register::load(at + second)};
    }
    template <class Law>
    static HWY_INLINE Law law(const double* numbers) {
        return laws::from_fields<Law>([&](std::size_t k) HWY_ATTR { return load(numbers, k); });
    }
};

/// A law or its memory from one register of each column.
template <class Record>
HWY_INLINE Record load_half(const double* columns, std::size_t width) {
    return laws::from_fields<Record>([&](std::size_t k)
                                         HWY_ATTR { return Register::load(columns + k * width); });
}

/// Force of the contacts in a register, some of which load. Not inlined, as in tiled_step.inl.hpp.
template <class Law, std::size_t parameter_width>
HWY_NOINLINE HWY_FLATTEN Register load_further(const double* parameters, double* memory,
                                               Register overlap) {
    const auto [force, after] =
        load_half<Law>(parameters, parameter_width)
            .respond(overlap, Register(), load_half<typename Law::Memory>(memory, lane_count));
    laws::to_fields(after, [&](std::size_t k, Register value)
                               HWY_ATTR { value.store(memory + k * lane_count); });
    return force;
}

/// The columns of a law's entries.
template <class Law>
inline constexpr LaneColumns lane_columns{uses_speed<Law>, Law::conservative,
                                          laws::field_count<typename Law::Memory>};

/// Input of the contact laws of a vector.
struct LaneMotion {
    Vector overlap, approach_speed;
    HWY_INLINE LaneMotion() {}
};

/// `yes` where the condition holds, otherwise `no`, for every number of a record.
template <class Record>
HWY_INLINE Record select_each(Mask condition, const Record& yes, const Record& no) {
    Vector all[laws::field_count<Record>], others[laws::field_count<Record>];
    laws::to_fields(yes, [&](std::size_t k, Vector value) HWY_ATTR { all[k] = value; });
    laws::to_fields(no, [&](std::size_t k, Vector value) HWY_ATTR { others[k] = value; });
    return laws::from_fields<Record>([&](std::size_t k)
                                         HWY_ATTR { return select(condition, all[k], others[k]); });
}

template <class Law, bool uniform>
class LaneSteps {
  public:
    HWY_INLINE explicit LaneSteps(LaneTask& task) : task_(task) {}

    /// One step of the beads in the window. `row`: of the recent ones, for the sensors. `last`:
    /// also stores the results.
    HWY_NOINLINE HWY_FLATTEN void step(std::size_t row, bool last) {
        const Vector dt(task_.time_step);
        const Vector uniform_factor = Parameters::load(task_.parameters, law_fields);
        const std::size_t vectors = task_.window / beads_at_once;
        double* const entries = task_.entries;
        const double* const parameters = task_.parameters;
        const std::size_t* sensor = task_.sensors.data();
        const std::size_t* const sensors_end = sensor + task_.sensors.size();
        double* trace = task_.recent_force + row * chains_at_once;
        const std::ptrdiff_t to_velocity = task_.recent_velocity - task_.recent_force;
        const auto next_sensor = [&]() HWY_ATTR {
            return sensor == sensors_end ? vectors : *sensor / beads_at_once;
        };
        std::size_t stored = last ? 0 : next_sensor();  // the next vector that is

        Vector left_displacement, left_predicted;  // the wall at rest
        const auto drift = [&](double* entry) HWY_ATTR {
            LaneMotion motion;
            const Vector half = column(entry, LaneColumns::half);
            const Vector displacement =
                multiply_add(dt, half, column(entry, LaneColumns::displacement));
            put(displacement, entry, LaneColumns::displacement);
            motion.overlap = bead_up(left_displacement, displacement) - displacement -
                             column(entry, LaneColumns::gap);
            left_displacement = displacement;
            if constexpr (uses_speed<Law>) {
                const Vector predicted = half + column(entry, columns.velocity_change);
                motion.approach_speed = bead_up(left_predicted, predicted) - predicted;
                left_predicted = predicted;
            }
            return motion;
        };
        const auto kick = [&](std::size_t at, Vector force, Vector next_force) HWY_ATTR {
            double* const entry = entries + at * stride;
            const Vector next = bead_down(force, next_force);
            const Vector net = force - next;
            Vector change;
            if constexpr (uniform) {
                change = net * uniform_factor;
            } else {
                const double* const numbers = parameters + at * parameter_stride;
                change = (net + Parameters::load(numbers, law_fields + 1)) *
                         Parameters::load(numbers, law_fields);
            }
            const Vector velocity = column(entry, LaneColumns::half) + change;
            put(velocity + change, entry, LaneColumns::half);
            if constexpr (uses_speed<Law>) put(change, entry, columns.velocity_change);
            if constexpr (!Law::conservative)
                put(multiply_add(net, velocity, column(entry, columns.power)), entry,
                    columns.power);
            if (HWY_LIKELY(at != stored)) return;
            const Vector mean = Vector(0.5) * (force + next);
            for (; sensor != sensors_end && *sensor / beads_at_once == at; ++sensor) {
                if constexpr (beads_at_once == 1) {
                    mean.store(trace);
                    velocity.store(trace + to_velocity);
                } else if (*sensor % 2 == 0) {
                    mean.low.store(trace);
                    velocity.low.store(trace + to_velocity);
                } else {
                    mean.high.store(trace);
                    velocity.high.store(trace + to_velocity);
                }
                trace += recent_numbers;
            }
            if (last) {
                double* const result = task_.results + at * LaneResult::count * lane_count;
                put(force, result, LaneResult::force);
                put(velocity, result, LaneResult::velocity);
                put(change, result, LaneResult::velocity_change);
            }
            stored = last ? at + 1 : next_sensor();
        };

        const Vector force_at_rest =
            Vector::load(task_.results + vectors * LaneResult::count * lane_count);
        double* entry = entries;
        LaneMotion motion = drift(entry), next_motion;
        Vector force_before_last, force_before;
        std::size_t at = 0;
        const auto proceed = [&](Vector force) HWY_ATTR {
            if (at >= 2) kick(at - 2, force_before_last, force_before);
            motion = next_motion;
            force_before_last = force_before;
            force_before = force;
            entry += stride;
            ++at;
        };
        // The inner loop calls nothing, so that everything stays in registers.
        do {
            bool further = false;
            do {
                next_motion = drift(entry + stride);  // behind the last one: at rest, or unused
                const auto force =
                    respond(entry, parameters + at * parameter_stride, motion, further);
                if (HWY_UNLIKELY(further)) break;
                proceed(force);
            } while (at < vectors);
            if (further)
                proceed(respond_further(entry, parameters + at * parameter_stride, motion));
        } while (at < vectors);
        if (vectors >= 2) kick(vectors - 2, force_before_last, force_before);
        kick(vectors - 1, force_before, force_at_rest);
    }

    /// Adapts the window after a step.
    HWY_INLINE void end_step() {
        double* const last = task_.entries + (task_.window / beads_at_once - 1) * stride;
        if (task_.window > task_.beads) {
            // The wall, and what may be behind it, stay at rest.
            const std::size_t from = task_.beads % beads_at_once * chains_at_once;
            for (std::size_t k = from; k < lane_count; k += register_lanes) {
                Register().store(last + LaneColumns::half * lane_count + k);
                if constexpr (uses_speed<Law>)
                    Register().store(last + columns.velocity_change * lane_count + k);
            }
            return;
        }
        const double* const half =
            last + LaneColumns::half * lane_count + (beads_at_once - 1) * chains_at_once;
        for (std::size_t k = 0; k < chains_at_once; k += register_lanes) {
            if (same_bits(Register::load(half + k), Register())) continue;
            task_.window += beads_at_once;
            return;
        }
    }

  private:
    using Memory = typename Law::Memory;
    using Parameters = LaneParameters<uniform>;
    using Elastic = laws::ElasticPhase<Law>;
    static constexpr LaneColumns columns = lane_columns<Law>;
    static constexpr std::size_t stride = columns.count * lane_count;
    static constexpr std::size_t law_fields = laws::field_count<Law>;
    static constexpr std::size_t parameter_stride = uniform ? 0 : (law_fields + 2) * lane_count;

    static HWY_INLINE Vector column(const double* entry, std::size_t k) {
        return Vector::load(entry + k * lane_count);
    }
    static HWY_INLINE void put(Vector value, double* entry, std::size_t k) {
        value.store(entry + k * lane_count);
    }
    /// The forces of the contacts of an entry. If `further`, respond_further() is needed instead.
    static HWY_INLINE Vector respond(double* entry, const double* parameters, LaneMotion motion,
                                     bool& further) {
        double* const memory = entry + columns.memory * lane_count;
        auto before =
            laws::from_fields<Memory>([&](std::size_t k) HWY_ATTR { return column(memory, k); });
        const auto keep = [&](const Memory& after) HWY_ATTR {
            laws::to_fields(after,
                            [&](std::size_t k, Vector value) HWY_ATTR { put(value, memory, k); });
        };
        const Law law = Parameters::template law<Law>(parameters);
        if constexpr (remembers_largest<Law>) {
            const Mask loading = motion.overlap > before.largest_overlap;
            if (HWY_UNLIKELY(any(loading))) {
                further = true;
                if constexpr (Elastic::known) {
                    further = any(loading && Elastic::ended(law, motion.overlap));
                    if (HWY_LIKELY(!further)) {
                        before = select_each(loading, Elastic::turn(law, motion.overlap), before);
                        keep(before);
                    }
                }
            }
            return law.unloading_force(motion.overlap, before);
        } else {
            const auto [force, after] = law.respond(motion.overlap, motion.approach_speed, before);
            keep(after);
            return force;
        }
    }

    static HWY_INLINE Vector respond_further(double* entry, const double* parameters,
                                             LaneMotion motion) {
        if constexpr (remembers_largest<Law>) {
            double* const memory = entry + columns.memory * lane_count;
            const Register low = respond_half(parameters, memory, motion.overlap.low);
            return {low, respond_half(parameters + Parameters::second, memory + register_lanes,
                                      motion.overlap.high)};
        }
        return {};
    }

    /// The forces of respond_further() in one register.
    static HWY_INLINE Register respond_half(const double* parameters, double* memory,
                                            Register overlap) {
        using HalfLaw = typename Law::template Rebind<Register>;
        const auto before = load_half<typename HalfLaw::Memory>(memory, lane_count);
        if (any(overlap > before.largest_overlap))
            return load_further<HalfLaw, Parameters::width>(parameters, memory, overlap);
        return load_half<HalfLaw>(parameters, Parameters::width).unloading_force(overlap, before);
    }

    LaneTask& task_;
};

/// Fills the recent rows of the sensors outside the window, which may wake in one of these steps.
HWY_NOINLINE HWY_FLATTEN inline void record_resting(const LaneTask& task) {
    for (std::size_t s = 0; s < task.sensors.size(); ++s) {
        if (task.sensors[s] < task.window) continue;
        const auto result = [&](std::size_t bead, std::size_t column) {
            return task.results + (bead / beads_at_once * LaneResult::count + column) * lane_count +
                   bead % beads_at_once * chains_at_once;
        };
        for (std::size_t k = 0; k < chains_at_once; k += register_lanes) {
            const std::size_t bead = task.sensors[s];
            const Register left = Register::load(result(bead, LaneResult::force) + k),
                           right = Register::load(result(bead + 1, LaneResult::force) + k);
            const Register mean = Register(0.5) * (left + right);
            const Register velocity = Register::load(result(bead, LaneResult::velocity) + k);
            for (std::size_t row = 0; row <= recent_steps; ++row) {
                const std::size_t at = s * recent_numbers + row * chains_at_once + k;
                mean.store(task.recent_force + at);
                velocity.store(task.recent_velocity + at);
            }
        }
    }
}

/// Adds the recent rows, which are the rows [begin, end) of the traces, to their extremes, and to
/// the traces from the first on that may exceed what is known.
HWY_NOINLINE HWY_FLATTEN inline void end_rows(const LaneTask& task, std::size_t begin,
                                              std::size_t end) {
    const auto steps = static_cast<std::size_t>(task.steps);
    const std::size_t rows = end - begin;
    for (std::size_t s = 0; s < task.sensors.size(); ++s) {
        double* const recent_force = task.recent_force + s * recent_numbers;
        double* const recent_velocity = task.recent_velocity + s * recent_numbers;
        std::size_t& first = task.first_row[s];
        // Copies the recent rows from `row` on.
        const auto trace = [&](std::size_t row) HWY_ATTR {
            const std::size_t to = (s * steps + begin) * chains_at_once;
            for (std::size_t i = row; i <= rows; ++i) {
                const std::size_t from = i * chains_at_once;
                for (std::size_t k = 0; k < chains_at_once; k += register_lanes) {
                    const std::size_t at = to + from - chains_at_once + k;
                    Register::load(recent_force + from + k).store(task.trace_force + at);
                    Register::load(recent_velocity + from + k).store(task.trace_velocity + at);
                }
            }
        };
        if (task.sensors[s] >= task.window && begin > 0 && first > begin) {
            // At rest: all rows are the same.
            if (end == steps) trace(rows);
            continue;
        }
        bool exceeds = false;
        for (std::size_t k = 0; k < chains_at_once; k += register_lanes) {
            const std::size_t at = s * chains_at_once + k;
            const Register strongest_before = Register::load(task.strongest + at),
                           fastest_before = Register::load(task.fastest + at),
                           slowest_before = Register::load(task.slowest + at);
            Register strongest = strongest_before, fastest = fastest_before,
                     slowest = slowest_before;
            for (std::size_t row = 1; row <= rows; ++row) {
                const std::size_t place = row * chains_at_once + k;
                const Register velocity = Register::load(recent_velocity + place);
                strongest = max(strongest, Register::load(recent_force + place));
                fastest = max(fastest, velocity);
                slowest = min(slowest, velocity);
            }
            strongest.store(task.strongest + at);
            fastest.store(task.fastest + at);
            slowest.store(task.slowest + at);
            exceeds = exceeds || any(strongest > Register::load(task.strongest_known + at) ||
                                     fastest > Register::load(task.fastest_known + at) ||
                                     slowest < Register::load(task.slowest_known + at));
            if (!exceeds && first > begin) continue;
            const auto found = [&](double* row, RegisterMask here) HWY_ATTR {
                const Register row_begin(static_cast<double>(begin));
                select(here, row_begin, Register::load(row + at)).store(row + at);
            };
            found(task.strongest_row, strongest > strongest_before);
            found(task.fastest_row, fastest > fastest_before);
            found(task.slowest_row, slowest < slowest_before);
        }
        if (first <= begin) {
            trace(1);
        } else if (exceeds) {
            first = begin;
            trace(begin > 0 ? 0 : 1);
        } else if (end == steps) {
            trace(rows);
        }
        // The row before the next ones.
        for (std::size_t k = 0; k < chains_at_once; k += register_lanes) {
            const std::size_t from = rows * chains_at_once + k;
            Register::load(recent_force + from).store(recent_force + k);
            Register::load(recent_velocity + from).store(recent_velocity + k);
        }
    }
}

template <class Law, bool uniform>
void advance_lanes(LaneTask& task) {
    LaneSteps<Law, uniform> lanes(task);
    record_resting(task);
    const auto steps = static_cast<std::size_t>(task.steps);
    for (std::size_t begin = 0; begin < steps;) {
        const std::size_t end = std::min(begin + recent_steps, steps);
        for (std::size_t step = begin; step < end; ++step) {
            lanes.step(step + 1 - begin, step + 1 == steps);
            lanes.end_step();
        }
        end_rows(task, begin, end);
        begin = end;
    }
}

}  // namespace beadwave::dynamics::BEADWAVE_TARGET
