// Viscous laws on a spring K delta^n with n free, and those that cannot be offered.

#include "beadwave/laws/poursina_nikravesh.hpp"
#include "beadwave/laws/power_dashpot.hpp"
#include "beadwave/laws/speed_power_dashpot.hpp"
#include "beadwave/laws/spring_dashpot.hpp"
#include "laws/catalogue/parameters.hpp"
#include "laws/catalogue/stiffness_parameters.hpp"
#include "laws/catalogue/viscous_groups.hpp"

#include <cmath>
#include <string>

namespace beadwave::laws {
namespace {

template <Exponent n>
AnyLaw linear_damper(double stiffness, double damping) {
    return SpringDashpot<double, n, Exponent::zero>{
        .stiffness = stiffness, .damping = damping, .lowest_force = 0.0};
}

AnyLaw make_poursina(const Contact& c, const Settings& s) {
    const double n = s.number("exponent"), e = s.number("restitution");
    const double K = power_stiffness(c, s, n);
    const double kappa =
        s.is("coefficient", "optimal") ? poursina_optimum(e, n) : poursina_fit(e, n);
    const double at_unit_speed = kappa * std::pow(K * std::pow(c.mass, n), 1.0 / (n + 1.0));
    const double speed_exponent = (n - 1.0) / (n + 1.0);
    if (s.is("impact_speed", "per-contact")) {
        return PoursinaNikravesh<double>{.stiffness = K,
                                         .exponent = n,
                                         .damping = at_unit_speed,
                                         .speed_exponent = speed_exponent,
                                         .min_impact_speed = s.number("min_impact_speed")};
    }
    const double damping = at_unit_speed * std::pow(s.number("impact_speed"), speed_exponent);
    if (n == 1.0) return linear_damper<Exponent::one>(K, damping);
    if (n == 1.5) return linear_damper<Exponent::three_halves>(K, damping);
    return PowerDashpot<double>{.stiffness = K,
                                .exponent = n,
                                .damping = damping,
                                .overlap_exponent = 0.0,
                                .lowest_force = 0.0};
}

AnyLaw make_choi(const Contact& c, const Settings& s) {
    const double n = s.number("exponent");
    return SpeedPowerDashpot<double>{.stiffness = power_stiffness(c, s, n),
                                     .exponent = n,
                                     .damping = s.number("damping"),
                                     .overlap_exponent = s.number("overlap_exponent"),
                                     .speed_exponent = s.number("speed_exponent"),
                                     .least_part = s.number("least_part")};
}

Parameter exponent(std::string_view name, std::string_view meaning, double standard) {
    return {.name = name,
            .unit = "-",
            .meaning = meaning,
            .lowest = 0.0,
            .highest = 10.0,
            .lowest_allowed = false,
            .standard = standard};
}

Entry poursina() {
    Parameter restitution = restitution_parameter();
    restitution.lowest = 1e-4;
    restitution.lowest_allowed = true;
    return {
        .name = "poursina-nikravesh",
        .aliases = {},
        .family = "viscous",
        .equation =
            "F = K delta^n + kappa (K delta_dot_0^(n-1) m^n)^(1/(n+1)) delta_dot; fit: "
            "kappa = alpha (e^beta - 1), alpha = 0.3331 n^4 - 1.48 n^3 + 3.077 n^2 - 2.306 n + "
            "1.794, "
            "beta = 1.285 n^0.2553 - 1.725; optimal: kappa that returns e",
        .parameters =
            {restitution,
             {.name = "exponent",
              .unit = "-",
              .meaning = "n",
              .lowest = 1.0,
              .highest = 2.0,
              .standard = 1.5},
             power_stiffness_parameter(),
             {.name = "coefficient",
              .unit = "-",
              .meaning = "kappa from the paper's fit (\"fit\"), or found numerically (\"optimal\")",
              .words = {"fit", "optimal"},
              .standard_word = "fit",
              .number_allowed = false},
             impact_speed_parameter(),
             min_impact_speed_parameter()},
        .separation = "zero force, at the residual overlap (c e delta_dot_0/K)^(1/n)",
        .stored_energy = "K delta^(n+1) / (n+1)",
        .validity =
            "fit: returns a restitution within 0.0034 of e for n = 1 to 2 and e = 0.05 to 0.95; it "
            "was made on e above 0.45. optimal: any e from 1e-4. The force jumps to c delta_dot_0 "
            "when contact begins",
        .source = "Poursina2020 Eqs (7), (23), (46)-(51)",
        .make = make_poursina,
        .step_order = {.order = 1.0, .remark = "the force jumps where contact begins"}};
}

Entry choi() {
    return {
        .name = "choi",
        .aliases = {},
        .family = "viscous",
        .equation = "F = K delta^n + D delta^q sgn(delta_dot) |delta_dot|^s, not below p K delta^n",
        .parameters = {{.name = "damping",
                        .unit = "N s^s/m^(q+s)",
                        .meaning = "D, measured",
                        .lowest = 0.0,
                        .example = 5e8},
                       exponent("exponent", "n", 1.5),
                       power_stiffness_parameter(),
                       exponent("overlap_exponent", "q", 1.5),
                       exponent("speed_exponent", "s", 1.0),
                       {.name = "least_part",
                        .unit = "-",
                        .meaning = "p: least force divided by the spring's force",
                        .lowest = 0.0,
                        .highest = 1.0,
                        .standard = 0.0}},
        .separation = "zero overlap or zero force: the force never turns negative",
        .stored_energy = "K delta^(n+1) / (n+1)",
        .validity =
            "empirical. The text prints no values; n = q = 3/2, s = 1, p = 0 are this program's",
        .source = "CorralReview Eqs (5.72)-(5.74)",
        .make = make_choi,
        .step_order = {.remark = "with q below 1: 1 + q"}};
}

}  // namespace

std::vector<Entry> free_exponent_entries() {
    return {poursina(), choi()};
}

std::vector<Entry> refused_viscous_entries() {
    const std::string reason =
        "its source prints only the errors of its chain against measurement (Table 6), not "
        "the law itself";
    return {{.name = "wang-review-viscous",
             .aliases = {},
             .family = "viscous",
             .equation = "not printed",
             .parameters = {},
             .separation = "not printed",
             .stored_energy = "not printed",
             .validity = "not offered: " + reason,
             .source = "WangReview2022, its own chain model",
             .refused = reason}};
}

}  // namespace beadwave::laws
