// One collision by plain integration: the classical Runge-Kutta method with fixed steps.
#pragma once

#include <algorithm>
#include <cmath>

namespace beadwave::validation {

struct PlainRebound {
    double restitution, duration;  ///< [-], [s]
};

/// acceleration(overlap, approach speed) [m/s^2], positive where it separates the bodies; the
/// contact ends at zero overlap or, unless the force may pull, where the acceleration is no longer
/// positive.
template <class Acceleration>
PlainRebound plain_rebound(const Acceleration& acceleration, double speed, double step,
                           bool pulls) {
    const auto a = [&](double x, double v) {
        const double value = acceleration(std::max(x, 0.0), v);
        return pulls ? value : std::max(value, 0.0);
    };
    double x = 0.0, v = speed, t = 0.0;
    for (long n = 0; n < 10'000'000; ++n) {
        const double x0 = x, v0 = v, h = step;
        const double k1 = -a(x, v);
        const double k2 = -a(x + 0.5 * h * v, v + 0.5 * h * k1);
        const double k3 = -a(x + 0.5 * h * (v + 0.5 * h * k1), v + 0.5 * h * k2);
        const double k4 = -a(x + h * (v + 0.5 * h * k2), v + h * k3);
        x += h * (v + h / 6.0 * (k1 + k2 + k3));
        v += h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
        t += h;
        if (v >= 0.0) continue;
        if (x <= 0.0) {
            const double part = x0 / (x0 - x);
            return {-(v0 + part * (v - v0)) / speed, t - h + part * h};
        }
        if (!pulls && a(x, v) <= 0.0) return {-v / speed, t};
    }
    return {0.0, INFINITY};
}

}  // namespace beadwave::validation
