// Elliptic Hertz contact against its own equations with the elliptic integrals of the standard
// library, against a table computed elsewhere, and against closed limits.

#include "beadwave/laws/elliptic_contact.hpp"

#include "beadwave/argument_error.hpp"
#include "beadwave/laws/catalogue.hpp"
#include "beadwave/laws/collision.hpp"
#include "relative.hpp"
#include "scenarios.hpp"
#include "table.hpp"

#include <cmath>
#include <limits>
#include <numbers>

namespace beadwave::validation::elliptic_contact_test {

using std::numbers::pi;

namespace {

constexpr double straight = std::numeric_limits<double>::infinity();
constexpr laws::Elasticity steel{
    .youngs_modulus = 193e9, .poisson_ratio = 0.3, .yield_stress = 900e6};

/// Two equal cylinders whose axes cross at an angle [degrees].
laws::ContactEllipse crossed(double radius, double degrees) {
    return laws::contact_ellipse({radius, straight}, {radius, straight}, degrees * pi / 180.0);
}

double stiffness_factor(const laws::ContactEllipse& e, double radius) {
    return std::sqrt(e.equivalent_radius / radius);
}

}  // namespace

TEST_CASE("the ellipse of crossed cylinders solves Hertz's equations to 1e-10") {
    for (const double degrees : {89.0, 80.0, 60.0, 45.0, 30.0, 10.0, 3.0}) {
        CAPTURE(degrees);
        const double radius = 7e-3, angle = degrees * pi / 180.0;
        const auto e = crossed(radius, degrees);
        // Curvatures over two in the directions of the bisectors: sin^2 and cos^2 of half the
        // angle.
        const double A = std::pow(std::sin(0.5 * angle), 2) / radius,
                     B = std::pow(std::cos(0.5 * angle), 2) / radius;
        CHECK_RELATIVE(e.mean_radius, 0.5 / std::sqrt(A * B), 1e-12);
        const double q = e.axis_ratio, k = std::sqrt(1.0 - q * q);
        const double K = std::comp_ellint_1(k), E = std::comp_ellint_2(k);
        // K - E loses as many digits as k^2 is below 1.
        const double lost = 1e-15 / (k * k);
        CHECK_RELATIVE((E / (q * q) - K) / (K - E), B / A, 1e-10 + 10.0 * lost);
        const double F1 = std::cbrt(4.0 / (pi * k * k)) * std::sqrt(q) *
                          std::pow((E / (q * q) - K) * (K - E), 1.0 / 6.0);
        CHECK_RELATIVE(e.size_factor, F1, 1e-10 + 10.0 * lost);
        CHECK_RELATIVE(e.approach_factor, 2.0 / pi * std::sqrt(q) * K / F1, 1e-10 + 10.0 * lost);
        CHECK_RELATIVE(e.equivalent_radius, e.mean_radius / std::pow(e.approach_factor, 3), 1e-14);
    }
}

TEST_CASE("crossed cylinders have the axis ratios and stiffnesses of the table") {
    const auto rows = table("papers/elliptic_hertz.csv");
    REQUIRE(rows.size() == 12);
    for (const Row& row : rows) {
        CAPTURE(row.at("angle_deg"));
        const auto e = crossed(1.0, number(row, "angle_deg"));
        constexpr double half_a_digit = 5e-9;  // of numbers with eight decimals
        CHECK_ABSOLUTE(e.axis_ratio, number(row, "b_over_a"), half_a_digit);
        CHECK_ABSOLUTE(e.size_factor, number(row, "F1"), half_a_digit);
        CHECK_ABSOLUTE(e.approach_factor, number(row, "F2"), half_a_digit);
        CHECK_ABSOLUTE(stiffness_factor(e, 1.0), number(row, "stiffness_factor"), half_a_digit);
    }
}

TEST_CASE(
    "surfaces with one radius, and cylinders that cross at a right angle, touch as a sphere") {
    for (const auto& [e, radius] :
         {std::pair{laws::contact_ellipse({2e-3, 2e-3}, {3e-3, 3e-3}, 0.4), 1.2e-3},
          std::pair{laws::contact_ellipse({2e-3, 2e-3}, {straight, straight}, 0.0), 2e-3},
          std::pair{crossed(5e-3, 90.0), 5e-3}}) {
        CHECK_RELATIVE(e.axis_ratio, 1.0, 1e-12);
        CHECK_RELATIVE(e.equivalent_radius, radius, 1e-12);
        // A circle: a^3 = 3 F R/(4 E*), p0 = 3 F/(2 pi a^2).
        const double a = std::cbrt(0.75 * 10.0 * radius / 1e11);
        CHECK_RELATIVE(e.semi_major(10.0, 1e11), a, 1e-12);
        CHECK_RELATIVE(e.largest_pressure(10.0, 1e11), 15.0 / (pi * a * a), 1e-12);
    }
}

TEST_CASE("turning both bodies, or naming their radii the other way, changes nothing") {
    const double angle = 0.3;
    const auto e = laws::contact_ellipse({2e-3, 9e-3}, {4e-3, -30e-3}, angle);
    const auto swapped = laws::contact_ellipse({4e-3, -30e-3}, {2e-3, 9e-3}, -angle);
    const auto turned = laws::contact_ellipse({9e-3, 2e-3}, {-30e-3, 4e-3}, angle + pi);
    const auto quarter = laws::contact_ellipse({9e-3, 2e-3}, {4e-3, -30e-3}, angle + 0.5 * pi);
    for (const auto& other : {swapped, turned, quarter}) {
        CHECK_RELATIVE(other.axis_ratio, e.axis_ratio, 1e-12);
        CHECK_RELATIVE(other.equivalent_radius, e.equivalent_radius, 1e-12);
    }
}

TEST_CASE("surfaces that touch along a line or do not fit are refused") {
    CHECK_THROWS_WITH_AS(crossed(5e-3, 0.0),
                         "the surfaces touch along a line, not in a point: give parallel "
                         "cylinders a length each, and no angle",
                         ArgumentError);
    CHECK_THROWS_WITH_AS(laws::contact_ellipse({5e-3, 5e-3}, {-4e-3, straight}, 0.0),
                         "the surfaces do not fit: one would touch the other all around its hollow",
                         ArgumentError);
}

TEST_CASE("a collision of crossed cylinders is Hertz's with the stiffness of their ellipse") {
    const double mass = 2e-3, speed = 0.7, radius = 5e-3;
    for (const double degrees : {90.0, 60.0, 20.0}) {
        const auto e = crossed(radius, degrees);
        const laws::Contact contact = laws::elliptic_contact(e, mass, steel, straight, steel);
        const double modulus = steel.youngs_modulus / (2.0 * (1.0 - 0.09));
        const double stiffness =
            4.0 / 3.0 * modulus * std::sqrt(radius) * stiffness_factor(e, radius);
        CHECK_RELATIVE(contact.stiffness, stiffness, 1e-12);
        const auto hit = laws::collide(laws::make(contact, law_settings("hertz")), mass, speed);
        CHECK_RELATIVE(hit.max_overlap, std::pow(1.25 * mass * speed * speed / stiffness, 0.4),
                       1e-8);
    }
}

TEST_CASE("laws that need a circle are refused on an ellipse") {
    const auto contact = laws::elliptic_contact(crossed(5e-3, 60.0), 1.0, steel, 1.0, steel);
    CHECK_THROWS_WITH_AS(
        laws::make(contact, law_settings("ma-liu")),
        "law \"ma-liu\" yields under the pressure on a circle; these surfaces touch "
        "on an ellipse of axis ratio 0.4826",
        ArgumentError);
    CHECK_THROWS_WITH_AS(
        laws::make(contact, law_settings("roy-carretero")),
        "law \"roy-carretero\" is for two spheres; these surfaces touch on an ellipse",
        ArgumentError);
}

}  // namespace beadwave::validation::elliptic_contact_test
