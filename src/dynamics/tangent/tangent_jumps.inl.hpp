// What happens at an instant that moves with the parameters, between two steps: a contact closes
// with a jump of the force, or opens with one, passes an overlap at which its law's force jumps, or
// a law remembers how fast its contact closed. The derivative of the steps does not show it: within
// a step nothing changes until the instant passes to the next one. Included like
// tiled/vector_number.inl.hpp.
//
// With the overlap's derivative d' at that instant and its rate r, the instant comes d'/r earlier.
// A force that is higher by [F] after it gives [F] d'/r more momentum; a speed that grows with the
// acceleration a is less by a d'/r when it is remembered.

namespace beadwave::dynamics::BEADWAVE_TARGET {

/// The overlaps at which a law's force may jump.
template <class Law>
struct Jumps {
    static constexpr std::size_t count = asks_speed<Law> ? 1 : 0;
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

/// Slower passages are none [m/s]: in the head of a wave numbers fall double-exponentially to zero,
/// and at touching contacts one would divide by nothing. No force jumps there by more than nothing.
inline constexpr double slowest_passage = 1e-12;

/// The contacts of a block whose overlap has passed `place` in this step.
HWY_INLINE RegisterMask passed(Register before, Register now, Register place) {
    const RegisterMask was = before <= place, is = now <= place;
    return (was && !is) || (is && !was);
}

template <class Law>
HWY_INLINE bool passes_jump(const TangentRow& row, const Asked& asked) {
    if constexpr (Jumps<Law>::count == 0) return false;
    const Register before = Register::load(row.overlap + asked.at);
    const Law law = law_of<Law>(row, asked.at);
    RegisterMask any_of_them = passed(before, asked.overlap.value, Jumps<Law>::at(law, 0).value);
    for (std::size_t k = 1; k < Jumps<Law>::count; ++k) {
        any_of_them =
            any_of_them || passed(before, asked.overlap.value, Jumps<Law>::at(law, k).value);
    }
    return any(any_of_them);
}

/// Force of contacts some of which pass a jump, whose memory is stored; the blows of the jumps.
template <class Law>
HWY_NOINLINE HWY_FLATTEN Dual pass_jumps(const TangentRow& row, const Asked& asked) {
    const std::size_t i = asked.at;
    const Register dt(row.time_step), now = asked.overlap.value;
    const Dual overlap_before = Dual::load(row.overlap + i, row.stride);
    const Register before = overlap_before.value;
    const Register rate = (now - before) / dt;
    const Law law = law_of<Law>(row, i);
    const auto memory = memory_of<Law>(row, i);
    Asked as_it_closed = asked;
    Dual blow = Dual::load(row.blow + i, row.stride);
    for (std::size_t k = 0; k < Jumps<Law>::count; ++k) {
        const Dual place = Jumps<Law>::at(law, k);
        const RegisterMask now_passed =
            passed(before, now, place.value) && abs(rate) > Register(slowest_passage);
        const Register part = select(now_passed, (now - place.value) / (now - before), Register());
        const auto force_at = [&](Register overlap) HWY_ATTR {
            return law.respond(Dual(overlap), Dual(asked.approach_speed.value), memory).force.value;
        };
        // Just above and just below; at zero overlap a contact has no force.
        const Register up = force_at(place.value * Register(1.0 + 1e-12) + Register(1e-60)) -
                            force_at(place.value * Register(1.0 - 1e-12));
        // A contact that never closes may have a law without numbers.
        const Register jump = select(now_passed, select(rate > Register(0.0), up, -up), Register());
        for (std::size_t d = 0; d < tangent_directions; ++d) {
            const Register after = asked.overlap.along[d];
            const Register there =
                after - part * (after - overlap_before.along[d]) - place.along[d];
            const Register earlier = select(now_passed, there / rate, Register());
            blow.along[d] += jump * earlier;
            if (asks_speed<Law> && k == 0) {
                const Register gained =
                    asked.approach_speed.value - Register::load(row.approach_speed + i);
                as_it_closed.approach_speed.along[d] -= earlier * gained / dt;
            }
        }
    }
    blow.store(row.blow + i, row.stride);
    const auto [force, next] =
        law.respond(as_it_closed.overlap, as_it_closed.approach_speed, memory);
    store_record(next, row.memory, i, row.stride);
    if constexpr (asks_speed<Law>) {
        return law.respond(asked.overlap, asked.approach_speed, next).force;
    } else {
        return force;
    }
}

/// Gives the beads the momentum of all blows of a step, which are forgotten.
HWY_FLATTEN void strike(const TangentRow& row) {
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

}  // namespace beadwave::dynamics::BEADWAVE_TARGET
