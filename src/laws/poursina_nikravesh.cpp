#include "beadwave/laws/poursina_nikravesh.hpp"

#include "beadwave/laws/collision.hpp"
#include "beadwave/laws/optimal_damping.hpp"
#include "beadwave/laws/power_dashpot.hpp"
#include "laws/root_between.hpp"

#include <cmath>

namespace beadwave::laws {
namespace {

double solve(double restitution, double exponent) {
    if (restitution >= 1.0) return 0.0;
    const double fit = poursina_fit(restitution, exponent);
    double low = 0.9 * fit, high = 1.1 * fit;
    while (poursina_restitution(low, exponent) < restitution)
        low *= 0.9;
    while (poursina_restitution(high, exponent) > restitution)
        high *= 1.1;
    // The logarithm makes small restitutions as exact as large ones.
    return root_between(
        [&](double kappa) { return std::log(poursina_restitution(kappa, exponent) / restitution); },
        low, high);
}

}  // namespace

double poursina_restitution(double kappa, double exponent) {
    // m = K = v = 1, where c is kappa.
    const PowerDashpot<double> law{.stiffness = 1.0,
                                   .exponent = exponent,
                                   .damping = kappa,
                                   .overlap_exponent = 0.0,
                                   .lowest_force = 0.0};
    return collide(law, 1.0, 1.0).restitution;
}

double poursina_fit(double restitution, double exponent) {
    const double n = exponent;
    const double alpha = (((0.3331 * n - 1.48) * n + 3.077) * n - 2.306) * n + 1.794;
    const double beta = 1.285 * std::pow(n, 0.2553) - 1.725;
    return alpha * (std::pow(restitution, beta) - 1.0);
}

double poursina_optimum(double restitution, double exponent) {
    // A chain needs the same number once per contact, and computing it takes several collisions.
    struct Last {
        double restitution = 0.0, exponent = 0.0, kappa = 0.0;
    };
    thread_local Last last;
    if (last.restitution != restitution || last.exponent != exponent) {
        last = {restitution, exponent, solve(restitution, exponent)};
    }
    return last.kappa;
}

}  // namespace beadwave::laws
