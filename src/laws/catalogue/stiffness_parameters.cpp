#include "laws/catalogue/stiffness_parameters.hpp"

#include "beadwave/argument_error.hpp"
#include "laws/catalogue/parameters.hpp"

#include <fmt/format.h>

#include <cmath>
#include <optional>

namespace beadwave::laws {

Parameter linear_stiffness_parameter() {
    return {.name = "stiffness",
            .unit = "N/m",
            .meaning =
                "K; \"hertz\": the spring that stores as much as the two bodies at the largest "
                "overlap of a Hertz collision at impact_speed",
            .lowest = 0.0,
            .lowest_allowed = false,
            .words = {"hertz"},
            .standard_word = "hertz"};
}

Parameter stiffness_speed_parameter() {
    Parameter speed = impact_speed_parameter();
    speed.meaning = "speed of \"hertz\": a number, or the fastest approach at the start";
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
    throw ArgumentError(
        fmt::format("law \"{}\" with exponent n = {:g} needs a stiffness, in N/m^{:g}: that of the "
                    "two bodies belongs to n = 1.5",
                    s.name, exponent, exponent));
}

namespace {

Parameter bodies_poisson_ratio(std::string_view meaning) {
    return {.name = "poisson_ratio",
            .unit = "-",
            .meaning = meaning,
            .lowest = 0.0,
            .highest = 0.5,
            .words = {"bodies"},
            .standard_word = "bodies"};
}

double given_or_own(const Settings& s, const std::optional<double>& own) {
    if (!s.is("poisson_ratio", "bodies")) return s.number("poisson_ratio");
    const double nu = own.value_or(assumed_poisson_ratio);
    if (!(nu >= 0.0)) {
        throw ArgumentError(
            fmt::format("law \"{}\" is made for Poisson ratios from 0 to 0.5, not for the bodies' "
                        "{:g}; give poisson_ratio in [law]",
                        s.name, nu));
    }
    return nu;
}

}  // namespace

Parameter poisson_ratio_parameter() {
    return bodies_poisson_ratio(
        "nu of both bodies; \"bodies\": the mean of theirs, 0.3 where none are described");
}

Parameter yielding_poisson_ratio_parameter() {
    return bodies_poisson_ratio(
        "nu of the body that yields; \"bodies\": that of the body with the lower yield stress, or "
        "the mean if both are equal; 0.3 where none are described");
}

double poisson_ratio(const Contact& c, const Settings& s) {
    return given_or_own(s, c.poisson_ratio);
}

double yielding_poisson_ratio(const Contact& c, const Settings& s) {
    return given_or_own(s, c.yielding_poisson_ratio);
}

double effective_modulus(const Contact& c, const Settings& s) {
    if (!(c.modulus > 0.0)) {
        throw ArgumentError(fmt::format(
            "law \"{}\" needs the two bodies, or the contact's effective_modulus", s.name));
    }
    return c.modulus;
}

double youngs_modulus(const Contact& c, const Settings& s) {
    const double nu = poisson_ratio(c, s);
    return 2.0 * (1.0 - nu * nu) * effective_modulus(c, s);
}

double effective_radius(const Contact& c, const Settings& s) {
    if (!(c.radius > 0.0)) {
        throw ArgumentError(fmt::format(
            "law \"{}\" needs the two bodies, or the contact's effective_radius", s.name));
    }
    return c.radius;
}

}  // namespace beadwave::laws
