// The slider-crank by Lagrange's equations in the angle phi of the rod and the position x of the
// slider. With the crank at theta = omega t, A its pin, n = (-sin phi, cos phi) and the journal B =
// A + l (cos phi, sin phi):
//
//     (I + m l^2/4) phi'' = -(m l/2) n . A'' + l n . F        A'' = -omega^2 A
//     M x''               = -F_x
//
// F = -F_N e/|e| acts on the journal, e = B - (x, 0), overlap |e| - clearance. Integrated by the
// Runge-Kutta method of Dormand and Prince (order 5) with error control. Contacts start, turn and
// end at the ends of steps, found by bisection. Only the law itself is code of the program.
#pragma once

#include "slider_crank.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace beadwave::validation {

struct PlainImpact {
    double start, end, impact_speed, separation_speed, peak_force;
};

template <class Law>
class PlainSliderCrank {
  public:
    PlainSliderCrank(const SliderCrank& given, double tolerance)
        : g_(given),
          tolerance_(tolerance),
          y_{0.0, g_.crank + g_.rod, g_.rod_angular_velocity(), 0.0, 0.0} {}

    /// The first impacts; `make_law` makes the law of an impact from its impact speed [m/s].
    template <class MakeLaw>
    std::vector<PlainImpact> impacts(std::size_t count, MakeLaw make_law) {
        while (impacts_.size() < count || phase_ == Phase::loading || phase_ == Phase::unloading) {
            double taken = step_;
            State error{};
            State after = stepped(taken, error);
            const double largest = std::max(1e-10, over_allowed(after, error) / tolerance_);
            step_ = taken * std::clamp(0.9 * std::pow(largest, -0.2), 0.2, 4.0);
            if (largest > 1.0) continue;
            if (passed(after)) {
                double low = 0.0;
                for (int halving = 0; halving < 60; ++halving) {
                    const double middle = 0.5 * (low + taken);
                    (passed(stepped(middle, error)) ? taken : low) = middle;
                }
                after = stepped(taken, error);
            }
            update_peak(taken);
            const bool over = passed(after);
            y_ = after;
            const auto [overlap, approach] = near(y_);
            if (in_contact() && overlap > 0.0)
                memory_ = law_.respond(overlap, approach, memory_).memory;
            if (over) next_phase(overlap, approach, make_law);
        }
        return impacts_;
    }

  private:
    using State = std::array<double, 5>;  // phi [rad], x [m], their speeds, time [s]
    enum class Phase { open, loading, unloading, spent };

    bool in_contact() const { return phase_ == Phase::loading || phase_ == Phase::unloading; }

    template <class MakeLaw>
    void next_phase(double overlap, double approach, MakeLaw make_law) {
        switch (phase_) {
            case Phase::open:
                law_ = make_law(approach);
                memory_ = law_.respond(1e-300, approach, {}).memory;
                impacts_.push_back({y_[4], 0.0, approach, 0.0, 0.0});
                phase_ = Phase::loading;
                step_ = 1e-8;
                break;
            case Phase::loading:
                phase_ = Phase::unloading;
                break;
            case Phase::unloading:
                impacts_.back().end = y_[4];
                impacts_.back().separation_speed = -approach;
                phase_ = overlap > 1e-15 ? Phase::spent : Phase::open;
                break;
            case Phase::spent:
                phase_ = Phase::open;
                break;
        }
    }

    /// Whether the phase is over. (If the bodies are pressed together again before they part, they
    /// stay in "unloading", where the law still gives the force.)
    bool passed(const State& s) const {
        const auto [overlap, approach] = near(s);
        switch (phase_) {
            case Phase::open:
                return overlap > 0.0;
            case Phase::loading:
                return approach <= 0.0;
            case Phase::unloading:
                return overlap <= 0.0 || law_.respond(overlap, approach, memory_).force <= 0.0;
            case Phase::spent:
                return overlap <= 0.0;
        }
        return false;
    }

    std::array<double, 2> offset(const State& s) const {
        const double theta = g_.speed * s[4];
        return {g_.crank * std::cos(theta) + g_.rod * std::cos(s[0]) - s[1],
                g_.crank * std::sin(theta) + g_.rod * std::sin(s[0])};
    }

