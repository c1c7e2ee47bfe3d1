// Viscous laws on a linear spring.

#include "beadwave/laws/spring_dashpot.hpp"
#include "laws/catalogue/parameters.hpp"
#include "laws/catalogue/stiffness_parameters.hpp"
#include "laws/catalogue/viscous_groups.hpp"
#include "laws/root_between.hpp"

#include <cmath>
#include <numbers>

namespace beadwave::laws {
namespace {

using LinearDashpot = SpringDashpot<double, Exponent::one, Exponent::zero>;

AnyLaw make_kelvin_voigt(const Contact& c, const Settings& s) {
    const double K = linear_stiffness(c, s);
    return LinearDashpot{.stiffness = K,
                         .damping = damping_from(s, "damping", 2.0 * std::sqrt(K * c.mass)),
                         .lowest_force = lowest_force(s)};
}

AnyLaw make_anagnostopoulos(const Contact& c, const Settings& s) {
    const double K = linear_stiffness(c, s);
    return LinearDashpot{
        .stiffness = K,
        .damping = 2.0 * damping_ratio(s.number("restitution")) * std::sqrt(K * c.mass),
        .lowest_force = lowest_force(s)};
}

/// xi whose restitution exp(-factor xi atan(root/xi) / root), root = sqrt(1 - xi^2), is e.
double goyal_damping_ratio(double e, double factor) {
    if (e >= 1.0) return 0.0;
    const auto excess = [&](double xi) {
        const double root = std::sqrt((1.0 - xi) * (1.0 + xi));
        const double angle_ratio = root > 0.0 ? std::atan2(root, xi) / root : 1.0;
        return factor * xi * angle_ratio + std::log(e);
    };
    return root_between(excess, 0.0, 1.0);
}

AnyLaw make_goyal(const Contact& c, const Settings& s) {
    const double K = linear_stiffness(c, s);
    const double xi =
        goyal_damping_ratio(s.number("restitution"), s.is("exponent", "printed") ? 4.0 : 2.0);
    return LinearDashpot{
        .stiffness = K, .damping = 2.0 * xi * std::sqrt(K * c.mass), .lowest_force = 0.0};
}

Parameter goyal_restitution() {
    Parameter e = restitution_parameter();
    e.lowest = 0.13534;  // exp(-2), where the damping becomes critical
    return e;
}

constexpr const char* gap_or_force =
    "zero overlap, after tension (\"gap\", the law's own rule, which returns e exactly); or zero "
    "force, which returns more than e (0.550 for e = 0.5)";

}  // namespace

std::vector<Entry> linear_spring_entries() {
    std::vector<Parameter> kelvin_voigt =
        restitution_or({.name = "damping",
                        .unit = "N s/m",
                        .meaning = "D, unless the restitution sets it",
                        .lowest = 0.0});
    for (const Parameter& p :
         {linear_stiffness_parameter(), stiffness_speed_parameter(), separation_parameter("gap")}) {
        kelvin_voigt.push_back(p);
    }
    return {
        {.name = "kelvin-voigt",
         .aliases = {},
         .family = "viscous",
         .equation = "F = K delta + D delta_dot; from e: D = 2 xi sqrt(K m), "
                     "xi = -ln e / sqrt(pi^2 + ln^2 e)",
         .parameters = kelvin_voigt,
         .separation = gap_or_force,
         .stored_energy = "K delta^2 / 2",
         .validity = "the force jumps to D delta_dot_0 when contact begins. The law itself does "
                     "not relate D to e; the relation is that of anagnostopoulos. Skrinjar2018 "
                     "Table 1 prints chi delta delta_dot, which would not jump. Its own Eq. (6) "
                     "and the other texts have D delta_dot, which the program uses",
         .source = "Skrinjar2018 Eq. (6); CorralReview Eq. (5.8)",
         .make = make_kelvin_voigt,
         .step_order = {.order = 1.0,
                        .remark = "the force jumps where contact begins and where it ends"}},
        {.name = "anagnostopoulos",
         .aliases = {},
         .family = "viscous",
         .equation = "F = K delta + 2 xi sqrt(K m) delta_dot, xi = -ln e / sqrt(pi^2 + ln^2 e)",
         .parameters = {restitution_parameter(), linear_stiffness_parameter(),
                        stiffness_speed_parameter(), separation_parameter("gap")},
         .separation = gap_or_force,
         .stored_energy = "K delta^2 / 2",
         .validity = "the force jumps when contact begins. Skrinjar2018 Table 1 prints chi delta "
                     "delta_dot and a xi without its root, from which its restitutions do not "
                     "follow. The program uses CorralReview's form",
         .source = "CorralReview Eqs (5.39), (5.40)",
         .make = make_anagnostopoulos,
         .step_order = {.order = 1.0,
                        .remark = "the force jumps where contact begins and where it ends"}},
        {.name = "goyal",
         .aliases = {},
         .family = "viscous",
         .equation = "F = K delta + 2 xi sqrt(K m) delta_dot, "
                     "e = exp(-2 xi atan(sqrt(1 - xi^2)/xi) / sqrt(1 - xi^2))",
         .parameters =
             {goyal_restitution(),
              {.name = "exponent",
               .unit = "-",
               .meaning = "exponent of the formula for e: \"corrected\" is 2 xi ... and returns e; "
                          "\"printed\" is 4 xi ..., the ratio of energies, and returns sqrt(e)",
               .words = {"corrected", "printed"},
               .standard_word = "corrected",
               .number_allowed = false},
              linear_stiffness_parameter(),
              stiffness_speed_parameter()},
         .separation = "zero force, at a residual overlap",
         .stored_energy = "K delta^2 / 2",
         .validity = "the force jumps when contact begins. xi is below 1, so e is above exp(-2). "
                     "Eq. (5.20) prints D and xi in each other's place",
         .source = "CorralReview Eqs (5.20)-(5.22)",
         .make = make_goyal,
         .step_order = {.order = 1.0, .remark = "the force jumps where contact begins"}},
    };
}

}  // namespace beadwave::laws
