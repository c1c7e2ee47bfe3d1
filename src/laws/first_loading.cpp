#include "beadwave/laws/force_jump.hpp"
#include "laws/root_between.hpp"

#include <cmath>
#include <limits>

namespace beadwave::laws {
namespace {

/// Two overlaps as close together as numbers allow; the wanted force lies between their forces.
struct Bracket {
    double low, high;
    double middle() const { return 0.5 * (low + high); }
};

std::optional<Bracket> bracket_of(const AnyLaw& law, double force) {
    const auto excess = [&](double overlap) { return first_loading_force(law, overlap) - force; };
    const double least = 0x1p-21 * 1e-15;  // a linear spring carries a nanonewton at 1e-16 m
    double high = least;
    while (excess(high) < 0.0) {
        if (high > 1.0) return std::nullopt;
        high *= 8.0;
    }
    const double low = high > least ? high / 8.0 : 0.0;
    if (!(excess(low) <= 0.0 && excess(high) >= 0.0)) return std::nullopt;
    const auto [below, above] = bracket_between(excess, low, high);
    return Bracket{below, above};
}

/// Far above the rounding of a steep law, far below a jump that matters.
constexpr double force_tolerance = 1e-9;

bool carries(const AnyLaw& law, double overlap, double force) {
    return std::abs(first_loading_force(law, overlap) - force) <= force_tolerance * force;
}

}  // namespace

double first_loading_force(const AnyLaw& law, double overlap) {
    return law.respond(overlap, 0.0, {}).force;
}

double overlap_at_force(const AnyLaw& law, double force) {
    const auto bracket = bracket_of(law, force);
    return bracket && carries(law, bracket->middle(), force)
               ? bracket->middle()
               : std::numeric_limits<double>::quiet_NaN();
}

std::optional<ForceJump> jump_over(const AnyLaw& law, double force) {
    const auto bracket = bracket_of(law, force);
    if (!bracket || carries(law, bracket->middle(), force)) return std::nullopt;
    return ForceJump{.overlap = bracket->high,
                     .below = first_loading_force(law, bracket->low),
                     .above = first_loading_force(law, bracket->high)};
}

}  // namespace beadwave::laws
