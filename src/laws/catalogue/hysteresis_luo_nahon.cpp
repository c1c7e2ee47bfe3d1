// Luo-Nahon: hysteresis damping on a stiffness that the shape of the common area gives.
//
//     F = c pi E (A0 / s) delta (1 + chi delta_dot/delta_dot_0)
//                                            [CorralReview Eqs (5.27)-(5.30)]
//
// A0 is the area in which the undeformed bodies intersect. s is the maximum, over points of the
// area, of the integral of dA/r over it [m]: under an even pressure p the area sinks by p s/(pi E)
// there. c accounts for the real pressure distribution and for the smaller real area; the text
// gives no number for it. Known solutions do: for a circle of radius a, s = 2 pi a, and
//
//     two spheres         a = sqrt(2 R delta),  F = (4/3) E sqrt(R) delta^(3/2) makes
//                         c = 4 sqrt(2)/(3 pi)
//     a flat round punch  F = 2 a E delta makes c = 4/pi
//
// Eq. (5.29) divides by K where Eq. (5.23) multiplies by it: chi is Gonthier's root d/e.

#include "beadwave/argument_error.hpp"
#include "laws/catalogue/hysteresis_kernel.hpp"
#include "laws/catalogue/hysteresis_roots.hpp"
#include "laws/catalogue/hysteresis_special.hpp"
#include "laws/catalogue/hysteresis_validity.hpp"
#include "laws/catalogue/stiffness_parameters.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

namespace beadwave::laws {
namespace {

using std::numbers::pi;

double given_or(const Settings& s, std::string_view parameter, std::string_view word,
                double standard) {
    return s.is(parameter, word) ? standard : s.number(parameter);
}

AnyLaw make_luo_nahon(const Contact& c, const Settings& s) {
    const double chi = remembered(zhang_sharf_factor, s.number("restitution"));
    const double E = effective_modulus(c, s);
    if (s.is("area", "spheres")) {
        if (!s.is("shape", "circle")) {
            throw ArgumentError(
                "law \"luo-nahon\": the area that two spheres share is a circle; a number for "
                "shape needs one for area");
        }
        Contact spheres = c;
        const double factor =
            given_or(s, "case_coefficient", "known", 4.0 * std::numbers::sqrt2 / (3.0 * pi));
        // A0/s = a/2 with a = sqrt(2 R delta).
        spheres.stiffness = factor * pi * E * std::sqrt(0.5 * effective_radius(c, s));
        return hertz_hysteresis(spheres, s, chi);
    }
    const double area = s.number("area");
    const double shape = given_or(s, "shape", "circle", 2.0 * std::sqrt(pi * area));
    const double factor = given_or(s, "case_coefficient", "known", 4.0 / pi);
    return power_hysteresis(s, factor * pi * E * area / shape, 1.0, chi);
}

}  // namespace

Entry luo_nahon_entry() {
    std::vector<Parameter> parameters = dashpot_parameters();
    parameters.push_back({.name = "case_coefficient",
                          .unit = "-",
                          .meaning = "c; \"known\": 0.600 for two spheres (Hertz) and 1.273 for "
                                     "flat faces (a rigid round punch)",
                          .lowest = 0.0,
                          .lowest_allowed = false,
                          .words = {"known"},
                          .standard_word = "known"});
    parameters.push_back(
        {.name = "area",
         .unit = "m^2",
         .meaning = "A0: a number for two flat faces; \"spheres\": 2 pi R delta of two spheres",
         .lowest = 0.0,
         .lowest_allowed = false,
         .words = {"spheres"},
         .standard_word = "spheres"});
    parameters.push_back({.name = "shape",
                          .unit = "m",
                          .meaning = "s, the largest integral of dA/r over the area; \"circle\": 2 "
                                     "sqrt(pi A0)",
                          .lowest = 0.0,
                          .lowest_allowed = false,
                          .words = {"circle"},
                          .standard_word = "circle"});
    return {
        .name = "luo-nahon",
        .aliases = {},
        .family = "hysteresis",
        .equation =
            "F = c pi E (A0/s) delta (1 + chi delta_dot/delta_dot_0), chi = d/e with "
            "(1 + d/e) / (1 - d) = exp(d (1 + 1/e))",
        .parameters = parameters,
        .separation = "zero force or zero overlap, which coincide unless bodies are pulled apart",
        .stored_energy =
            "the integral of c pi E (A0/s) delta: (2/5) of force times overlap for "
            "spheres, half of it for flat faces",
        .validity = {[] {
            return measured_validity(zhang_sharf_factor, 0.0) +
                   ". The text gives no values of c, A0 and s. Those of spheres and round faces "
                   "are from known solutions; with them two spheres have Hertz's stiffness";
        }},
        .source = "CorralReview Eqs (5.27)-(5.30), with chi of Eq. (5.23)",
        .make = make_luo_nahon};
}

}  // namespace beadwave::laws
