// One step of some beads. Included by vector_code.cpp.
//
// Three registers are processed at once, each at another stage, as in the tiled engine: the next
// one drifts, the contacts of this one get their forces, and the beads of the one before the last
// get their new half-step velocity.

namespace beadwave::gradients::BEADWAVE_TARGET {

template <class Path>
HWY_FLATTEN void forward_row(const RowChain& chain, const ForwardRow& row) {
    // Copies, which no store of a number can change.
    const RowChain c = chain;
    const ForwardRow r = row;
    constexpr std::size_t lanes = register_lanes;
    const Register dt(c.time_step);
    Register left;  // of the wall before the first contact
    const auto drift = [&](std::size_t i) HWY_ATTR {
        const Register displacement =
            multiply_add(dt, Register::load(r.half + i), Register::load(r.displacement + i));
        displacement.store(r.displacement + i);
        const Register overlap =
            moved_up(left, displacement) - displacement - Register::load(c.gap + i);
        left = displacement;
        return overlap;
    };
    const auto kick = [&](std::size_t i, Register force, Register next) HWY_ATTR {
        const Register net = force - moved_down(force, next);
        const Register change =
            (net + Register::load(c.body_force + i)) * Register::load(c.kick + i);
        const Register velocity = Register::load(r.half + i) + change;
        (velocity + change).store(r.half + i);
        if (HWY_UNLIKELY(r.store_all || c.read[i / row_block] != 0)) {
            velocity.store(r.velocity + i);
            change.store(r.change + i);
        }
    };
    std::size_t i = 0, first_kick = 0;
    const std::size_t until = r.end < r.length ? r.end + row_block : r.length;
    Register force_before, force_before_last;
    if (r.begin > 0) {
        // The row to the left has drifted the first block.
        i = r.begin + row_block;
        left = Register::load(r.displacement + i - lanes);
        force_before = Register::load(r.force + i - lanes);
        for (first_kick = r.begin; first_kick + lanes < i; first_kick += lanes)
            kick(first_kick, Register::load(r.force + first_kick),
                 Register::load(r.force + first_kick + lanes));
    }
    Register overlap;
    if (i < until) overlap = drift(i);
    for (; i < until; i += lanes) {
        Register next;
        if (HWY_LIKELY(i + lanes < until)) next = drift(i + lanes);
        const Register force = Path::force(c, r, i, overlap);
        force.store(r.force + i);
        const std::size_t at = i - 2 * lanes;
        if (HWY_LIKELY(i >= first_kick + 2 * lanes && at < r.end))
            kick(at, force_before_last, force_before);
        overlap = next;
        force_before_last = force_before;
        force_before = force;
    }
    const std::size_t at = until - 2 * lanes;
    if (until >= first_kick + 2 * lanes && at < r.end) kick(at, force_before_last, force_before);
    if (until == r.length) kick(until - lanes, force_before, Register());
}

}  // namespace beadwave::gradients::BEADWAVE_TARGET
