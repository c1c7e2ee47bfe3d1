// Moves particles by the sums of their pairs' forces. Included by vector_code.cpp.

namespace beadwave::packing::BEADWAVE_TARGET {

/// By value and not inlined: else the compiler keeps these lines in memory during the loop that
/// finds them.
template <class L>
HWY_NOINLINE void put_range(L low, L high, std::size_t from, Extent& range) {
    alignas(64) double numbers[8];
    low.store(numbers);
    std::copy_n(numbers + from, 3, range.lowest.begin());
    high.store(numbers);
    std::copy_n(numbers + from, 3, range.highest.begin());
}

/// What contacts do on a particle per second: its change of velocity by them, over its kick, is
/// their force [W].
template <bool turns_too, class L>
HWY_INLINE double power_of(const L& by_contacts, const L& velocity, const double* inverse_kicks) {
    alignas(64) double each[8];
    (by_contacts * velocity).store(each);
    double power = inverse_kicks[0] * (each[0] + each[1] + each[2]);
    if constexpr (turns_too) power += inverse_kicks[1] * (each[4] + each[5] + each[6]);
    return power;
}

/// Moves particles on by their new velocities in the middle of the step, and finds the ranges of
/// what they do.
template <class L, bool strains>
struct Onward {
    using Range = std::conditional_t<strains, Line, L>;
    Range lowest, highest;  // of displacements; if the box strains, behind them of velocities
    Range slowest, fastest;

