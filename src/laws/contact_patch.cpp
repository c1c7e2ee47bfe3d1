#include "beadwave/laws/contact_patch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace beadwave::laws {

ContactEllipse contact_circle(double radius) {
    return {.axis_ratio = 1.0,
            .mean_radius = radius,
            .size_factor = 1.0,
            .approach_factor = 1.0,
            .equivalent_radius = radius};
}

double ContactStrip::pressure(double x) const {
    const double part = x / half_width;
    return std::abs(x) < half_width ? largest_pressure * std::sqrt(1.0 - part * part) : 0.0;
}

ContactStrip contact_strip(const LineContact& contact, double force) {
    using std::numbers::pi;
    const double per_length = force / contact.length;
    return {.half_width = std::sqrt(4.0 * per_length * contact.radius / (pi * contact.modulus)),
            .largest_pressure = std::sqrt(per_length * contact.modulus / (pi * contact.radius))};
}

double smaller_radius(const LineContact& contact) {
    if (std::isinf(contact.radius_difference)) return contact.radius;
    // The radii have the product R DeltaR, and the sum (external) or difference (in a hole) DeltaR.
    const double d = contact.radius_difference, product = contact.radius * d;
    if (contact.internal) return 2.0 * product / (d + std::sqrt(d * d + 4.0 * product));
    return 2.0 * product / (d + std::sqrt(std::max(0.0, d * d - 4.0 * product)));
}

std::optional<std::string> too_wide(double half_width, double radius) {
    constexpr double wide = 0.5;
    if (!(half_width > wide * radius)) return std::nullopt;
    return fmt::format(
        "the contact grows to a half-width of {:.3g} m by Hertz's theory, which holds far below "
        "the "
        "radius of the smaller body ({:g} m): half-width and pressure do not hold",
        half_width, radius);
}

}  // namespace beadwave::laws
