#include "beadwave/laws/elliptic_contact.hpp"

#include "beadwave/argument_error.hpp"
#include "laws/root_between.hpp"

#include <boost/math/special_functions/ellint_rd.hpp>
#include <boost/math/special_functions/ellint_rf.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace beadwave::laws {
namespace {

using std::numbers::pi;

// Carlson's forms of both sides of B/A: differences of K and E would lose all digits near a circle.
//
//     K - E = (k^2/3) R_D(0, q^2, 1),     E/q^2 - K = (k^2/3) R_D(0, 1, q^2)
double near_side(double q) {
    return boost::math::ellint_rd(0.0, q * q, 1.0);
}
double far_side(double q) {
    return boost::math::ellint_rd(0.0, 1.0, q * q);
}

/// q for B/A >= 1. q^(-1) grows from 1, a little slower than B/A.
double axis_ratio(double curvatures) {
    constexpr double rounding = 1e-14;
    if (!(curvatures > 1.0 + rounding)) return 1.0;
    const auto excess = [&](double log_q) {
        const double q = std::exp(log_q);
        return std::log(far_side(q) / near_side(q)) - std::log(curvatures);
    };
    return std::min(1.0, std::exp(root_between(excess, -1.001 * std::log(curvatures) - 1e-3, 0.0)));
}

}  // namespace

double ContactEllipse::semi_major(double force, double modulus) const {
    return semi_minor(force, modulus) / axis_ratio;
}

double ContactEllipse::semi_minor(double force, double modulus) const {
    return std::cbrt(0.75 * force * mean_radius / modulus) * size_factor * std::sqrt(axis_ratio);
}

double ContactEllipse::largest_pressure(double force, double modulus) const {
    return 1.5 * force / (pi * semi_major(force, modulus) * semi_minor(force, modulus));
}

ContactEllipse contact_ellipse(const PrincipalRadii& a, const PrincipalRadii& b, double angle) {
    const double sum = 0.5 * (1.0 / a.first + 1.0 / a.second + 1.0 / b.first + 1.0 / b.second);
    const double d1 = 1.0 / a.first - 1.0 / a.second, d2 = 1.0 / b.first - 1.0 / b.second;
    const double difference =
        0.5 * std::hypot(d1 + d2 * std::cos(2.0 * angle), d2 * std::sin(2.0 * angle));
    if (!std::isfinite(sum) || !std::isfinite(difference)) {
        throw ArgumentError(
            "the radii and the angle have no finite curvatures; give radii in m and the angle in "
            "rad");
    }
    const double A = 0.5 * (sum - difference), B = 0.5 * (sum + difference);
    constexpr double rounding = 1e-12;
    if (!(A > rounding * B)) {
        throw ArgumentError(
            A >= -rounding * std::abs(B) && B > 0.0
                ? "the surfaces touch along a line, not in a point: give parallel cylinders a "
                  "length each, and no angle"
                : "the surfaces do not fit: one would touch the other all around its hollow");
    }
    ContactEllipse e{};
    e.axis_ratio = axis_ratio(B / A);
    const double q = e.axis_ratio, rf = boost::math::ellint_rf(0.0, q * q, 1.0);
    e.mean_radius = 0.5 / std::sqrt(A * B);
    e.size_factor = std::cbrt(4.0 / (3.0 * pi)) * std::sqrt(q) *
                    std::pow(near_side(q) * far_side(q), 1.0 / 6.0);
    e.approach_factor = 2.0 / pi * std::sqrt(q) * rf / e.size_factor;
    e.equivalent_radius = e.mean_radius / std::pow(e.approach_factor, 3);
    return e;
}

std::optional<std::string> too_long(const ContactEllipse& ellipse, double force, double modulus,
                                    double cylinder) {
    const double axis = 2.0 * ellipse.semi_major(force, modulus);
    if (!(axis > cylinder)) return std::nullopt;
    return fmt::format(
        "the contact grows to {:.3g} m, longer than a cylinder ({:g} m): the ellipse does not "
        "hold; take angle = 0, a line contact",
        axis, cylinder);
}

Contact elliptic_contact(const ContactEllipse& ellipse, double mass_1, const Elasticity& material_1,
                         double mass_2, const Elasticity& material_2) {
    return contact_of_radius(ellipse.equivalent_radius, ellipse.axis_ratio, mass_1, material_1,
                             mass_2, material_2);
}

}  // namespace beadwave::laws