    HWY_INLINE Onward() {
        constexpr double infinity = std::numeric_limits<double>::infinity();
        lowest = slowest = Range::all(infinity);
        highest = fastest = Range::all(-infinity);
    }
    HWY_INLINE void include(const L& moved, const L& moving_at) {
        lowest = smaller(moved, lowest);
        highest = larger(moved, highest);
        slowest = smaller(moving_at, slowest);
        fastest = larger(moving_at, fastest);
    }
    /// `also(i, place, half, predicted)` gets the new lines of the particle.
    template <class Also>
    HWY_INLINE void move(const Lines& from, const Lines& to, const BoxKick* box,
                         const double* reach, std::size_t i, bool fixed, const L& dt, const L& half,
                         const L& change, Also also) {
        half.store(to.half + i * 8);
        const L place = L::load(from.place + i * 8) + half * dt;
        place.store(to.place + i * 8);
        if constexpr (strains) {
            Line motion = joined(first_half(place), first_half(half));
            if (!fixed) motion = without_affine(*box, from.place + i * 8, motion);
            lowest = smaller(motion, lowest);
            highest = larger(motion, highest);
        } else if (reach != nullptr && reach[i] > 0.0) {
            include(L::all(0.0), L::all(0.0));
        } else {
            include(place, half);
        }
        const L predicted = half + change;
        if (to.predicted != nullptr) predicted.store(to.predicted + i * 8);
        also(i, place, half, predicted);
    }
    HWY_INLINE void put(Kick& p) const {
        put_range(lowest, highest, 0, p.extent);
        if constexpr (strains)
            put_range(lowest, highest, 4, p.half);
        else
            put_range(slowest, fastest, 0, p.half);
    }
};

/// `also`: see Onward. `L` HalfLine: the second
/// halves of lines do not change, but for the power, and velocities are written where they are
/// read.
template <class L, bool last, bool rolls, bool strains, class Also>
HWY_FLATTEN void kick_block(Kick& p, Also also) {
    constexpr bool turns_too = std::is_same_v<L, Line>;
    alignas(64) static constexpr double of_centre[8] = {1, 1, 1, 0, 0, 0, 0, 0};
    alignas(64) static constexpr double of_rim[8] = {0, 0, 0, 0, 1, 1, 1, 0};
    alignas(64) static constexpr double of_work[8] = {0, 0, 0, 1, 0, 0, 0, 0};
    alignas(64) static constexpr double of_power[8] = {0, 0, 0, 0, 0, 0, 0, 1};
    const L centre = L::load(of_centre), rim = L::load(of_rim), work_lane = L::load(of_work),
            gravity_change = L::load(p.gravity_change);
    const L power_lane = L::load(of_power);
    const L dt = centre * L::all(p.time_step), zero = L::all(0.0);
    L moving = zero, turning = zero;
    Onward<L, strains> onward;
    // Stores to lines might change what p holds, for all that the compiler knows.
    const Lines from = p.before, to = p.after;
    const double *const kick = p.kick, *const inverse = p.inverse_kick, *const reach = p.reach;
    const bool power_counts = p.power;
    const BoxKick* const box = p.box;
    // In a box that strains some at a time, whose lines stay in the first-level cache.
    constexpr std::size_t together = 64;
    for (std::size_t i = p.begin, end = p.end; i < end; ++i) {
        if constexpr (strains) {
            if ((i - p.begin) % together == 0)
                add_to_box(p, i, std::min(i + together, end), p.box_sums);
        }
        double* const sums = p.force + (i - p.begin) * 8;
        const L sum = L::load(sums);
        zero.store(sums);
        const double m = kick[2 * i], l = kick[2 * i + 1];
        L by = centre * L::all(m);
        if constexpr (turns_too) by = by + rim * L::all(l);
        L change = sum * by;
        if constexpr (rolls) {
            double* const turns = p.torque + (i - p.begin) * 8;
            change = change + L::load(turns) * (rim * L::all(p.angular_kick[i]));
            p.rolling_work[i] += turns[3];
            zero.store(turns);
        }
        if (m > 0.0) change = change + gravity_change;  // 0: fixed
        // Work and power are summed in spare lanes.
        const L before = L::load(from.half + i * 8);
        L work = sum * work_lane, rest = zero;
        if constexpr (!turns_too) rest = L::load(from.half + i * 8 + 4);
        if (power_counts && m > 0.0) {
            const double power =
                power_of<turns_too>(change - gravity_change, before + change, inverse + 2 * i);
            if constexpr (turns_too)
                work = work + power_lane * L::all(power);
            else
                to.half[i * 8 + 7] += power;
        }
        const L velocity = before + (change + work);
        const L half = velocity + change;
        moving = bits_of(change, bits_of(half, moving));
        if constexpr (!turns_too) {
            turning = bits_of(rest, turning);
            if (to.predicted != nullptr) {
                rest.store(to.predicted + i * 8 + 4);
                to.predicted[i * 8 + 7] = to.half[i * 8 + 7];
            }
        }
        if constexpr (last) {
            (change + work).store(to.half + i * 8);
        } else {
            onward.move(from, to, box, reach, i, !(m > 0.0), dt, half, change, also);
        }
    }
    onward.put(p);
    alignas(64) double moved[8];
    moving.store(moved);
    if constexpr (!turns_too) turning.store(moved + 4);
    p.quiet = moved[0] == 0.0 && moved[1] == 0.0 && moved[2] == 0.0 && moved[4] == 0.0 &&
              moved[5] == 0.0 && moved[6] == 0.0;
}

/// The accelerating motion of a box pushes the particles, after a step that did not move them on.
template <bool last, class Also>
HWY_FLATTEN void push_block(Kick& p, Also also) {
    alignas(64) static constexpr double of_velocities[8] = {1, 1, 1, 0, 1, 1, 1, 0};
    alignas(64) static constexpr double of_centre[8] = {1, 1, 1, 0, 0, 0, 0, 0};
    alignas(64) static constexpr double of_power[8] = {0, 0, 0, 0, 0, 0, 0, 1};
    const Line velocities = Line::load(of_velocities), power_lane = Line::load(of_power),
               gravity_change = Line::load(p.gravity_change),
               dt = Line::load(of_centre) * Line::all(p.time_step);
    const Lines from = p.before, to = p.after;
    const BoxKick& box = *p.box;
    Onward<Line, true> onward;
    for (std::size_t i = p.begin, end = p.end; i < end; ++i) {
        Line change = Line::load(p.change + i * 8);
        const bool fixed = !(p.kick[2 * i] > 0.0);
        if (!fixed) {
            const HalfLine push = HalfLine::all(0.5 * p.time_step) *
                                  acceleration(box, place_in_box(box, from.place + i * 8));
            double power = 0.0;
            if (p.power) {
                alignas(32) double each[4];
                (HalfLine::all(box.force * box.mass[i]) * first_half(change - gravity_change) *
                 push)
                    .store(each);
                power = each[0] + each[1] + each[2];
            }
            // The step has counted the contacts' power without the push.
            change = change + (widened(push) + power_lane * Line::all(power));
        }
        if constexpr (last) {
            change.store(p.change + i * 8);
        } else {
            const Line velocity = Line::load(from.half + i * 8) + change;
            change = change * velocities;
            onward.move(from, to, &box, nullptr, i, fixed, dt, velocity + change, change, also);
        }
    }
    onward.put(p);
}

template <bool strains, class Also>
void kick_lines(Kick& p, Also also) {
    const bool last = p.after.place == nullptr, rolls = p.torque != nullptr;
    if (last && rolls) return kick_block<Line, true, true, strains>(p, also);
    if (last) return kick_block<Line, true, false, strains>(p, also);
    if (rolls) return kick_block<Line, false, true, strains>(p, also);
    kick_block<Line, false, false, strains>(p, also);
}

template <class Also>
void kick_lines(Kick& p, Also also) {
    if (p.box != nullptr) return kick_lines<true>(p, also);
    kick_lines<false>(p, also);
}

template <class Also>
void push_lines(Kick& p, Also also) {
    if (p.after.place == nullptr) return push_block<true>(p, also);
    push_block<false>(p, also);
}

inline constexpr auto nothing_else = [](std::size_t, const auto&, const auto&, const auto&) {};

inline void kick(Kick& p) {
    if (p.torque != nullptr || p.before.half != p.after.half) return kick_lines(p, nothing_else);
    if (p.box != nullptr) return kick_block<HalfLine, false, false, true>(p, nothing_else);
    kick_block<HalfLine, false, false, false>(p, nothing_else);
}

inline void push(Kick& p) {
    push_lines(p, nothing_else);
}

}  // namespace beadwave::packing::BEADWAVE_TARGET
