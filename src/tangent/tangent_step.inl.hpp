// One step of a row with its derivatives. Included by vector_code.cpp.
//
// The numbers follow the tiled engine operation by operation. The derivatives are those of the
// motion, not of the steps: if a force sets in with a jump, or a law stores the speed at which its
// contact closed, the instant of closing changes too, and the steps alone do not contain this
// change.

namespace beadwave::dynamics::tangent::BEADWAVE_TARGET {

/// Force of the contacts; stores their memory.
template <class Law>
HWY_INLINE Dual respond_and_store(const TangentRow& row, const ContactInput& input) {
    const auto [force, memory] =
        law_of<Law>(row, input.at)
            .respond(input.overlap, input.approach_speed, memory_of<Law>(row, input.at));
    store_record(memory, row.memory, input.at, row.stride);
    return force;
}

/// respond_and_store() for contacts some of which load. Not inlined: `step` keeps its registers.
template <class Law>
HWY_NOINLINE HWY_FLATTEN Dual load_further(const TangentRow& row, const ContactInput& input) {
    return respond_and_store<Law>(row, input);
}

template <class Law>
HWY_INLINE Dual force_of(const TangentRow& row, const ContactInput& input) {
    if constexpr (remembers_largest<Law>) {
        const auto memory = memory_of<Law>(row, input.at);
        if (HWY_UNLIKELY(any(input.overlap > memory.largest_overlap)))
            return load_further<Law>(row, input);
        return law_of<Law>(row, input.at).unloading_force(input.overlap, memory);
    } else {
        return respond_and_store<Law>(row, input);
    }
}

/// Stores what the jumps of the next step need.
template <class Law>
HWY_INLINE void store_for_jumps(const TangentRow& row, const ContactInput& input) {
    if constexpr (Jumps<Law>::count > 0) {
        input.overlap.store(row.overlap + input.at, row.stride);
        input.approach_speed.value.store(row.approach_speed + input.at);
    }
}

/// (dt/2) acceleration by the net force of the contacts.
HWY_INLINE Dual velocity_change_of(const TangentRow& row, std::size_t i, const Dual& net) {
    return (net + Dual::load(row.body_force + i, row.stride)) *
           Dual::load(row.kick + i, row.stride);
}

template <class Law>
HWY_FLATTEN bool step(const TangentRow& row, const TangentWall& wall) {
    const std::size_t stride = row.stride;
    const Register dt(row.time_step);
    Dual left_displacement = Dual::fill(wall.displacement), left_predicted;
    if constexpr (uses_speed<Law>) left_predicted = Dual::fill(wall.velocity);

    const auto kick = [&](std::size_t i, const Dual& force, const Dual& next_force) HWY_ATTR {
        const Dual velocity_change =
            velocity_change_of(row, i, force - moved_down(force, next_force));
        const Dual half = (Dual::load(row.half + i, stride) + velocity_change) + velocity_change;
        half.store(row.half_after + i, stride);
        if constexpr (uses_speed<Law>) velocity_change.store(row.velocity_change + i, stride);
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
        ContactInput input;
        input.at = i;
        input.overlap = moved_up(left_displacement, displacement) - displacement -
                        Dual::load(row.gap + i, stride);
        left_displacement = displacement;
        if constexpr (uses_speed<Law>) {
            const Dual predicted = half + Dual::load(row.velocity_change + i, stride);
            input.approach_speed = moved_up(left_predicted, predicted) - predicted;
            left_predicted = predicted;
        }
        Dual force;
        if (HWY_UNLIKELY(passes_jump<Law>(row, input))) {
            force = pass_jumps<Law>(row, input);
            struck = true;
        } else {
            force = force_of<Law>(row, input);
        }
        store_for_jumps<Law>(row, input);
        force.store(row.force + i, stride);
        if (i > 0) kick(i - register_lanes, force_before, force);
        force_before = force;
    }
    kick(row.length - register_lanes, force_before, Dual());
    return struck;
}

/// First forces, as in the tiled engine.
template <class Law>
HWY_FLATTEN void init_forces(const TangentRow& row, const TangentWall& wall) {
    Dual left_displacement = Dual::fill(wall.displacement),
         left_velocity = Dual::fill(wall.velocity);
    for (std::size_t i = 0; i < row.length; i += register_lanes) {
        const Dual displacement = Dual::load(row.displacement + i, row.stride);
        const Dual velocity = Dual::load(row.half + i, row.stride);
        ContactInput input;
        input.at = i;
        input.overlap = moved_up(left_displacement, displacement) - displacement -
                        Dual::load(row.gap + i, row.stride);
        input.approach_speed = moved_up(left_velocity, velocity) - velocity;
        for (int time = 0; time < 2; ++time)
            respond_and_store<Law>(row, input).store(row.force + i, row.stride);
        store_for_jumps<Law>(row, input);
        left_displacement = displacement;
        left_velocity = velocity;
    }
}

/// Half-step velocity changes from the forces of the contacts.
HWY_FLATTEN void init_velocity_change(const TangentRow& row) {
    for (std::size_t i = 0; i < row.length; i += register_lanes) {
        const Dual net =
            Dual::load(row.force + i, row.stride) - Dual::load(row.force + i + 1, row.stride);
        velocity_change_of(row, i, net).store(row.velocity_change + i, row.stride);
    }
}

/// Half-step velocities from the velocities.
HWY_FLATTEN void init_half_step(const TangentRow& row) {
    for (std::size_t i = 0; i < row.length; i += register_lanes) {
        (Dual::load(row.half + i, row.stride) + Dual::load(row.velocity_change + i, row.stride))
            .store(row.half + i, row.stride);
    }
}

}  // namespace beadwave::dynamics::tangent::BEADWAVE_TARGET
