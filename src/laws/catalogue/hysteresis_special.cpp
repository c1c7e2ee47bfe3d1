#include "laws/catalogue/hysteresis_special.hpp"

#include "beadwave/argument_error.hpp"
#include "beadwave/laws/hysteresis_restitution.hpp"
#include "laws/catalogue/hysteresis_factors.hpp"
#include "laws/catalogue/hysteresis_kernel.hpp"
#include "laws/catalogue/hysteresis_validity.hpp"
#include "laws/catalogue/stiffness_parameters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace beadwave::laws {
namespace {

auto zhiying_qishao() {
    return std::ranges::find(hysteresis_factors(), "zhiying-qishao", &HysteresisFactor::name)->chi;
}

/// K* [-] from the higher over the lower yield stress of the two bodies.
double c_star_coefficient(double ratio) {
    constexpr double nearly_equal = 0.05;  // the text says "about equal" and gives no tolerance
    if (ratio >= 2.0) return ratio / (ratio - 1.0);
    if (1.0 - 1.0 / ratio <= nearly_equal) return ratio;
    return ratio / (1.0 + ratio);
}

AnyLaw make_wang_c_star(const Contact& c, const Settings& s) {
    const double speed = s.number("impact_speed");
    const double coefficient = c_star_coefficient(s.number("yield_ratio"));
    const double c_star = 1.0 - 0.26 * coefficient * std::cbrt(speed);
    if (!(c_star > 0.0)) {
        throw ArgumentError(fmt::format(
            "law \"wang-c-star\" has no c* above 0 at an impact speed of {:g} m/s: with "
            "K* = {:g} it must be below {:g} m/s",
            speed, coefficient, std::pow(0.26 * coefficient, -3.0)));
    }
    return hertz_hysteresis(c, s, zhiying_qishao()(c_star));
}

AnyLaw make_exact(const Contact& c, const Settings& s) {
    const double exponent = s.number("exponent");
    const double chi = remembered(exact_hysteresis_factor, s.number("restitution"));
    const double stiffness = power_stiffness(c, s, exponent);
    if (exponent == 1.5) {
        Contact stiff = c;
        stiff.stiffness = stiffness;
        return hertz_hysteresis(stiff, s, chi);
    }
    return power_hysteresis(s, stiffness, exponent, chi);
}

}  // namespace

Entry wang_c_star_entry() {
    Parameter speed = impact_speed_parameter();
    speed.meaning =
        "delta_dot_0, the same for all contacts: a number, or the fastest approach at the start";
    speed.words = {"initial"};
    return {
        .name = "wang-c-star",
        .aliases = {},
        .family = "hysteresis",
        .equation =
            "F = K delta^(3/2) (1 + chi delta_dot/delta_dot_0), chi = (3/4) (1 - c*^2) exp(2 (1 - "
            "c*)), c* = 1 - 0.26 K* delta_dot_0^(1/3), r = yield_ratio: K* = r/(r - 1) for r >= 2, "
            "r for r about 1, otherwise r/(r + 1)",
        .parameters =
            {speed,
             {.name = "yield_ratio",
              .unit = "-",
              .meaning = "higher over lower yield stress of the two bodies; K* jumps at 1.05 and 2",
              .lowest = 1.0,
              .standard = 1.0},
             separation_parameter("force")},
        .separation = "zero force or zero overlap, which coincide unless bodies are pulled apart",
        .stored_energy = "(2/5) K delta^(5/2)",
        .validity = {[] {
            return "the restitution follows from the speed. With c* in place of e the law " +
                   measured_validity(zhiying_qishao(), 0.0) +
                   ". The text does not say when yield stresses are about equal (here: within 5 % "
                   "of the higher one) and which body comes first (here: the harder one)";
        }},
        .source = "CorralReview Eqs (5.58)-(5.60); its Table 1 prints c*^3 for c*^2",
        .make = make_wang_c_star};
}

Entry exact_hysteresis_entry() {
    std::vector<Parameter> parameters = dashpot_parameters();
    parameters.push_back(
        {.name = "exponent", .unit = "-", .meaning = "n", .lowest = 1.0, .standard = 1.5});
    parameters.push_back(power_stiffness_parameter());
    return {
        .name = "exact",
        .aliases = {},
        .family = "hysteresis",
        .equation =
            "F = K delta^n (1 + chi delta_dot/delta_dot_0), chi the root of "
            "chi (1 + e) = ln[(1 + chi) / (1 - chi e)]",
        .parameters = parameters,
        .separation = "zero force or zero overlap, which coincide unless bodies are pulled apart",
        .stored_energy = "K delta^(n+1) / (n+1)",
        .validity = {[] {
            return measured_validity(exact_hysteresis_factor, 0.0) + "; the same for every n";
        }},
        .source = "Poursina2020 Eq. (19), solved for chi",
        .make = make_exact};
}

}  // namespace beadwave::laws
