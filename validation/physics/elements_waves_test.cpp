// Springs to the ground and masses inside beads: dispersion, decay and oscillations against closed
// forms and a plain integration.

#include "element_chains.hpp"
#include "every_engine.hpp"
#include "relative.hpp"

#include <array>
#include <cmath>
#include <numbers>
#include <vector>

namespace beadwave::validation::elements_waves_test {

namespace {

constexpr double pi = std::numbers::pi;

/// Hertz contact F = A x^1.5 of two steel beads, written out.
double hertz_factor() {
    const double modulus = 193e9 / (2.0 * (1.0 - 0.3 * 0.3)), radius = 2.38e-3 / 2.0;
    return 4.0 / 3.0 * modulus * std::sqrt(radius);
}

/// 4 k sin^2(q/2) of the mode: what the contacts return [N/m].
double contact_stiffness(int mode) {
    const double a = hertz_factor();
    const double stiffness = 1.5 * std::pow(a, 2.0 / 3.0) * std::cbrt(squeeze);
    const double q = pi * mode / (compressed_beads - 1);
    return 4.0 * stiffness * std::pow(std::sin(0.5 * q), 2);
}

/// The part of a mode in the motion.
double projection(const dynamics::Engine& engine, int mode) {
    double sum = 0.0;
    for (std::size_t i = 0; i < compressed_beads; ++i)
        sum += std::sin(pi * mode * static_cast<double>(i) / (compressed_beads - 1)) *
               engine.velocity()[i];
    return sum;
}

/// The frequencies [rad/s] of a sum of cosines without damping, lowest first: of the linear
/// recurrence that all its samples satisfy [Prony].
std::vector<double> frequencies(dynamics::Engine& engine, double dt, std::int64_t stride,
                                std::size_t samples, int mode, std::size_t count) {
    std::vector<double> p;
    dynamics::SensorTrace trace;
    for (std::size_t k = 0; k < samples; ++k) {
        p.push_back(projection(engine, mode));
        engine.advance(stride, trace);
    }
    const double step = dt * static_cast<double>(stride);
    if (count == 1) {  // p_(n+1) + p_(n-1) = 2 cos(w step) p_n
        double above = 0.0, below = 0.0;
        for (std::size_t n = 1; n + 1 < samples; ++n) {
            above += (p[n + 1] + p[n - 1]) * p[n];
            below += p[n] * p[n];
        }
        return {std::acos(0.5 * above / below) / step};
    }
    // p_(n+2) + p_(n-2) = a (p_(n+1) + p_(n-1)) + b p_n with the roots x + 1/x = 2 cos(w step) of
    // y^2 - a y - (b + 2) = 0.
    double xx = 0.0, xy = 0.0, yy = 0.0, xr = 0.0, yr = 0.0;
    for (std::size_t n = 2; n + 2 < samples; ++n) {
        const double x = p[n + 1] + p[n - 1], y = p[n], r = p[n + 2] + p[n - 2];
        xx += x * x, xy += x * y, yy += y * y, xr += x * r, yr += y * r;
    }
    const double det = xx * yy - xy * xy;
    const double a = (xr * yy - yr * xy) / det, b = (yr * xx - xr * xy) / det;
    const double root = std::sqrt(0.25 * a * a + b + 2.0);
    return {std::acos(0.5 * (0.5 * a + root)) / step, std::acos(0.5 * (0.5 * a - root)) / step};
}

chain::Elements on_all(const chain::Spring& ground) {
    chain::Elements elements;
    for (std::size_t i = 0; i < compressed_beads; ++i)
        elements.foundations.push_back({i, ground});
    return elements;
}
chain::Elements in_all(double mass, const chain::Spring& spring) {
    chain::Elements elements;
    for (std::size_t i = 0; i < compressed_beads; ++i)
        elements.resonators.push_back({i, mass, spring});
    return elements;
}

}  // namespace

TEST_CASE("a chain on linear springs to the ground has the dispersion of Klein and Gordon") {
    constexpr double ground = 3e5;
    for (const int mode : {1, 5, 16, 30}) {
        CAPTURE(mode);
        const double expected = std::sqrt((contact_stiffness(mode) + ground) / bead_mass);
        const double dt = 2.0 * pi / expected / 2000.0;
        each_engine(compressed(on_all({.stiffness = ground}), mode, 1e-5), dt,
                    [&](dynamics::Engine& engine) {
                        const auto found = frequencies(engine, dt, 200, 60, mode, 1);
                        CHECK_RELATIVE(found[0], expected, 1e-5);
                    });
    }
}

TEST_CASE("masses inside the beads give the two branches of local resonance") {
    constexpr double inner = 0.3e-3, spring = 4e5;
    for (const int mode : {2, 7, 16, 29}) {
        CAPTURE(mode);
        // m w^2 (1 + (M/m) w_r^2 / (w_r^2 - w^2)) = K
        const double k = contact_stiffness(mode), resonance = spring / inner;
        const double middle = 0.5 * (k / bead_mass + resonance * (1.0 + inner / bead_mass));
        const double root = std::sqrt(middle * middle - k / bead_mass * resonance);
        const double low = std::sqrt(middle - root), high = std::sqrt(middle + root);
        const double dt = 2.0 * pi / high / 2000.0;
        each_engine(compressed(in_all(inner, {.stiffness = spring}), mode, 1e-5), dt,
                    [&](dynamics::Engine& engine) {
                        const auto found = frequencies(engine, dt, 300, 80, mode, 2);
                        CHECK_RELATIVE(found[0], low, 1e-5);
                        CHECK_RELATIVE(found[1], high, 1e-5);
                    });
    }
}

TEST_CASE("drag makes a mode of the chain decay as the damped oscillator does") {
    constexpr double drag = 2.0;
    constexpr int mode = 6;
    const double rate = 0.5 * drag / bead_mass;
    const double square = contact_stiffness(mode) / bead_mass - rate * rate;
    const double dt = 2.0 * pi / std::sqrt(square) / 2000.0;
    each_engine(
        compressed(on_all({.damping = drag}), mode, 1e-5), dt, [&](dynamics::Engine& engine) {
            // v(t) = v0 exp(-r t) (cos wt - (r/w) sin wt): after whole periods exp(-r t).
            dynamics::SensorTrace trace;
            const double before = projection(engine, mode);
            engine.advance(4000, trace);
            CHECK_RELATIVE(projection(engine, mode) / before, std::exp(-rate * 4000 * dt), 1e-5);
        });
}

TEST_CASE("a bead on a cubic spring and one that holds a mass move as a plain integration says") {
    // Fourth-order Runge-Kutta of m u'' = -k u - k3 u^3 - c u' - K (u - y), M y'' = K (u - y).
    constexpr double m = 0.45e-3, inner = 0.2e-3, v0 = 1.0;
    const chain::Spring ground{.stiffness = 1e5, .cubic = 3e14, .damping = 1.2};
    const chain::Spring own{.stiffness = 2e5, .cubic = -2e13, .damping = 0.7};
    const auto slope = [&](const std::array<double, 4>& s) {
        const auto force = [](const chain::Spring& k, double x, double v) {
            return k.stiffness * x + k.cubic * x * x * x + k.damping * v;
        };
        const double pull = force(own, s[0] - s[2], s[1] - s[3]);
        return std::array{s[1], (-force(ground, s[0], s[1]) - pull) / m, s[3], pull / inner};
    };
    constexpr double end = 4e-4;
    constexpr int steps = 40000;
    std::array<double, 4> state{0.0, v0, 0.0, v0};
    for (int k = 0; k < steps; ++k) {
        const double h = end / steps;
        std::array<std::array<double, 4>, 4> slopes{};
        constexpr std::array part{0.0, 0.5, 0.5, 1.0};
        for (std::size_t stage = 0; stage < 4; ++stage) {
            std::array<double, 4> at = state;
            for (std::size_t i = 0; i < 4 && stage > 0; ++i)
                at[i] += part[stage] * h * slopes[stage - 1][i];
            slopes[stage] = slope(at);
        }
        for (std::size_t i = 0; i < 4; ++i)
            state[i] +=
                h / 6.0 * (slopes[0][i] + 2.0 * slopes[1][i] + 2.0 * slopes[2][i] + slopes[3][i]);
    }
    chain::Scenario scenario = steel_chain(1, v0, law_settings("hertz"), end);
    chain::Chain chain = chain::build_chain(scenario);
    chain.elements.foundations.push_back({0, ground});
    chain.elements.resonators.push_back({0, inner, own});
    each_engine(chain, end / steps, [&](dynamics::Engine& engine) {
        dynamics::SensorTrace trace;
        engine.advance(steps, trace);
        CHECK_ABSOLUTE(engine.displacement()[0], state[0], 1e-6 * 1e-5);
        CHECK_ABSOLUTE(engine.velocity()[0], state[1], 1e-6 * v0);
        // The motion of the mass inside shows in the momentum.
        CHECK_ABSOLUTE(engine.totals().momentum, m * state[1] + inner * state[3],
                       1e-6 * v0 * (m + inner));
    });
}

}  // namespace beadwave::validation::elements_waves_test
