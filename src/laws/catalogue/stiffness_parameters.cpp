#include "stiffness_parameters.hpp"

#include "beadwave/input_error.hpp"
#include "parameters.hpp"

#include <fmt/format.h>

#include <cmath>

namespace beadwave::laws {

Parameter linear_stiffness_parameter() {
    return {.name = "stiffness",
            .unit = "N/m",
            .meaning =
                "K; \"hertz\": stores what the two bodies store at the largest overlap of a Hertz "
                "collision at impact_speed",
            .lowest = 0.0,
            .lowest_allowed = false,
            .words = {"hertz"},
            .standard_word = "hertz"};
}

Parameter stiffness_speed_parameter() {
    Parameter speed = impact_speed_parameter();
    speed.meaning = "where \"hertz\" is taken: a number, or the fastest approach at the start";
    speed.words = {"initial"};
    return speed;
}

double linear_stiffness(const Contact& c, const Settings& s) {
    if (!s.is("stiffness", "hertz")) return s.number("stiffness");
    return 0.8 * c.stiffness *
           std::sqrt(hertz_largest_overlap(c.stiffness, c.mass, s.number("impact_speed")));
}

Parameter power_stiffness_parameter() {
    return {.name = "stiffness",
            .unit = "N/m^n",
            .meaning = "K; \"hertz\": the two bodies' own, for n = 1.5 only",
            .lowest = 0.0,
            .lowest_allowed = false,
            .words = {"hertz"},
            .standard_word = "hertz"};
}

double power_stiffness(const Contact& c, const Settings& s, double exponent) {
    if (!s.is("stiffness", "hertz")) return s.number("stiffness");
    if (exponent == 1.5) return c.stiffness;
    throw InputError(
        fmt::format("law \"{}\" with exponent n = {:g} needs a stiffness, in N/m^{:g}: that of the "
                    "two bodies belongs to n = 1.5",
                    s.name, exponent, exponent));
}

Parameter poisson_ratio_parameter(bool zero_allowed) {
    return {.name = "poisson_ratio",
            .unit = "-",
            .meaning = "nu of both bodies",
            .lowest = 0.0,
            .highest = 0.499,
            .lowest_allowed = zero_allowed,
            .standard = 0.3};
}

double youngs_modulus(const Contact& c, const Settings& s) {
    if (!(c.modulus > 0.0)) {
        throw InputError(fmt::format(
            "law \"{}\" needs the two bodies, or the contact's effective_modulus", s.name));
    }
    const double nu = s.number("poisson_ratio");
    return 2.0 * (1.0 - nu * nu) * c.modulus;
}

double effective_radius(const Contact& c, const Settings& s) {
    if (!(c.radius > 0.0)) {
        throw InputError(fmt::format(
            "law \"{}\" needs the two bodies, or the contact's effective_radius", s.name));
    }
    return c.radius;
}

}  // namespace beadwave::laws
