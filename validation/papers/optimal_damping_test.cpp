// The optimal damping of Poursina2020: closed forms, and impacts integrated plainly.

#include "beadwave/laws/optimal_damping.hpp"

#include "largest.hpp"
#include "relative.hpp"

#include <algorithm>
#include <cmath>

namespace beadwave::validation::optimal_damping_test {

namespace {

using laws::DampedImpact;
using laws::OptimalDamping;

struct End {
    double restitution, overlap;
};

/// m x'' + c x' + K x^n = 0 from x = 0 at the speed v, by the classical Runge-Kutta method in SI
/// units, until zero force while opening [Poursina2020 Eqs (8), (20)].
End plain_end(const DampedImpact& impact, double c) {
    const auto [e, n, K, m, v0] = impact;
    const double deepest = std::pow((n + 1.0) * m * v0 * v0 / (2.0 * K), 1.0 / (n + 1.0));
    const double h = 1e-4 * deepest / v0;
    const auto force = [n = n, K = K, c](double x, double v) {
        return (x > 0.0 ? K * std::pow(x, n) : 0.0) + c * v;
    };
    double x = 0.0, v = v0;
    for (;;) {
        const double k1x = v, k1v = -force(x, v) / m;
        const double k2x = v + 0.5 * h * k1v, k2v = -force(x + 0.5 * h * k1x, k2x) / m;
        const double k3x = v + 0.5 * h * k2v, k3v = -force(x + 0.5 * h * k2x, k3x) / m;
        const double k4x = v + h * k3v, k4v = -force(x + h * k3x, k4x) / m;
        const double x_before = x, v_before = v, before = force(x, v);
        x += h / 6.0 * (k1x + 2.0 * k2x + 2.0 * k3x + k4x);
        v += h / 6.0 * (k1v + 2.0 * k2v + 2.0 * k3v + k4v);
        const double after = force(x, v);
        if (v < 0.0 && before > 0.0 && after <= 0.0) {
            const double part = before / (before - after);
            return {-std::min(v, v_before) / v0, x_before + part * (x - x_before)};
        }
    }
}

/// The restitution at n = 1 in closed form [Eqs (55), (56)]; the arccosine knows the quadrant.
double linear_restitution(double c, double stiffness, double mass) {
    const double xi = c / (2.0 * std::sqrt(stiffness * mass));
    if (xi < 1.0) return std::exp(-2.0 * xi * std::acos(xi) / std::sqrt(1.0 - xi * xi));
    const double root = std::sqrt(xi * xi - 1.0);
    return std::pow((xi - root) / (xi + root), xi / root);
}

constexpr double restitutions[] = {0.05, 0.3, 0.7, 0.95};

}  // namespace

TEST_CASE("the optimal damping returns e, in impacts of any mass, stiffness, speed and exponent") {
    Largest restitution, overlap;
    for (const double e : restitutions) {
        for (const DampedImpact& impact :
             {DampedImpact{e, 1.0, 3e6, 0.2, 4.0}, DampedImpact{e, 1.25, 2e7, 5e-3, 0.1},
              DampedImpact{e, 1.5, 8e9, 3e-4, 1.77}, DampedImpact{e, 2.0, 1e10, 50.0, 20.0}}) {
            const OptimalDamping damping = laws::optimal_damping(impact);
            const End end = plain_end(impact, damping.optimum);
            restitution.enter(std::abs(end.restitution - e));
            overlap.enter(std::abs(damping.separation_overlap / end.overlap - 1.0));
            // The fit is near the optimum, and what it returns is what an impact under it returns.
            CHECK_ABSOLUTE(plain_end(impact, damping.fit).restitution, damping.fit_restitution,
                           1e-6);
            CHECK_ABSOLUTE(damping.fit_restitution, e, 0.0034);
        }
    }
    // Steps of 1e-4 of the time scale: the end is known to their square.
    CHECK(restitution < 1e-6);
    CHECK(overlap < 1e-5);
    MESSAGE("restitution within ", restitution, ", overlap at separation within ", overlap);
}

TEST_CASE("at n = 1 the optimal damping is that of the closed form, below and above critical") {
    for (const double e : {0.001, 0.02, 0.1, 0.13, 0.14, 0.5, 0.9, 1.0}) {
        CAPTURE(e);
        const double c = laws::optimal_damping({e, 1.0, 2e6, 0.05, 3.0}).optimum;
        CHECK_RELATIVE(linear_restitution(c, 2e6, 0.05), e, 1e-7);
    }
}

TEST_CASE("the fit has the printed numbers at n = 1 and n = 3/2") {
    const double K = 5e8, m = 0.02, v = 1.3;
    for (const double e : {0.45, 0.6, 0.75, 0.9}) {
        CAPTURE(e);
        // Eqs (52) and (57), with two or three digits: 1.95 (e^-0.3 - 1), 1.4181 (e^-0.44 - 1).
        CHECK_RELATIVE(laws::optimal_damping({e, 1.5, K, m, v}).fit,
                       1.95 * (std::pow(e, -0.3) - 1.0) * std::pow(K, 0.4) * std::pow(v, 0.2) *
                           std::pow(m, 0.6),
                       1e-2);
        CHECK_RELATIVE(laws::optimal_damping({e, 1.0, K, m, v}).fit,
                       1.4181 * (std::pow(e, -0.44) - 1.0) * std::sqrt(K * m), 1e-3);
    }
}

TEST_CASE("the optimal damping stays below its bound, at a part that only e and n decide") {
    for (const double n : {1.0, 1.3, 1.5, 2.0}) {
        for (const double e : restitutions) {
            CAPTURE(n);
            CAPTURE(e);
            const DampedImpact impact{e, n, 4e8, 0.03, 2.5};
            const OptimalDamping damping = laws::optimal_damping(impact);
            // K d^n / (e v) at the depth d of an impact without damping [Eqs (27), (31)].
            const double d = std::pow((n + 1.0) * 0.03 * 2.5 * 2.5 / (2.0 * 4e8), 1.0 / (n + 1.0));
            CHECK_RELATIVE(damping.bound, 4e8 * std::pow(d, n) / (e * 2.5), 1e-12);
            CHECK(damping.lambda > 0.0);
            CHECK(damping.lambda < 1.0);
            CHECK_RELATIVE(damping.lambda * damping.bound, damping.optimum, 1e-15);
            CHECK_RELATIVE(laws::optimal_damping({e, n, 7.0, 11.0, 0.013}).lambda, damping.lambda,
                           1e-12);
        }
    }
    CHECK(laws::optimal_damping({1.0, 1.5, 1e9, 0.1, 1.0}).optimum == 0.0);
}

TEST_CASE("the optimal damping of huge and tiny numbers is finite") {
    const OptimalDamping large = laws::optimal_damping({0.5, 2.0, 1e300, 1e200, 1e10});
    CHECK_RELATIVE(large.lambda, laws::optimal_damping({0.5, 2.0, 1.0, 1.0, 1.0}).lambda, 1e-12);
    CHECK(std::isfinite(large.optimum));
    CHECK(laws::optimal_damping({0.5, 2.0, 1e-200, 1e-200, 1.0}).optimum > 0.0);
}

}  // namespace beadwave::validation::optimal_damping_test
