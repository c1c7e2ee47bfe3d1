// Each particle adds its pairs' forces and moves. Included by packing_target.inl.hpp.

namespace beadwave::dynamics::BEADWAVE_TARGET {

using packing::Kick;

/// A line in as many registers as it takes.
struct Line {
    static constexpr std::size_t registers = 8 / register_lanes;
    Register at[registers];
    HWY_INLINE Line() {}
    HWY_INLINE explicit Line(const double* p) {
        for (std::size_t k = 0; k < registers; ++k)
            at[k] = Register::load(p + k * register_lanes);
    }
    HWY_INLINE void store(double* p) const {
        for (std::size_t k = 0; k < registers; ++k)
            at[k].store(p + k * register_lanes);
    }
    template <class Function>
    static HWY_INLINE Line each(Function function) {
        Line line;
        for (std::size_t k = 0; k < registers; ++k)
            line.at[k] = function(k);
        return line;
    }
    friend HWY_INLINE Line operator+(const Line& a, const Line& b) {
        return each([&](std::size_t k) HWY_ATTR { return a.at[k] + b.at[k]; });
    }
    friend HWY_INLINE Line operator*(const Line& a, const Line& b) {
        return each([&](std::size_t k) HWY_ATTR { return a.at[k] * b.at[k]; });
    }
    friend HWY_INLINE Line larger(const Line& a, const Line& b) {
        return each([&](std::size_t k) HWY_ATTR { return at_least(abs(a.at[k]), b.at[k]); });
    }
};

template <bool last>
HWY_FLATTEN void kick_block(Kick& p) {
    // The first gets minus the force, the second the force; both minus the lever, both the work.
    alignas(64) static constexpr double signs[2][8] = {{-1, -1, -1, 1, -1, -1, -1, 1},
                                                       {1, 1, 1, 1, -1, -1, -1, 1}};
    alignas(64) static constexpr double rolls[2][8] = {{0, 0, 0, 0, -1, -1, -1, 0},
                                                       {0, 0, 0, 0, 1, 1, 1, 0}};
    alignas(64) static constexpr double booked[8] = {0, 0, 0, 1, 0, 0, 0, 0};
    const Line sign[2] = {Line(signs[0]), Line(signs[1])};
    const Line roll[2] = {Line(rolls[0]), Line(rolls[1])};
    const Line book(booked), push(p.push);
    alignas(64) const double steps[8] = {p.time_step, p.time_step, p.time_step, 0, 0, 0, 0, 0};
    const Line dt(steps);
    Line farthest;
    bool quiet = true;
    for (std::size_t i = p.begin; i < p.end; ++i) {
        Line sum;
        const std::uint32_t *entry = p.incidence + p.row[i - p.begin],
                            *end = p.incidence + p.row[i - p.begin + 1];
        for (; entry != end; ++entry) {
            const Line force(p.force + std::size_t{*entry >> 1} * 8);
            sum = sum + force * sign[*entry & 1];
        }
        const double m = p.kick[2 * i], l = p.kick[2 * i + 1];
        alignas(64) const double kicks[8] = {m, m, m, 0, l, l, l, 0};
        Line gain = sum * Line(kicks) + push;
        if (p.torque != nullptr) {
            Line turning;
            for (entry = p.incidence + p.row[i - p.begin]; entry != end; ++entry) {
                const Line torque(p.torque + std::size_t{*entry >> 1} * 8);
                turning = turning + torque * roll[*entry & 1];
            }
            const double k = p.spin_kick[i];
            alignas(64) const double spin_kicks[8] = {0, 0, 0, 0, k, k, k, 0};
            gain = gain + turning * Line(spin_kicks);
        }
        // Lanes that hold books go along.
        Line velocity = Line(p.before.half + i * 8) + gain + sum * book;
        if (p.power) {
            // Twice the force per dt, as gains and kicks have it, less gravity.
            alignas(64) double v[8], g[8];
            velocity.store(v);
            gain.store(g);
            const double by_mass = 1.0 / m, by_inertia = 1.0 / l;
            v[7] += by_mass * ((g[0] - p.push[0]) * v[0] + (g[1] - p.push[1]) * v[1] +
                               (g[2] - p.push[2]) * v[2]) +
                    by_inertia * (g[4] * v[4] + g[5] * v[5] + g[6] * v[6]);
            velocity = Line(v);
        }
        const Line half = velocity + gain;
        if constexpr (last) {
            velocity.store(p.velocity + i * 8);
            gain.store(p.gain + i * 8);
        } else {
            half.store(p.after.half + i * 8);
            const Line place = Line(p.before.place + i * 8) + half * dt;
            place.store(p.after.place + i * 8);
            farthest = larger(place, farthest);
            if (p.after.predicted != nullptr) (half + gain).store(p.after.predicted + i * 8);
        }
        if (quiet) {
            alignas(64) double h[8], g[8];
            half.store(h);
            gain.store(g);
            quiet = h[0] == 0.0 && h[1] == 0.0 && h[2] == 0.0 && h[4] == 0.0 && h[5] == 0.0 &&
                    h[6] == 0.0 && g[0] == 0.0 && g[1] == 0.0 && g[2] == 0.0 && g[4] == 0.0 &&
                    g[5] == 0.0 && g[6] == 0.0;
        }
    }
    alignas(64) double far[8];
    farthest.store(far);
    std::copy_n(far, 3, p.farthest);
    p.quiet = quiet;
}

inline void kick(Kick& p) {
    if (p.after.place == nullptr) {
        kick_block<true>(p);
    } else {
        kick_block<false>(p);
    }
}

}  // namespace beadwave::dynamics::BEADWAVE_TARGET
