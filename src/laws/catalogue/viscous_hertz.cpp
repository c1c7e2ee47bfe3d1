// Viscous laws on the Hertz spring whose damping the restitution sets.

#include "beadwave/laws/jankowski.hpp"
#include "beadwave/laws/lee_wang_viscous.hpp"
#include "beadwave/laws/spring_dashpot.hpp"
#include "laws/catalogue/parameters.hpp"
#include "laws/catalogue/stiffness_parameters.hpp"
#include "laws/catalogue/viscous_groups.hpp"

#include <cmath>
#include <numbers>

namespace beadwave::laws {
namespace {

const double sqrt5 = std::sqrt(5.0);

AnyLaw make_tsuji(const Contact& c, const Settings& s) {
    const double alpha = damping_from(s, "alpha", sqrt5);
    return SpringDashpot<double, Exponent::three_halves, Exponent::quarter>{
        .stiffness = c.stiffness,
        .damping = alpha * std::sqrt(c.stiffness * c.mass),
        .lowest_force = lowest_force(s)};
}

AnyLaw make_jankowski(const Contact& c, const Settings& s) {
    const double e = s.number("restitution");
    const double lost = 1.0 - e * e;
    const double xi = s.is("formula", "first")
                          ? sqrt5 * lost / (2.0 * std::numbers::pi * e)
                          : 4.5 * sqrt5 * lost / (e * (e * (9.0 * std::numbers::pi - 16.0) + 16.0));
    return Jankowski<double>{.stiffness = c.stiffness,
                             .damping = 2.0 * xi * std::sqrt(c.stiffness * c.mass)};
}

AnyLaw make_lee_wang_viscous(const Contact& c, const Settings& s) {
    const double linear = linear_stiffness(c, s);
    const double transition =
        s.is("transition_overlap", "hundredth")
            ? 0.01 * hertz_largest_overlap(c.stiffness, c.mass, s.number("impact_speed"))
            : s.number("transition_overlap");
    return LeeWangViscous<double>{
        .stiffness = c.stiffness,
        .damping = 2.0 * damping_ratio(s.number("restitution")) * std::sqrt(linear * c.mass),
        .transition = transition,
        .steepness = 2.0 * s.number("sharpness") / transition,
        .lowest_force = lowest_force(s)};
}

Entry tsuji() {
    std::vector<Parameter> parameters =
        restitution_or({.name = "alpha",
                        .unit = "-",
                        .meaning = "alpha, unless the restitution sets it",
                        .lowest = 0.0});
    parameters.push_back(separation_parameter("gap"));
    return {.name = "tsuji",
            .aliases = {"edem"},
            .family = "viscous",
            .equation =
                "F = K delta^(3/2) + alpha sqrt(K m) delta^(1/4) delta_dot; from e: alpha = "
                "sqrt(5) xi, "
                "xi = -ln e / sqrt(pi^2 + ln^2 e)",
            .parameters = parameters,
            .separation =
                "zero overlap, after tension (\"gap\", the law's own rule, which returns e "
                "exactly); or zero force, which returns more than e (0.550 for e = 0.5)",
            .stored_energy = "(2/5) K delta^(5/2)",
            .validity =
                "the restitution does not depend on the speed. The program does not use the 1992 "
                "polynomial for alpha(e), which is low by sqrt(2) for the effective mass",
            .source = "WangReview2022 Table 2; CorralReview Eqs (5.45), (5.46)",
            .make = make_tsuji,
            .step_order = {.order = 1.25,
                           .remark = "the dashpot grows as delta^(1/4) where contact begins"}};
}

Entry jankowski() {
    return {.name = "jankowski",
            .aliases = {},
            .family = "viscous",
            .equation =
                "F = K delta^(3/2) + 2 xi sqrt(K m) delta^(1/4) delta_dot while closing, K "
                "delta^(3/2) while opening; xi = (9 sqrt(5)/2) (1 - e^2) / (e (e (9 pi - 16) + "
                "16)) (refined) or sqrt(5) (1 - e^2) / (2 pi e) (first)",
            .parameters = {restitution_parameter(),
                           {.name = "formula",
                            .unit = "-",
                            .meaning = "formula for xi(e): the first one, or the refined one",
                            .words = {"first", "refined"},
                            .standard_word = "refined",
                            .number_allowed = false}},
            .separation = "zero overlap, where the force is zero too",
            .stored_energy = "(2/5) K delta^(5/2)",
            .validity =
                "refined: returns 0.900 for e = 0.9, 0.495 for 0.5, 0.093 for 0.1; first: 0.904, "
                "0.558, 0.147. WangReview2022 Table 2 does not say that only closing is damped. "
                "Skrinjar2018 Table 1 prints delta^(1/2) (and lists the power as 1) with a factor "
                "2 xi(e) K/delta_dot_0, with Tsuji's xi; its unit is not that of a damping. The "
                "program uses the law's own delta^(1/4) and 2 xi sqrt(K m)",
            .source = "CorralReview Eqs (5.52)-(5.55)",
            .make = make_jankowski,
            .step_order = {.order = 1.25,
                           .remark = "the dashpot grows as delta^(1/4) where contact begins"}};
}

Entry lee_wang_viscous() {
    Parameter speed = stiffness_speed_parameter();
    speed.meaning =
        "speed of \"hertz\" and \"hundredth\": a number, or the fastest approach at the start";
    return {
        .name = "lee-wang-viscous",
        .aliases = {},
        .family = "viscous",
        .equation =
            "F = K_Hertz delta^(3/2) + S 2 xi sqrt(K m) delta_dot, S = exp(2 q (delta - "
            "eps)/eps) up to "
            "delta = eps, then 1; xi = -ln e / sqrt(pi^2 + ln^2 e)",
        .parameters =
            {restitution_parameter(),
             linear_stiffness_parameter(),
             speed,
             {.name = "transition_overlap",
              .unit = "m",
              .meaning =
                  "eps; \"hundredth\": a hundredth of the largest Hertz overlap at impact_speed",
              .lowest = 0.0,
              .lowest_allowed = false,
              .words = {"hundredth"},
              .standard_word = "hundredth"},
             {.name = "sharpness",
              .unit = "-",
              .meaning = "q: the dashpot starts at exp(-2 q) of its strength",
              .lowest = 0.0,
              .standard = 5.0},
             separation_parameter("gap")},
        .separation = "zero overlap, after tension (\"gap\": S ends there); or zero force",
        .stored_energy = "(2/5) K_Hertz delta^(5/2)",
        .validity =
            "does not return e. The text prints no eps and no q, and gives q an impossible unit. "
            "For the linear stiffness K it takes Hertz's, which has another unit. So eps, q and K "
            "are this program's unless given",
        .source = "WangReview2022 Table 2",
        .make = make_lee_wang_viscous,
        .step_order = {.remark = "if some ten steps cross transition_overlap, 1.5 if one does; "
                                 "beyond that the force still jumps by exp(-2 q) of the dashpot"}};
}

}  // namespace

std::vector<Entry> hertz_dashpot_entries() {
    return {tsuji(), jankowski(), lee_wang_viscous()};
}

}  // namespace beadwave::laws
