#include "packing/shaped/flat_places.hpp"

#include "beadwave/laws/catalogue.hpp"

#include <algorithm>
#include <limits>

namespace beadwave::packing {

FlatEllipse ellipse_of_gap(const shapes::Curvatures& relative, double size) {
    constexpr double infinite = std::numeric_limits<double>::infinity();
    const double least = 1.0 / (largest_flat_radius * size);
    const laws::PrincipalRadii radii{.first = 1.0 / std::max(relative.larger, least),
                                     .second = 1.0 / std::max(relative.smaller, least)};
    return {.ellipse = laws::contact_ellipse(radii, {.first = infinite, .second = infinite}, 0.0),
            .bounded = relative.smaller < least};
}

bool needs_radius(double radius, double mass, const PairSettings& settings,
                  const laws::Elasticity& a, const laws::Elasticity& b) {
    if (settings.friction.is_mindlin() || settings.rolling.acts()) return true;
    constexpr double infinite = std::numeric_limits<double>::infinity();
    const auto force = [&](double of_radius, double approach) {
        const laws::Contact contact = laws::contact_of_radius(of_radius, 1.0, mass, a, infinite, b);
        return laws::make(contact, settings.law).respond(1e-3 * radius, approach, {}).force;
    };
    constexpr double larger = 4.0;
    return force(radius, 0.0) != force(larger * radius, 0.0) ||
           force(radius, 1.0) != force(larger * radius, 1.0);
}

}  // namespace beadwave::packing
