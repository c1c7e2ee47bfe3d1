#include "beadwave/laws/elastoplastic/brake.hpp"

#include "beadwave/laws/elastoplastic/hertz_yield.hpp"

#include <boost/math/tools/minima.hpp>

#include <cmath>
#include <numbers>

namespace beadwave::laws {

Brake<double> make_brake(const Contact& contact, double hardness, double yield_factor,
                         double plastic_onset) {
    using std::numbers::pi;
    const double R = contact.radius;
    const double E = contact.modulus;
    const HertzYield yield(contact, yield_factor * contact.yield_stress);
    const double p_0 = hardness * contact.yield_stress;
    const double a_p = 3.0 * pi * R * p_0 / (4.0 * E);
    const double overlap_plastic = plastic_onset * a_p * a_p / R;
    const double length = overlap_plastic - yield.overlap;
    const double slope_yield = 2.0 * E * std::sqrt(R * yield.overlap) * length;
    const double slope_plastic = 2.0 * pi * R * p_0 * length;
    const double rise = pi * p_0 * a_p * a_p - yield.force;
    Brake<double> law{{.stiffness = contact.stiffness,
                       .diameter = 2.0 * R,
                       .overlap_yield = yield.overlap,
                       .overlap_plastic = overlap_plastic,
                       .force_yield = yield.force,
                       .force_plastic = pi * p_0 * a_p * a_p,
                       .plastic_slope = 2.0 * pi * R * p_0,
                       .c1 = slope_yield,
                       .c2 = 3.0 * rise - 2.0 * slope_yield - slope_plastic,
                       .c3 = slope_yield + slope_plastic - 2.0 * rise,
                       .bound_from = overlap_plastic,
                       .bound_dissipation = 0.0}};
    // D has one maximum in the cubic phase.
    const auto lost = [&](double x) {
        const double force = law.loading_force(x);
        return law.loading_work(x) - 0.4 * force * law.printed_span(x, force);
    };
    // In parts of the phase: Boost's tolerance is not free of the unit of x.
    const auto negative = [&](double t) { return -lost(yield.overlap + t * length); };
    const double highest = boost::math::tools::brent_find_minima(negative, 0.0, 1.0, 50).first;
    law.bound_from = yield.overlap + highest * length;
    law.bound_dissipation = lost(law.bound_from);
    return law;
}

}  // namespace beadwave::laws
