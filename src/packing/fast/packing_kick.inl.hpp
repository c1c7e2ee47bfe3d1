// Moves particles by the sums of their pairs' forces. Included by vector_code.cpp.

namespace beadwave::packing::BEADWAVE_TARGET {

/// By value and not inlined: else the compiler keeps these lines in memory during the loop that
/// finds them.
inline HWY_NOINLINE void put_range(Line low, Line high, Extent& range) {
    alignas(64) double numbers[8];
    low.store(numbers);
    std::copy_n(numbers, 3, range.lowest.begin());
    high.store(numbers);
    std::copy_n(numbers, 3, range.highest.begin());
}

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
    Line slowest = Line::all(infinity), fastest = Line::all(-infinity);
    // Stores to lines might change what p holds, for all that the compiler knows.
    const Lines from = p.before, to = p.after;
    const double *const kick = p.kick, *const inverse = p.inverse_kick, *const reach = p.reach;
    const bool power_counts = p.power;
    for (std::size_t i = p.begin, end = p.end; i < end; ++i) {
        double* const sums = p.force + (i - p.begin) * 8;
        const Line sum = Line::load(sums);
        zero.store(sums);
        const double m = kick[2 * i], l = kick[2 * i + 1];
        Line change = sum * (centre * Line::all(m) + rim * Line::all(l));
        if constexpr (rolls) {
            double* const turns = p.torque + (i - p.begin) * 8;
            change = change + Line::load(turns) * (rim * Line::all(p.angular_kick[i]));
            p.rolling_work[i] += turns[3];
            zero.store(turns);
        }
        if (m > 0.0) change = change + gravity_change;  // 0: fixed
        // Work and power are summed in spare lanes.
        const Line before = Line::load(from.half + i * 8);
        Line work = sum * work_lane;
        if (power_counts && m > 0.0) {
            // Velocity change over kick is force; gravity does not count.
            alignas(64) double each[8];
            ((change - gravity_change) * (before + change)).store(each);
            const double power = inverse[2 * i] * (each[0] + each[1] + each[2]) +
                                 inverse[2 * i + 1] * (each[4] + each[5] + each[6]);
            work = work + power_lane * Line::all(power);
        }
        const Line velocity = before + (change + work);
        const Line half = velocity + change;
        moving = bits_of(change, bits_of(half, moving));
        if constexpr (last) {
            (change + work).store(to.half + i * 8);
        } else {
            half.store(to.half + i * 8);
            const Line place = Line::load(from.place + i * 8) + half * dt;
            place.store(to.place + i * 8);
            const auto include = [&](const Line& moved, const Line& moving_at) HWY_ATTR {
                lowest = smaller(moved, lowest);
                highest = larger(moved, highest);
                slowest = smaller(moving_at, slowest);
                fastest = larger(moving_at, fastest);
            };
            if (reach != nullptr && reach[i] > 0.0) {
                include(zero, zero);
            } else {
                include(place, half);
            }
            const Line predicted = half + change;
            if (to.predicted != nullptr) predicted.store(to.predicted + i * 8);
            also(i, place, half, predicted);
        }
    }
    put_range(lowest, highest, p.extent);
    put_range(slowest, fastest, p.half);
    alignas(64) double moved[8];
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
