#include "laws/catalogue/hysteresis_roots.hpp"

#include "laws/root_between.hpp"

#include <boost/math/special_functions/log1p.hpp>

#include <cmath>

namespace beadwave::laws {

double zhang_sharf_factor(double e) {
    if (e >= 1.0) return 0.0;
    // In y = ln(1 - d), which is finite where d rounds to 1. Near e = 1 both logarithms are written
    // without their linear terms, which cancel.
    const auto excess = [e](double y) {
        const double d = -std::expm1(y);
        const double own = y < -0.5 ? y + d : boost::math::log1pmx(-d);
        return boost::math::log1pmx(d / e) - own;
    };
    return -std::expm1(root_between(excess, -3.0 / e - 60.0, -0.5 * (1.0 - e))) / e;
}

double khatiwada_factor(double e) {
    if (e >= 1.0) return 0.0;
    // The equation over q, its linear terms 1/q and e/q taken out of the logarithms.
    const auto excess = [e](double q) {
        return boost::math::log1pmx(1.0 / q) - boost::math::log1pmx(-e / q);
    };
    const double least = std::nextafter(e, 1.0);
    if (excess(least) <= 0.0) return 1.0 / e;  // q - e is below rounding
    return 1.0 / root_between(excess, least, 2.0 / (1.0 - e) + 2.0);
}

}  // namespace beadwave::laws
