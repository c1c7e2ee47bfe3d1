// Moves particles by the sums of their pairs' forces. Included by vector_code.cpp.

namespace beadwave::packing::BEADWAVE_TARGET {

/// `also(i, place, half, predicted)` gets the new lines of each particle.
template <bool last, bool rolls, class Also>
HWY_FLATTEN void kick_block(Kick& p, Also also) {
    alignas(64) static constexpr double of_centre[8] = {1, 1, 1, 0, 0, 0, 0, 0};
    alignas(64) static constexpr double of_rim[8] = {0, 0, 0, 0, 1, 1, 1, 0};
    alignas(64) static constexpr double of_work[8] = {0, 0, 0, 1, 0, 0, 0, 0};
    alignas(64) static constexpr double of_power[8] = {0, 0, 0, 0, 0, 0, 0, 1};
    const Line centre = Line::load(of_centre), rim = Line::load(of_rim),
               work_lane = Line::load(of_work), gravity_change = Line::load(p.gravity_change);
    const Line power_lane = Line::load(of_power);
    const Line dt = centre * Line::all(p.time_step), zero = Line::all(0.0);
    constexpr double infinity = std::numeric_limits<double>::infinity();
    Line lowest = Line::all(infinity), highest = Line::all(-infinity), moving = zero;
    Line slowest = lowest, fastest = highest;
    for (std::size_t i = p.begin; i < p.end; ++i) {
        double* const sums = p.force + (i - p.begin) * 8;
        const Line sum = Line::load(sums);
        zero.store(sums);
        const double m = p.kick[2 * i], l = p.kick[2 * i + 1];
        Line change = sum * (centre * Line::all(m) + rim * Line::all(l));
        if constexpr (rolls) {
            double* const turns = p.torque + (i - p.begin) * 8;
            change = change + Line::load(turns) * (rim * Line::all(p.angular_kick[i]));
            p.rolling_work[i] += turns[3];
            zero.store(turns);
        }
        if (m > 0.0) change = change + gravity_change;  // 0: fixed
        // Work and power are summed in spare lanes.
        const Line before = Line::load(p.before.half + i * 8);
        Line work = sum * work_lane;
        if (p.power && m > 0.0) {
            // Velocity change over kick is force; gravity does not count.
            alignas(64) double v[8], g[8];
            (before + change).store(v);
            change.store(g);
            const double by_mass = 1.0 / m, by_inertia = 1.0 / l;
            const double power = by_mass * ((g[0] - p.gravity_change[0]) * v[0] +
                                            (g[1] - p.gravity_change[1]) * v[1] +
                                            (g[2] - p.gravity_change[2]) * v[2]) +
                                 by_inertia * (g[4] * v[4] + g[5] * v[5] + g[6] * v[6]);
            work = work + power_lane * Line::all(power);
        }
        const Line velocity = before + (change + work);
        const Line half = velocity + change;
        moving = bits_of(change, bits_of(half, moving));
        if constexpr (last) {
            (change + work).store(p.after.half + i * 8);
        } else {
            half.store(p.after.half + i * 8);
            const Line place = Line::load(p.before.place + i * 8) + half * dt;
            place.store(p.after.place + i * 8);
            Line moved_by = place, its_half = half;
            if (p.reach != nullptr && p.reach[i] > 0.0) moved_by = its_half = zero;
            lowest = smaller(moved_by, lowest);
            highest = larger(moved_by, highest);
            slowest = smaller(its_half, slowest);
            fastest = larger(its_half, fastest);
            const Line predicted = half + change;
            if (p.after.predicted != nullptr) predicted.store(p.after.predicted + i * 8);
            also(i, place, half, predicted);
        }
    }
    alignas(64) double moved[8];
    const auto put_range = [&](const Line& low, const Line& high, Extent& range) HWY_ATTR {
        low.store(moved);
        std::copy_n(moved, 3, range.lowest.begin());
        high.store(moved);
        std::copy_n(moved, 3, range.highest.begin());
    };
    put_range(lowest, highest, p.extent);
    put_range(slowest, fastest, p.half);
    moving.store(moved);
    p.quiet = moved[0] == 0.0 && moved[1] == 0.0 && moved[2] == 0.0 && moved[4] == 0.0 &&
              moved[5] == 0.0 && moved[6] == 0.0;
}

inline void kick(Kick& p) {
    const bool last = p.after.place == nullptr, rolls = p.torque != nullptr;
    const auto nothing = [](std::size_t, const Line&, const Line&, const Line&) {};
    if (last && rolls) return kick_block<true, true>(p, nothing);
    if (last) return kick_block<true, false>(p, nothing);
    if (rolls) return kick_block<false, true>(p, nothing);
    kick_block<false, false>(p, nothing);
}

}  // namespace beadwave::packing::BEADWAVE_TARGET
