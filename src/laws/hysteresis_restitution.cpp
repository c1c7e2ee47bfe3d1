#include "beadwave/laws/hysteresis_restitution.hpp"

#include "laws/root_between.hpp"

#include <boost/math/special_functions/log1p.hpp>

#include <algorithm>
#include <cmath>

namespace beadwave::laws {

double hysteresis_restitution(double chi) {
    if (!(chi > 0.0)) return 1.0;
    // With y = ln(1 - chi e) the relation is ln(1 + chi) - chi = y - (e^y - 1): both sides of it
    // keep their digits for small chi, and y does for chi e near 1.
    const double wanted = boost::math::log1pmx(chi);
    const auto excess = [wanted](double y) {
        const double side = y < -0.5 ? y - std::expm1(y) : boost::math::log1pmx(std::expm1(y));
        return side - wanted;
    };
    double low = wanted - 1.0;
    if (chi < 1.0) low = std::max(low, std::log1p(-chi));
    const double y = excess(low) < 0.0 ? root_between(excess, low, 0.0) : low;
    return -std::expm1(y) / chi;
}

double exact_hysteresis_factor(double restitution) {
    if (restitution >= 1.0) return 0.0;
    const auto excess = [restitution](double chi) {
        return hysteresis_restitution(chi) - restitution;
    };
    const double highest = 1.0 / restitution;
    return excess(highest) < 0.0 ? root_between(excess, 0.0, highest) : highest;
}

}  // namespace beadwave::laws
