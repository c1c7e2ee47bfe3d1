// One step of some beads, backwards. Included by vector_code.cpp.
//
//     half = velocity before + change before        velocity bar = change bar = half bar
//     u += dt half                                  half bar = velocity bar + dt u bar
//     overlap = u_(c-1) - u_c - gap                 u bar += overlap bar_(c+1) - overlap bar_c
//     F = law(overlap)                              overlap bar = F bar dF/d overlap
//     change = kick (F_i - F_(i+1) + load)          F bar = push_c - push_(c-1), push = kick change
//     bar velocity = half + change                      change bar += velocity bar
//
// from the last line to the first. One register ahead gets the bars of its overlaps, then the beads
// of this one their new bars.

namespace beadwave::gradients::BEADWAVE_TARGET {

/// What the reverse of a bead's contacts leaves for that of the bead.
struct Ahead {
    Register change_bar, push, force, overlap_bar;
    HWY_INLINE Ahead() {}
};

template <class Path>
HWY_FLATTEN void reverse_row(const RowChain& chain, const ReverseRow& row) {
    const RowChain c = chain;
    const ReverseRow r = row;
    const Register dt(c.time_step);
    Register left_push;
    const auto reverse_contacts = [&](std::size_t i) HWY_ATTR {
        Ahead x;
        const Register bar = Register::load(r.velocity_bar + i);
        x.change_bar = bar + bar;
        const bool read = c.read[i / row_block] != 0;
        if (HWY_UNLIKELY(read)) x.change_bar += Register::load(r.velocity_seed + i);
        x.push = x.change_bar * Register::load(c.kick + i);
        add_to(r.push_sum + i, x.change_bar);
        Register force_bar = x.push - moved_up(left_push, x.push);
        left_push = x.push;
        if (HWY_UNLIKELY(read)) force_bar += Register::load(r.force_seed + i);
        const ReversedContacts contacts = Path::reverse(c, r, i, force_bar);
        x.force = contacts.force;
        x.overlap_bar = contacts.overlap_bar;
        add_to(r.overlap_sum + i, x.overlap_bar);
        return x;
    };
    const auto reverse_beads = [&](std::size_t i, const Ahead& now, const Ahead& next) HWY_ATTR {
        const Register net = now.force - moved_down(now.force, next.force);
        add_to(r.kick_bar + i, now.change_bar * net);
        const Register displacement_bar =
            Register::load(r.displacement_bar + i) +
            (moved_down(now.overlap_bar, next.overlap_bar) - now.overlap_bar);
        displacement_bar.store(r.displacement_bar + i);
        Register velocity_bar = Register::load(r.velocity_bar + i);
        if (HWY_UNLIKELY(c.read[i / row_block] != 0))
            velocity_bar += Register::load(r.velocity_seed + i);
        multiply_add(dt, displacement_bar, velocity_bar).store(r.velocity_bar + i);
    };
    // Registers of the block that the row to the left has begun.
    const auto begun = [&](std::size_t i) HWY_ATTR {
        const double* const edge = r.edge + (i - r.begin);
        Ahead x;
        x.change_bar = Register::load(edge);
        x.push = Register::load(edge + row_block);
        x.force = Register::load(edge + 2 * row_block);
        x.overlap_bar = Register::load(edge + 3 * row_block);
        left_push = x.push;
        return x;
    };
    const auto keep = [&](std::size_t i, const Ahead& x) HWY_ATTR {
        double* const edge = r.edge + (i - r.end);
        x.change_bar.store(edge);
        x.push.store(edge + row_block);
        x.force.store(edge + 2 * row_block);
        x.overlap_bar.store(edge + 3 * row_block);
    };
    const std::size_t begun_end = r.begin == 0 ? 0 : r.begin + row_block;
    Ahead now = r.begin == 0 ? reverse_contacts(0) : begun(r.begin);
    std::size_t i = r.begin;
    for (; i < r.end; i += register_lanes) {
        const std::size_t ahead = i + register_lanes;
        Ahead next;
        if (ahead < begun_end) {
            next = begun(ahead);
        } else if (ahead < r.length) {
            next = reverse_contacts(ahead);
        }
        reverse_beads(i, now, next);
        now = next;
    }
    if (r.end >= r.length) return;
    // The rest of the block ahead, for the row to the right.
    keep(i, now);
    for (i += register_lanes; i < r.end + row_block; i += register_lanes)
        keep(i, reverse_contacts(i));
}

}  // namespace beadwave::gradients::BEADWAVE_TARGET
