#include "beadwave/laws/optimal_damping.hpp"

#include "beadwave/laws/poursina_nikravesh.hpp"

#include <cmath>

namespace beadwave::laws {

OptimalDamping optimal_damping(const DampedImpact& impact) {
    const double n = impact.exponent, e = impact.restitution;
    // Root by root: K m^n itself may leave the range of doubles.
    const double root = 1.0 / (n + 1.0);
    const double unit = std::pow(impact.stiffness, root) *
                        std::pow(impact.speed, (n - 1.0) * root) * std::pow(impact.mass, n * root);
    const double kappa = poursina_optimum(e, n), fit = poursina_fit(e, n);
    OptimalDamping damping{};
    damping.optimum = kappa * unit;
    damping.bound = std::pow(0.5 * (n + 1.0), n * root) * unit / e;
    damping.lambda = damping.optimum / damping.bound;
    damping.separation_overlap =
        std::pow(damping.optimum * e * impact.speed / impact.stiffness, 1.0 / n);
    damping.fit = fit * unit;
    damping.fit_restitution = poursina_restitution(fit, n);
    return damping;
}

}  // namespace beadwave::laws
