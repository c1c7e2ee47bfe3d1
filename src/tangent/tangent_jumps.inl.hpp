// Events between two steps whose instant depends on the parameters: a contact closes or opens with
// a jump of the force, an overlap passes a place where the force of the law jumps, or a law stores
// the speed at which its contact closed. The derivative of the steps does not contain these: within
// a step nothing changes until the instant moves to the next step. Included by
// vector_code.cpp.
//
// Let d' be the derivative of the overlap at the instant and r its rate: the instant comes d'/r
// earlier. A force that is higher by [F] after the instant gives [F] d'/r more momentum. A speed
// that grows with the acceleration a is lower by a d'/r when it is stored.

namespace beadwave::dynamics::tangent::BEADWAVE_TARGET {

/// The overlaps at which the force of a law may jump.
template <class Law>
struct Jumps {
    static constexpr std::size_t count = uses_speed<Law> ? 1 : 0;
    static HWY_INLINE Dual at(const Law&, std::size_t) { return Dual(0.0); }
};
template <laws::ImpactSpeed kind>
struct Jumps<laws::WangLiu<Dual, kind>> {
    static constexpr std::size_t count = 2;
    static HWY_INLINE Dual at(const laws::WangLiu<Dual, kind>& law, std::size_t k) {
        return k == 0 ? Dual(0.0) : law.overlap_yield;
    }
};
template <>
struct Jumps<laws::KogutEtsion<Dual>> {
    static constexpr std::size_t count = 2;
    static HWY_INLINE Dual at(const laws::KogutEtsion<Dual>& law, std::size_t k) {
        return k == 0 ? law.overlap_yield : law.overlap_yield * Dual(law.second);
    }
};
template <>
struct Jumps<laws::JacksonGreen<Dual>> {
    static constexpr std::size_t count = 1;
    static HWY_INLINE Dual at(const laws::JacksonGreen<Dual>& law, std::size_t) {
        return law.overlap_yield * Dual(law.elastic_limit);
    }
};

template <class Law>
HWY_INLINE bool passes_jump(const TangentRow& row, const ContactInput& input) {
    if constexpr (Jumps<Law>::count == 0) return false;
    const Register before = Register::load(row.overlap + input.at);
    const Law law = law_of<Law>(row, input.at);
    RegisterMask any_of_them = passed(before, input.overlap.value, Jumps<Law>::at(law, 0).value);
    for (std::size_t k = 1; k < Jumps<Law>::count; ++k) {
        any_of_them =
            any_of_them || passed(before, input.overlap.value, Jumps<Law>::at(law, k).value);
    }
    return any(any_of_them);
}

/// Force of contacts some of which pass a jump. Stores their memory and the blows of the jumps.
template <class Law>
HWY_NOINLINE HWY_FLATTEN Dual pass_jumps(const TangentRow& row, const ContactInput& input) {
    const std::size_t i = input.at;
    const Register dt(row.time_step), now = input.overlap.value;
    const Dual overlap_before = Dual::load(row.overlap + i, row.stride);
    const Register before = overlap_before.value;
    const Register rate = (now - before) / dt;
    const Law law = law_of<Law>(row, i);
    const auto memory = memory_of<Law>(row, i);
    ContactInput as_it_closed = input;
    Dual blow = Dual::load(row.blow + i, row.stride);
    for (std::size_t k = 0; k < Jumps<Law>::count; ++k) {
        const Dual place = Jumps<Law>::at(law, k);
        const RegisterMask now_passed =
            passed(before, now, place.value) && abs(rate) > Register(slowest_passage);
        const Register part = select(now_passed, (now - place.value) / (now - before), Register());
        const auto force_at = [&](Register overlap) HWY_ATTR {
            return law.respond(Dual(overlap), Dual(input.approach_speed.value), memory).force.value;
        };
        // Just above and just below the place; at zero overlap a contact has no force.
        const Register up = force_at(place.value * Register(1.0 + 1e-12) + Register(1e-60)) -
                            force_at(place.value * Register(1.0 - 1e-12));
        // A contact that never closes may have a law whose parameters are not numbers.
        const Register jump = select(now_passed, select(rate > Register(0.0), up, -up), Register());
        for (std::size_t d = 0; d < tangent_directions; ++d) {
            const Register after = input.overlap.along[d];
            const Register there =
                after - part * (after - overlap_before.along[d]) - place.along[d];
            const Register earlier = select(now_passed, there / rate, Register());
            blow.along[d] += jump * earlier;
            if (uses_speed<Law> && k == 0) {
                const Register gained =
                    input.approach_speed.value - Register::load(row.approach_speed + i);
                as_it_closed.approach_speed.along[d] -= earlier * gained / dt;
            }
        }
    }
    blow.store(row.blow + i, row.stride);
    const auto [force, next] =
        law.respond(as_it_closed.overlap, as_it_closed.approach_speed, memory);
    store_record(next, row.memory, i, row.stride);
    if constexpr (uses_speed<Law>) {
        return law.respond(input.overlap, input.approach_speed, next).force;
    } else {
        return force;
    }
}

/// Adds the momentum of all blows of a step to the beads, after all forces, and clears the blows.
HWY_FLATTEN void apply_blows(const TangentRow& row) {
    const Register per_kick(2.0 / row.time_step);  // 1/m = 2 kick / dt
    for (std::size_t i = 0; i < row.length; i += register_lanes) {
        const Register kick = Register::load(row.kick + i) * per_kick;
        for (std::size_t d = 1; d <= tangent_directions; ++d) {
            const double* const blow = row.blow + d * row.stride + i;
            double* const half = row.half + d * row.stride + i;
            const Register net = Register::load(blow) - Register::load(blow + 1);
            (Register::load(half) + kick * net).store(half);
        }
    }
    for (std::size_t d = 1; d <= tangent_directions; ++d)
        std::fill_n(row.blow + d * row.stride, row.length, 0.0);
}

}  // namespace beadwave::dynamics::tangent::BEADWAVE_TARGET
