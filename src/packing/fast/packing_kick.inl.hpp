// Moves particles by the sums of their pairs' forces. Included by vector_code.cpp.

namespace beadwave::packing::BEADWAVE_TARGET {

/// By value and not inlined: else the compiler keeps these lines in memory during the loop that
/// finds them.
template <class L>
HWY_NOINLINE void put_range(L low, L high, Extent& range) {
    alignas(64) double numbers[8];
    low.store(numbers);
    std::copy_n(numbers, 3, range.lowest.begin());
    high.store(numbers);
    std::copy_n(numbers, 3, range.highest.begin());
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

/// A matrix times a vector.
HWY_INLINE HalfLine times(const BoxMatrix& matrix, const double* x) {
    return HalfLine::load(matrix.column[0]) * HalfLine::all(x[0]) +
           HalfLine::load(matrix.column[1]) * HalfLine::all(x[1]) +
           HalfLine::load(matrix.column[2]) * HalfLine::all(x[2]);
}
HWY_INLINE HalfLine times(const BoxMatrix& matrix, const HalfLine& x) {
    alignas(32) double numbers[4];
    x.store(numbers);
    return times(matrix, numbers);
}

/// The part of the kick that belongs to a box that strains, as BoxMotion has it.
struct BoxSums {
    HalfLine column[3];

    HWY_INLINE BoxSums() {
        for (HalfLine& sum : column)
            sum = HalfLine::all(0.0);
    }
    /// A particle whose contacts change its velocity so in half a step; `place`: its line.
    HWY_INLINE void add(const BoxKick& box, double mass, const HalfLine& by_contacts,
                        const double* place, const double* predicted) {
        const HalfLine from_lower =
            (HalfLine::load(place + 4) - HalfLine::load(box.lower)) + HalfLine::load(place);
        alignas(32) double x[4], u[4];
        from_lower.store(x);
        const HalfLine affine = times(box.rate, times(box.inverse, x));
        const HalfLine relative = beyond(HalfLine::load(predicted) - affine, box.rounding, affine);
        relative.store(u);
        const HalfLine force = HalfLine::all(box.force * mass) * by_contacts,
                       momentum = HalfLine::all(mass) * relative;
#pragma GCC unroll 3
        for (std::size_t k = 0; k < 3; ++k)
            column[k] = column[k] + (force * HalfLine::all(x[k]) + momentum * HalfLine::all(u[k]));
    }
    HWY_INLINE void store(BoxMatrix& to) const {
        for (std::size_t k = 0; k < 3; ++k)
            column[k].store(to.column[k]);
    }
};

/// `also(i, place, half, predicted)` gets the new lines of each particle. `L` HalfLine: the second
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
    constexpr double infinity = std::numeric_limits<double>::infinity();
    using Range = std::conditional_t<strains, HalfLine, L>;
    Range lowest = Range::all(infinity), highest = Range::all(-infinity), slowest = lowest,
          fastest = highest;
    L moving = zero, turning = zero;
    BoxSums box_sums;
    // Stores to lines might change what p holds, for all that the compiler knows.
    const Lines from = p.before, to = p.after;
    const double *const kick = p.kick, *const inverse = p.inverse_kick, *const reach = p.reach;
    const bool power_counts = p.power;
    const BoxKick* const box = p.box;
    for (std::size_t i = p.begin, end = p.end; i < end; ++i) {
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
        if constexpr (strains) {
            if (m > 0.0)
                box_sums.add(*box, box->mass[i], first_half(change - gravity_change),
                             from.place + i * 8, from.predicted + i * 8);
        }
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
            half.store(to.half + i * 8);
            const L place = L::load(from.place + i * 8) + half * dt;
            place.store(to.place + i * 8);
            const auto include = [&](const Range& moved, const Range& moving_at) HWY_ATTR {
                lowest = smaller(moved, lowest);
                highest = larger(moved, highest);
                slowest = smaller(moving_at, slowest);
                fastest = larger(moving_at, fastest);
            };
            if constexpr (strains) {
                HalfLine moved = first_half(place), moving_at = first_half(half);
                if (m > 0.0) {
                    alignas(32) double reference[4];
                    (HalfLine::load(from.place + i * 8 + 4) - HalfLine::load(box->lower))
                        .store(reference);
                    moved = moved - times(box->stretch, reference);
                    moving_at = moving_at - times(box->step_stretch, reference) *
                                                HalfLine::all(box->steps_per_time);
                }
                include(moved, moving_at);
            } else if (reach != nullptr && reach[i] > 0.0) {
                include(zero, zero);
            } else {
                include(place, half);
            }
            const L predicted = half + change;
            if (to.predicted != nullptr) predicted.store(to.predicted + i * 8);
            also(i, place, half, predicted);
        }
    }
    put_range(lowest, highest, p.extent);
    put_range(slowest, fastest, p.half);
    if constexpr (strains) box_sums.store(p.box_sums);
    alignas(64) double moved[8];
    moving.store(moved);
    if constexpr (!turns_too) turning.store(moved + 4);
    p.quiet = moved[0] == 0.0 && moved[1] == 0.0 && moved[2] == 0.0 && moved[4] == 0.0 &&
              moved[5] == 0.0 && moved[6] == 0.0;
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

inline void kick(Kick& p) {
    const auto nothing = [](std::size_t, const auto&, const auto&, const auto&) {};
    if (p.torque == nullptr && p.box == nullptr && p.before.half == p.after.half)
        return kick_block<HalfLine, false, false, false>(p, nothing);
    kick_lines(p, nothing);
}

}  // namespace beadwave::packing::BEADWAVE_TARGET
