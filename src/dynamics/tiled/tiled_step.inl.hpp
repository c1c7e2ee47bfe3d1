// T steps of a tile, each one fused sweep over its beads: displacement, contact force, acceleration,
// velocity. Included like vector_number.inl.hpp.
//
// The arithmetic is the plain engine's, operation by operation. Between steps a bead is its
// displacement and half-step velocity; laws that dissipate also keep (dt/2) acceleration, for the
// predicted velocity, and the contact's force, for its work.

namespace beadwave::dynamics::BEADWAVE_TARGET {

template <class Record>
HWY_INLINE Record load_record(const double* const* columns, std::size_t i) {
    return laws::from_fields<Record>([&](std::size_t k) HWY_ATTR { return Vector::load(columns[k] + i); });
}

template <class Record>
HWY_INLINE void store_record(const Record& record, double* const* columns, std::size_t i) {
    laws::to_fields(record, [&](std::size_t k, Vector value) HWY_ATTR { value.store(columns[k] + i); });
}

/// The parameters of one block of contacts and beads.
template <class Law>
struct BlockParameters {
    Law law;
    Vector gap, inverse_mass, external;

    static HWY_INLINE BlockParameters uniform(const Parameters& p) {
        return {laws::from_fields<Law>([&](std::size_t k) HWY_ATTR { return Vector(p.law[k]); }), p.gap,
                p.inverse_mass, p.external};
    }
    static HWY_INLINE BlockParameters from(const ParameterColumns& p, std::size_t contact) {
        const std::size_t i = contact - p.begin;
        return {load_record<Law>(p.law, i), Vector::load(p.gap + i), Vector::load(p.inverse_mass + i),
                Vector::load(p.external + i)};
    }
};

/// Calls visit(i, parameters) for the blocks [begin, end) of a row.
template <class Law, class Function>
HWY_INLINE void for_blocks(const Parameters& p, const Visit& row, std::size_t begin, std::size_t end,
                           Function function) {
    const auto uniform = BlockParameters<Law>::uniform(p);
    const std::size_t uniform_end = row.uniform_end < end ? row.uniform_end : end;
    std::size_t i = begin;
    const ParameterColumns* columns = &p.left;
    std::size_t columns_end = row.uniform_begin < end ? row.uniform_begin : end;
    while (true) {
        for (; i < columns_end; i += lane_count) function(i, BlockParameters<Law>::from(*columns, row.first + i));
        if (columns_end == end) return;
        for (; i < uniform_end; i += lane_count) function(i, uniform);
        columns = &p.right;
        columns_end = end;
    }
}

/// One step of the blocks [begin, end). `full` stores velocity, gain and force too.
template <class Law, bool full>
HWY_NOINLINE HWY_FLATTEN void sweep(const Parameters& p, const Visit& row, std::size_t begin, std::size_t end) {
    constexpr bool dissipative = !Law::conservative;
    const State s = row.state;
    const Vector dt(p.time_step), half_dt(0.5 * p.time_step);
    // Left of the first block is a wall at rest, or rubbish that only reaches rubbish.
    Vector left_displacement, left_half, left_predicted;
    // The block before, which still lacks the force on its last bead's right.
    Vector half_before, force_before, inverse_mass_before, external_before;

    const auto finish = [&](std::size_t i, Vector force_after) HWY_ATTR {
        const Vector force_right = moved_down(force_before, force_after);
        const Vector acceleration = (force_before - force_right) * inverse_mass_before + external_before;
        const Vector gain = half_dt * acceleration;
        const Vector velocity = half_before + gain;
        (velocity + gain).store(s.half + i);
        if constexpr (full) velocity.store(s.velocity + i);
        if constexpr (full || dissipative) gain.store(s.gain + i);
    };

    for_blocks<Law>(p, row, begin, end, [&](std::size_t i, const BlockParameters<Law>& block_p) HWY_ATTR {
        const Vector half = Vector::load(s.half + i);
        const Vector displacement = Vector::load(s.displacement + i) + dt * half;
        displacement.store(s.displacement + i);
        const Vector overlap = moved_up(left_displacement, displacement) - displacement - block_p.gap;
        left_displacement = displacement;
        Vector approach_speed;
        if constexpr (dissipative) {
            const Vector predicted = half + Vector::load(s.gain + i);
            approach_speed = moved_up(left_predicted, predicted) - predicted;
            left_predicted = predicted;
        }
        const auto [force, memory] =
            block_p.law.respond(overlap, approach_speed, load_record<typename Law::Memory>(s.memory, i));
        store_record(memory, s.memory, i);
        if constexpr (dissipative) {
            const Vector closed = moved_up(left_half, half) - half;
            left_half = half;
            const Vector work = half_dt * (Vector::load(s.force + i) + force) * closed;
            (Vector::load(s.work + i) + work).store(s.work + i);
        }
        if constexpr (full || dissipative) force.store(s.force + i);
        // The first block's turn writes into the block before it, which nobody needs.
        finish(i - lane_count, force);
        half_before = half;
        force_before = force;
        inverse_mass_before = block_p.inverse_mass;
        external_before = block_p.external;
    });
    finish(end - lane_count, Vector());
}

template <class Law>
void visit(const Parameters& p, const Visit& row) {
    const State& s = row.state;
    for (std::size_t i = 0; i < row.length; i += lane_count) {
        (Vector::load(s.velocity + i) + Vector::load(s.gain + i)).store(s.half + i);
    }
    double* force_row = row.trace_force;
    double* velocity_row = row.trace_velocity;
    for (std::int64_t step = 1; step <= row.steps; ++step) {
        // Beads from `step` on to length - 1 - step are right after this step; they need one more
        // contact on the right and one more displacement on the left.
        const auto lost = static_cast<std::size_t>(step - 1);
        const std::size_t begin = row.left_end ? 0 : lost / lane_count * lane_count;
        const std::size_t end = row.right_end ? row.length : row.length - lost / lane_count * lane_count;
        if (step < row.steps && row.sensors.empty()) {
            sweep<Law, false>(p, row, begin, end);
            continue;
        }
        sweep<Law, true>(p, row, begin, end);
        for (const TileSensor& sensor : row.sensors) {
            force_row[sensor.column] = 0.5 * (s.force[sensor.bead] + s.force[sensor.bead + 1]);
            velocity_row[sensor.column] = s.velocity[sensor.bead];
        }
        force_row += row.trace_stride;
        velocity_row += row.trace_stride;
    }
}

template <class Law>
void start(const Parameters& p, const Visit& row) {
    const State& s = row.state;
    using Block = BlockParameters<Law>;
    // Twice: a contact that starts closed has been loaded to where it is, and answers from now on
    // by its unloading path, which may differ from the loading path by a rounding.
    for (int time = 0; time < 2; ++time) {
        Vector left_displacement, left_velocity;
        for_blocks<Law>(p, row, 0, row.length, [&](std::size_t i, const Block& block_p) HWY_ATTR {
            const Vector displacement = Vector::load(s.displacement + i);
            const Vector velocity = Vector::load(s.velocity + i);
            const auto [force, memory] = block_p.law.respond(
                moved_up(left_displacement, displacement) - displacement - block_p.gap,
                moved_up(left_velocity, velocity) - velocity, load_record<typename Law::Memory>(s.memory, i));
            left_displacement = displacement;
            left_velocity = velocity;
            force.store(s.force + i);
            store_record(memory, s.memory, i);
        });
    }
    for_blocks<Law>(p, row, 0, row.length, [&](std::size_t i, const Block& block_p) HWY_ATTR {
        const Vector force = Vector::load(s.force + i);
        const Vector after = i + lane_count < row.length ? Vector::load(s.force + i + lane_count) : Vector();
        const Vector acceleration = (force - moved_down(force, after)) * block_p.inverse_mass + block_p.external;
        (Vector(0.5 * p.time_step) * acceleration).store(s.gain + i);
    });
}

/// A bead rests when velocity and acceleration are zero; a contact, when the law, asked again
/// without motion, gives the same force and memory.
template <class Law>
Look look(const Parameters& p, const Visit& row, std::size_t begin, std::size_t end) {
    const State& s = row.state;
    Look seen{.at_rest = true, .finite = true};
    for (std::size_t i = begin; i < end; i += lane_count) {
        const Vector none = Vector::load(s.displacement + i) * 0.0 + Vector::load(s.velocity + i) * 0.0;
        if (any(none != Vector(0.0))) seen.finite = false;
    }
    Vector left_displacement = begin > 0 ? Vector::load(s.displacement + begin - lane_count) : Vector();
    bool at_rest = true;
    for (std::size_t i = begin; i < end && at_rest; i += lane_count) {
        const Vector displacement = Vector::load(s.displacement + i);
        at_rest = same_bits(Vector::load(s.velocity + i), Vector()) &&
                  same_bits(Vector::load(s.gain + i), Vector()) && !any_minus_zero(displacement);
        if (!at_rest) break;
        for_blocks<Law>(p, row, i, i + lane_count, [&](std::size_t, const BlockParameters<Law>& block_p) HWY_ATTR {
            const auto before = load_record<typename Law::Memory>(s.memory, i);
            const Vector overlap = moved_up(left_displacement, displacement) - displacement - block_p.gap;
            const auto [force, memory] = block_p.law.respond(overlap, Vector(), before);
            at_rest = same_bits(force, Vector::load(s.force + i));
            laws::to_fields(memory, [&](std::size_t k, Vector value) HWY_ATTR {
                at_rest = at_rest && same_bits(value, Vector::load(s.memory[k] + i));
            });
        });
        left_displacement = displacement;
    }
    seen.at_rest = at_rest;
    return seen;
}

template <std::size_t... index>
Kernel kernel_of(std::size_t law, std::index_sequence<index...>) {
    Kernel kernel;
    const auto offer = [&]<std::size_t candidate>() {
        using Scalar = std::variant_alternative_t<candidate, laws::AnyLaw>;
        if constexpr (laws::is_vectorizable<Scalar>) {
            using Law = typename Scalar::template Rebind<Vector>;
            static_assert(laws::field_count<Law> <= most_fields);
            static_assert(laws::field_count<typename Law::Memory> <= most_fields);
            if (law == candidate) kernel = {&start<Law>, &visit<Law>, &look<Law>};
        }
    };
    (offer.template operator()<index>(), ...);
    return kernel;
}

template <class Function>
void apply(const double* x, double* y, std::size_t count, Function function) {
    for (std::size_t i = 0; i < count; i += lane_count) function(Vector::load(x + i)).store(y + i);
}

/// Everything of this instruction set, by name.
InstructionSet instruction_set(const char* name) {
    return {.name = name,
            .lanes = lane_count,
            .kernel = [](std::size_t law) {
                return kernel_of(law, std::make_index_sequence<std::variant_size_v<laws::AnyLaw>>{});
            },
            .functions = {
                .power_3_2 = [](auto x, auto y, auto n) HWY_ATTR { apply(x, y, n, [](Vector v) HWY_ATTR { return power_3_2(v); }); },
                .sqrt = [](auto x, auto y, auto n) HWY_ATTR { apply(x, y, n, [](Vector v) HWY_ATTR { return sqrt(v); }); },
                .log = [](auto x, auto y, auto n) HWY_ATTR { apply(x, y, n, [](Vector v) HWY_ATTR { return log(v); }); },
                .cbrt = [](auto x, auto y, auto n) HWY_ATTR { apply(x, y, n, [](Vector v) HWY_ATTR { return cbrt(v); }); },
                .exp = [](auto x, auto y, auto n) HWY_ATTR { apply(x, y, n, [](Vector v) HWY_ATTR { return exp(v); }); },
            }};
}

}  // namespace beadwave::dynamics::BEADWAVE_TARGET
