// One step of a row with its derivatives. Included like tiled/vector_number.inl.hpp.
//
// The numbers follow the tiled engine's operation by operation. The derivatives are those of the
// motion, not of the steps: where a force sets in with a jump, or a law remembers the speed at
// which its contact closed, the instant of closing changes too, which the steps do not show.

namespace beadwave::dynamics::BEADWAVE_TARGET {

/// Force of the contacts, whose memory is stored. Not inlined: `step` keeps its registers.
template <class Law>
HWY_NOINLINE HWY_FLATTEN Dual respond_and_store(const TangentRow& row, const Asked& asked) {
    const auto [force, memory] =
        law_of<Law>(row, asked.at)
            .respond(asked.overlap, asked.approach_speed, memory_of<Law>(row, asked.at));
    store_record(memory, row.memory, asked.at, row.stride);
    return force;
}

template <class Law>
HWY_INLINE Dual force_of(const TangentRow& row, const Asked& asked) {
    if constexpr (remembers_largest<Law>) {
        const auto memory = memory_of<Law>(row, asked.at);
        if (HWY_UNLIKELY(any(asked.overlap > memory.largest_overlap)))
            return respond_and_store<Law>(row, asked);
        return law_of<Law>(row, asked.at).unloading_force(asked.overlap, memory);
    } else {
        const auto [force, memory] =
            law_of<Law>(row, asked.at)
                .respond(asked.overlap, asked.approach_speed, memory_of<Law>(row, asked.at));
        store_record(memory, row.memory, asked.at, row.stride);
        return force;
    }
}

/// For the next step's jumps.
template <class Law>
HWY_INLINE void note(const TangentRow& row, const Asked& asked) {
    if constexpr (Jumps<Law>::count > 0) {
        asked.overlap.store(row.overlap + asked.at, row.stride);
        asked.approach_speed.value.store(row.approach_speed + asked.at);
    }
}

/// (dt/2) acceleration by a net force of the contacts.
HWY_INLINE Dual gain_of(const TangentRow& row, std::size_t i, const Dual& net) {
    return (net + Dual::load(row.push + i, row.stride)) * Dual::load(row.kick + i, row.stride);
}

template <class Law>
HWY_FLATTEN void step(const TangentRow& row, const TangentWall& wall) {
    const std::size_t stride = row.stride;
    const Register dt(row.time_step);
    Dual left_displacement = Dual::fill(wall.displacement), left_predicted;
    if constexpr (asks_speed<Law>) left_predicted = Dual::fill(wall.velocity);

    const auto kick = [&](std::size_t i, const Dual& force, const Dual& next_force) HWY_ATTR {
        const Dual gain = gain_of(row, i, force - moved_down(force, next_force));
        const Dual half = (Dual::load(row.half + i, stride) + gain) + gain;
        half.store(row.half + i, stride);
        if constexpr (asks_speed<Law>) gain.store(row.gain + i, stride);
    };

    Dual force_before;
    bool struck = false;
    for (std::size_t i = 0; i < row.length; i += register_lanes) {
        const Dual half = Dual::load(row.half + i, stride);
        Dual displacement = Dual::load(row.displacement + i, stride);
        displacement.value = multiply_add(dt, half.value, displacement.value);
        for (std::size_t k = 0; k < tangent_directions; ++k)
            displacement.along[k] = multiply_add(dt, half.along[k], displacement.along[k]);
        displacement.store(row.displacement + i, stride);
        Asked asked;
        asked.at = i;
        asked.overlap = moved_up(left_displacement, displacement) - displacement -
                        Dual::load(row.gap + i, stride);
        left_displacement = displacement;
        if constexpr (asks_speed<Law>) {
            const Dual predicted = half + Dual::load(row.gain + i, stride);
            asked.approach_speed = moved_up(left_predicted, predicted) - predicted;
            left_predicted = predicted;
        }
        Dual force;
        if (HWY_UNLIKELY(passes_jump<Law>(row, asked))) {
            force = pass_jumps<Law>(row, asked);
            struck = true;
        } else {
            force = force_of<Law>(row, asked);
        }
        note<Law>(row, asked);
        force.store(row.force + i, stride);
        if (i > 0) kick(i - register_lanes, force_before, force);
        force_before = force;
    }
    kick(row.length - register_lanes, force_before, Dual());
    if (HWY_UNLIKELY(struck)) strike(row);
}

/// As the tiled engine begins.
template <class Law>
HWY_FLATTEN void touch(const TangentRow& row, const TangentWall& wall) {
    Dual left_displacement = Dual::fill(wall.displacement),
         left_velocity = Dual::fill(wall.velocity);
    for (std::size_t i = 0; i < row.length; i += register_lanes) {
        const Dual displacement = Dual::load(row.displacement + i, row.stride);
        const Dual velocity = Dual::load(row.half + i, row.stride);
        Asked asked;
        asked.at = i;
        asked.overlap = moved_up(left_displacement, displacement) - displacement -
                        Dual::load(row.gap + i, row.stride);
        asked.approach_speed = moved_up(left_velocity, velocity) - velocity;
        for (int time = 0; time < 2; ++time)
            respond_and_store<Law>(row, asked).store(row.force + i, row.stride);
        note<Law>(row, asked);
        left_displacement = displacement;
        left_velocity = velocity;
    }
}

/// Gains from the forces, and half-step velocities from velocities.
HWY_FLATTEN void settle(const TangentRow& row) {
    for (std::size_t i = 0; i < row.length; i += register_lanes) {
        const Dual net =
            Dual::load(row.force + i, row.stride) - Dual::load(row.force + i + 1, row.stride);
        const Dual gain = gain_of(row, i, net);
        gain.store(row.gain + i, row.stride);
        (Dual::load(row.half + i, row.stride) + gain).store(row.half + i, row.stride);
    }
}

template <std::size_t... index>
TangentKernel kernel_of(std::size_t law, std::index_sequence<index...>) {
    TangentKernel kernel;
    const auto offer = [&]<std::size_t candidate>() {
        using Scalar = std::variant_alternative_t<candidate, laws::AnyLaw>;
        using Law = typename Scalar::template Rebind<Dual>;
        if (law == candidate) kernel = {&touch<Law>, &settle, &step<Law>};
    };
    (offer.template operator()<index>(), ...);
    return kernel;
}

TangentInstructions tangent_instructions(const char* name) {
    return {.name = name, .kernel = [](std::size_t law) {
                return kernel_of(law,
                                 std::make_index_sequence<std::variant_size_v<laws::AnyLaw>>{});
            }};
}

}  // namespace beadwave::dynamics::BEADWAVE_TARGET
