// Moves particles by the sums of their pairs' forces. Included by vector_code.cpp.

namespace beadwave::packing::BEADWAVE_TARGET {

/// The particles that kick_block() moves together, as many as a register has lanes: the changes of
/// their velocities, then what the contacts' power takes.
struct KickedParticles {
    alignas(64) double change[register_lanes][8] = {};
    alignas(64) double middle[register_lanes][8] = {};  ///< velocities in the middle of the kick
    alignas(64) double power[register_lanes];

    /// The velocity change over the kick is the force; gravity does not count.
    HWY_INLINE void find_power(const double* gravity_change, const Register& by_mass,
                               const Register& by_inertia) {
        const auto columns_of = [](const double(*rows)[8]) HWY_ATTR {
            return transpose_rows([rows](std::size_t k, std::size_t part)
                                      HWY_ATTR { return hn::Load(Lanes(), rows[k] + part); });
        };
        const Columns g = columns_of(change), v = columns_of(middle);
        const auto by_contacts = [&](std::size_t k)
                                     HWY_ATTR { return g.at(k) - Register(gravity_change[k]); };
        const Register of_centre =
            by_contacts(0) * v.at(0) + by_contacts(1) * v.at(1) + by_contacts(2) * v.at(2);
        const Register of_rim = g.at(4) * v.at(4) + g.at(5) * v.at(5) + g.at(6) * v.at(6);
        (by_mass * of_centre + by_inertia * of_rim).store(power);
    }
};

/// The inverse of Kick::kick of as many particles as a register has lanes, or of `count` of them.
HWY_INLINE void inverse_kicks(const double* kick, std::size_t count, Register& by_mass,
                              Register& by_inertia) {
    alignas(64) double some[2 * register_lanes];
    if (count < register_lanes) {  // behind the last particle is nothing
        std::fill_n(some, 2 * register_lanes, 1.0);
        kick = std::copy_n(kick, 2 * count, some) - 2 * count;
    }
    Register::Raw mass, inertia;
    hn::LoadInterleaved2(Lanes(), kick, mass, inertia);
    by_mass = Register(1.0) / Register(mass);
    by_inertia = Register(1.0) / Register(inertia);
}

/// `also(i, place, half, predicted)` gets the new lines of each particle.
template <bool last, bool rolls, class Also>
HWY_FLATTEN void kick_block(Kick& p, Also also) {
    alignas(64) static constexpr double of_velocities[8] = {1, 1, 1, 0, 1, 1, 1, 0};
    alignas(64) static constexpr double of_centre[8] = {1, 1, 1, 0, 0, 0, 0, 0};
    alignas(64) static constexpr double of_rim[8] = {0, 0, 0, 0, 1, 1, 1, 0};
    alignas(64) static constexpr double of_work[8] = {0, 0, 0, 1, 0, 0, 0, 0};
    alignas(64) static constexpr double of_power[8] = {0, 0, 0, 0, 0, 0, 0, 1};
    const Line velocities = Line::load(of_velocities), rim = Line::load(of_rim),
               work_lane = Line::load(of_work), gravity_change = Line::load(p.gravity_change);
    const Line power_lane = Line::load(of_power);
    const Line dt = Line::load(of_centre) * Line::all(p.time_step), zero = Line::all(0.0);
    constexpr double infinity = std::numeric_limits<double>::infinity();
    Line lowest = Line::all(infinity), highest = Line::all(-infinity), moving = zero;
    Line slowest = lowest, fastest = highest;
    const Lines before = p.before, after = p.after;  // not to be loaded for each particle
    KickedParticles together;
    for (std::size_t begin = p.begin; begin < p.end; begin += register_lanes) {
        const std::size_t count = std::min<std::size_t>(register_lanes, p.end - begin);
        Register by_mass, by_inertia;
        if (p.power) inverse_kicks(p.kick + 2 * begin, count, by_mass, by_inertia);
        for (std::size_t k = 0; k < count; ++k) {
            const std::size_t i = begin + k;
            const double m = p.kick[2 * i], l = p.kick[2 * i + 1];
            Line change =
                Line::load(p.force + (i - p.begin) * 8) * (velocities * Line::halves(m, l));
            if constexpr (rolls) {
                double* const turns = p.torque + (i - p.begin) * 8;
                change = change + Line::load(turns) * (rim * Line::all(p.angular_kick[i]));
                p.rolling_work[i] += turns[3];
                zero.store(turns);
            }
            if (m > 0.0) change = change + gravity_change;  // 0: fixed
            change.store(together.change[k]);
            if (p.power) (Line::load(before.half + i * 8) + change).store(together.middle[k]);
        }
        if (p.power) together.find_power(p.gravity_change, by_mass, by_inertia);
        for (std::size_t k = 0; k < count; ++k) {
            const std::size_t i = begin + k;
            double* const sums = p.force + (i - p.begin) * 8;
            const Line change = Line::load(together.change[k]);
            // Work and power are summed in spare lanes.
            Line work = Line::load(sums) * work_lane;
            zero.store(sums);
            if (p.power && p.kick[2 * i] > 0.0)
                work = work + power_lane * Line::all(together.power[k]);
            const Line velocity = Line::load(before.half + i * 8) + (change + work);
            const Line half = velocity + change;
            moving = bits_of(change, bits_of(half, moving));
            if constexpr (last) {
                (change + work).store(after.half + i * 8);
            } else {
                half.store(after.half + i * 8);
                const Line place = Line::load(before.place + i * 8) + half * dt;
                place.store(after.place + i * 8);
                Line moved_by = place, its_half = half;
                if (p.reach != nullptr && p.reach[i] > 0.0) moved_by = its_half = zero;
                lowest = smaller(moved_by, lowest);
                highest = larger(moved_by, highest);
                slowest = smaller(its_half, slowest);
                fastest = larger(its_half, fastest);
                const Line predicted = half + change;
                if (after.predicted != nullptr) predicted.store(after.predicted + i * 8);
                also(i, place, half, predicted);
            }
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
