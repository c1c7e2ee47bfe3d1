// The two pendulums of Poursina2020 section 6, with impacts of zero duration (the paper's piecewise
// method).
//
// The text gives masses, lengths, a distance a and the initial angles, but no figure and no
// gravity. Assumed here: uniform thin rods; angles from the downward vertical; rod 1 hangs from the
// origin, rod 2 from (-a, 0) and strikes rod 1 with its tip; g = 9.81 m/s^2.
#pragma once

#include <array>
#include <cmath>
#include <numbers>
#include <vector>

namespace beadwave::validation {

class Pendulums {
  public:
    struct Hit {
        double time, impact_speed;  ///< [s], [m/s]
    };

    /// Impacts within `end` seconds.
    int impacts(double end) { return static_cast<int>(hits(end).size()); }

    std::vector<Hit> hits(double end) {
        constexpr double step = 2e-4;
        std::vector<Hit> all;
        for (double time = 0.0; time < end; time += step) {
            const State before = state_;
            state_ = advanced(before, step);
            if (!crossed(state_)) continue;
            double clear = 0.0, struck = step;
            for (int halving = 0; halving < 50; ++halving) {
                const double middle = 0.5 * (clear + struck);
                (crossed(advanced(before, middle)) ? struck : clear) = middle;
            }
            state_ = advanced(before, clear);
            if (const double closing = rebound(); closing > 0.0)
                all.push_back({time + clear, closing});
            time += clear - step;
            state_ = advanced(state_, 1e-9);
        }
        return all;
    }

  private:
    using State = std::array<double, 4>;  // two angles [rad], two angular speeds [rad/s]

    static constexpr double m1 = 1.0, m2 = 0.2, L1 = 6.0, L2 = 4.0, a = 2.0, gravity = 9.81,
                            e = 0.3;
    static constexpr double I1 = m1 * L1 * L1 / 3.0, I2 = m2 * L2 * L2 / 3.0;

    State state_{std::numbers::pi / 12.0, -std::numbers::pi / 2.0, 0.0, 0.0};

    /// Signed distance of rod 2's tip from rod 1; negative at the start.
    static double gap(const State& s) {
        const double x = -a + L2 * std::sin(s[1]), y = -L2 * std::cos(s[1]);
        return x * std::cos(s[0]) + y * std::sin(s[0]);
    }
    static bool crossed(const State& s) { return gap(s) > 0.0; }

    static State slope(const State& s) {
        return {s[2], s[3], -1.5 * gravity / L1 * std::sin(s[0]),
                -1.5 * gravity / L2 * std::sin(s[1])};
    }

    static State moved(const State& s, const State& slope, double step) {
        return {s[0] + step * slope[0], s[1] + step * slope[1], s[2] + step * slope[2],
                s[3] + step * slope[3]};
    }

    static State advanced(const State& s, double step) {  // fourth-order Runge-Kutta
        const State k1 = slope(s), k2 = slope(moved(s, k1, 0.5 * step)),
                    k3 = slope(moved(s, k2, 0.5 * step)), k4 = slope(moved(s, k3, step));
        State mean;
        for (std::size_t i = 0; i < 4; ++i)
            mean[i] = (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]) / 6.0;
        return moved(s, mean, step);
    }

    /// Impact speed [m/s]; 0 or less: there is no impact.
    double rebound() {
        const double x = -a + L2 * std::sin(state_[1]), y = -L2 * std::cos(state_[1]);
        const double j1 = -x * std::sin(state_[0]) + y * std::cos(state_[0]);
        const double j2 = L2 * std::cos(state_[1] - state_[0]);
        const double closing = j1 * state_[2] + j2 * state_[3];
        if (closing <= 0.0) return closing;
        const double impulse = -(1.0 + e) * closing / (j1 * j1 / I1 + j2 * j2 / I2);
        state_[2] += j1 * impulse / I1;
        state_[3] += j2 * impulse / I2;
        return closing;
    }
};

}  // namespace beadwave::validation
