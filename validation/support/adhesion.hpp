// Soft spheres that adhere, and what JKR's and the liquid bridge's equations say of them, written
// here from the papers and independent of the program.
#pragma once

#include "beadwave/laws/catalogue.hpp"
#include "scenarios.hpp"

#include <cmath>
#include <numbers>
#include <string>

namespace beadwave::validation {

/// Rubber: adhesion matters at speeds of a hand.
inline constexpr laws::Elasticity rubber{.youngs_modulus = 1e7, .poisson_ratio = 0.45};
inline constexpr double rubber_density = 1100.0;
inline constexpr double rubber_radius = 1e-4;
inline constexpr double rubber_adhesion = 0.1;  // w [J/m^2]

inline double rubber_mass(double radius) {
    return 4.0 / 3.0 * std::numbers::pi * radius * radius * radius * rubber_density;
}

inline laws::Contact rubber_pair(double radius = rubber_radius) {
    const double mass = rubber_mass(radius);
    return laws::sphere_contact(radius, mass, rubber, radius, mass, rubber);
}

inline laws::Settings jkr_settings(double restitution = 1.0, double adhesion = rubber_adhesion) {
    return law_settings("jkr", {{"adhesion_energy", adhesion}, {"restitution", restitution}});
}

/// The two equations of Johnson, Kendall and Roberts, by the contact radius a [m].
struct JkrEquations {
    double R, E, w;

    double force(double a) const {
        return 4.0 * E / (3.0 * R) * a * a * a -
               2.0 * std::sqrt(2.0 * std::numbers::pi * w * E * a * a * a);
    }
    double overlap(double a) const {
        return a * a / R - std::sqrt(2.0 * std::numbers::pi * w * a / E);
    }
    /// d delta/da = 0: no smaller contact is stable at a given overlap.
    double smallest_radius() const { return std::cbrt(std::numbers::pi * w * R * R / (8.0 * E)); }
    /// delta = 0.
    double radius_at_touch() const { return std::cbrt(2.0 * std::numbers::pi * w * R * R / E); }
    /// dF/d delta, by the derivatives of both by a.
    double stiffness(double a) const {
        const double root = std::sqrt(2.0 * std::numbers::pi * w);
        return (4.0 * E / R * a * a - 3.0 * root * std::sqrt(E * a)) /
               (2.0 * a / R - 0.5 * root / std::sqrt(E * a));
    }
    /// Work that it takes to part the bodies from the contact of zero overlap: minus the integral
    /// of F d delta over the neck, by Simpson's rule in a.
    double parting_work() const {
        const double from = smallest_radius(), to = radius_at_touch();
        constexpr int steps = 2000;
        const double h = (to - from) / steps;
        const auto at = [&](double a) {
            const double slope =
                2.0 * a / R - 0.5 * std::sqrt(2.0 * std::numbers::pi * w / (E * a));
            return force(a) * slope;
        };
        double sum = at(from) + at(to);
        for (int k = 1; k < steps; ++k)
            sum += (k % 2 == 1 ? 4.0 : 2.0) * at(from + k * h);
        return -sum * h / 3.0;
    }
    /// The same in closed form, 7.09 (w^5 R^4/E^2)^(1/3). With s^2 = a/a_s, a_s the smallest
    /// radius, the integral of F d delta is 4 F_0 a_s^2/R times s^10/10 - s^7 + (3/2) s^4, taken
    /// between s^3 = 4 (zero overlap) and s = 1: 0.6 + 0.9 4^(4/3). F_0 a_s^2/R is (4/3)
    /// (pi/8)^(5/3) (w^5 R^4/E^2)^(1/3).
    double lost_energy() const {
        const double unit = std::cbrt(std::pow(w, 5) * std::pow(R, 4) / (E * E));
        return 4.0 * (0.6 + 0.9 * std::pow(4.0, 4.0 / 3.0)) * 4.0 / 3.0 *
               std::pow(std::numbers::pi / 8.0, 5.0 / 3.0) * unit;
    }
};

inline JkrEquations equations_of(const laws::Contact& c, double w = rubber_adhesion) {
    return {.R = c.radius, .E = c.modulus, .w = w};
}

}  // namespace beadwave::validation