    /// Overlap and approach speed.
    std::array<double, 2> near(const State& s) const {
        const double theta = g_.speed * s[4], around = g_.crank * g_.speed;
        const auto [ex, ey] = offset(s);
        const double vx = -around * std::sin(theta) - g_.rod * s[2] * std::sin(s[0]) - s[3];
        const double vy = around * std::cos(theta) + g_.rod * s[2] * std::cos(s[0]);
        const double distance = std::hypot(ex, ey);
        return {distance - g_.clearance, distance > 0.0 ? (ex * vx + ey * vy) / distance : 0.0};
    }

    double force(const State& s) const {
        if (!in_contact()) return 0.0;
        const auto [overlap, approach] = near(s);
        return overlap > 0.0 ? law_.respond(overlap, approach, memory_).force : 0.0;
    }

    State slope(const State& s) const {
        const double theta = g_.speed * s[4], w2 = g_.speed * g_.speed, m = g_.rod_mass;
        const double ax = -w2 * g_.crank * std::cos(theta), ay = -w2 * g_.crank * std::sin(theta);
        const double nx = -std::sin(s[0]), ny = std::cos(s[0]);
        double fx = 0.0, fy = 0.0;
        if (const double pull = force(s); pull != 0.0) {
            const auto [ex, ey] = offset(s);
            const double distance = std::hypot(ex, ey);
            fx = -pull * ex / distance;
            fy = -pull * ey / distance;
        }
        const double inertia = g_.rod_inertia + 0.25 * m * g_.rod * g_.rod;
        const double torque = g_.rod * (nx * fx + ny * fy) - 0.5 * m * g_.rod * (nx * ax + ny * ay);
        return {s[2], s[3], torque / inertia, -fx / g_.slider_mass, 1.0};
    }

    State stepped(double h, State& error) const {
        static constexpr double a[7][6] = {
            {},
            {0.2},
            {3.0 / 40, 9.0 / 40},
            {44.0 / 45, -56.0 / 15, 32.0 / 9},
            {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
            {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
            {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}};
        static constexpr double e[7] = {71.0 / 57600,      0.0,        -71.0 / 16695, 71.0 / 1920,
                                        -17253.0 / 339200, 22.0 / 525, -1.0 / 40};
        std::array<State, 7> k;
        State after{};
        for (std::size_t i = 0; i < 7; ++i) {
            State change{};
            for (std::size_t j = 0; j < i; ++j) {
                for (std::size_t n = 0; n < 5; ++n)
                    change[n] += h * a[i][j] * k[j][n];
            }
            for (std::size_t n = 0; n < 5; ++n)
                after[n] = y_[n] + change[n];
            k[i] = slope(after);
        }
        error = {};
        for (std::size_t i = 0; i < 7; ++i) {
            for (std::size_t n = 0; n < 5; ++n)
                error[n] += h * e[i] * k[i][n];
        }
        return after;
    }

    /// The largest error: relative to the clearance and 1 m/s without contact, relative to the
    /// overlap and the impact speed in contact.
    double over_allowed(const State& after, const State& error) const {
        const bool contact = in_contact();
        const double length = contact ? std::max(near(after)[0], 1e-8) : g_.clearance;
        const double speed = contact ? impacts_.back().impact_speed : 1.0;
        return std::max({std::abs(error[0]) * g_.rod / length, std::abs(error[1]) / length,
                         std::abs(error[2]) * g_.rod / speed, std::abs(error[3]) / speed});
    }

    /// Updates the peak force with that of a step, by golden section if it may be larger.
    void update_peak(double step) {
        if (!in_contact()) return;
        State error{};
        double& peak = impacts_.back().peak_force;
        const double at_start = force(y_), at_end = force(stepped(step, error));
        if (std::max(at_start, at_end) < 0.99 * peak) return;
        peak = std::max({peak, at_start, at_end});
        double low = 0.0, high = step;
        for (int cut = 0; cut < 40; ++cut) {
            const double a = high - 0.6180339887498949 * (high - low);
            const double b = low + 0.6180339887498949 * (high - low);
            const double at_a = force(stepped(a, error)), at_b = force(stepped(b, error));
            peak = std::max({peak, at_a, at_b});
            (at_a > at_b ? high : low) = at_a > at_b ? b : a;
        }
    }

    SliderCrank g_;
    double tolerance_;
    State y_;
    double step_ = 1e-7;
    Law law_{};
    typename Law::Memory memory_{};
    Phase phase_ = Phase::open;
    std::vector<PlainImpact> impacts_;
};

}  // namespace beadwave::validation
