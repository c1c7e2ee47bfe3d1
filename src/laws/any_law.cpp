#include "beadwave/laws/any_law.hpp"

#include "root_between.hpp"

#include <limits>

namespace beadwave::laws {

double first_loading_force(const AnyLaw& law, double overlap) {
    return std::visit([&](const auto& l) { return l.respond(overlap, 0.0, {}).force; }, law);
}

double overlap_at_force(const AnyLaw& law, double force) {
    const auto excess = [&](double overlap) { return first_loading_force(law, overlap) - force; };
    const double least = 0x1p-21 * 1e-15;  // a linear spring carries a nanonewton at 1e-16 m
    double high = least;
    while (excess(high) < 0.0) {
        if (high > 1.0) return std::numeric_limits<double>::quiet_NaN();
        high *= 8.0;
    }
    const double low = high > least ? high / 8.0 : 0.0;
    if (!(excess(low) <= 0.0 && excess(high) >= 0.0))
        return std::numeric_limits<double>::quiet_NaN();
    return root_between(excess, low, high);
}

}  // namespace beadwave::laws
