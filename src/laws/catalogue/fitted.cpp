// Laws without plasticity that users fit to their experiments.

#include "beadwave/laws/power_law.hpp"
#include "beadwave/laws/speed_power_dashpot.hpp"
#include "laws/catalogue/families.hpp"
#include "laws/catalogue/parameters.hpp"
#include "laws/catalogue/stiffness_parameters.hpp"

#include <limits>

namespace beadwave::laws {
namespace {

AnyLaw make_power_law(const Contact& c, const Settings& s) {
    const double n = s.number("exponent");
    return PowerLaw<double>{.stiffness = power_stiffness(c, s, n), .exponent = n};
}

AnyLaw make_carretero_gonzalez(const Contact& c, const Settings& s) {
    return SpeedPowerDashpot<double>{
        .stiffness = c.stiffness,
        .exponent = 1.5,
        .damping = s.number("gamma"),
        .overlap_exponent = 0.0,
        .speed_exponent = s.number("alpha"),
        .least_part = s.is("separation", "gap") ? std::numeric_limits<double>::lowest() : 0.0};
}

}  // namespace

std::vector<Entry> fitted_entries() {
    return {
        {.name = "power-law",
         .aliases = {},
         .family = "elastic",
         .equation = "F = A delta^n",
         .parameters = {{.name = "exponent",
                         .unit = "-",
                         .meaning = "n: 1 flat punch, 1.5 spheres, 2 cone",
                         .lowest = 1.0,
                         .highest = 20.0,
                         .standard = 1.5},
                        power_stiffness_parameter()},
         .separation = "zero overlap, where the force is zero too",
         .stored_energy = "A delta^(n+1)/(n+1): all of the work",
         .validity = "elastic; A and n as measured",
         .source = "Poursina2020 Eq. (6); CorralReview Eq. (5.2); Skrinjar2018 Eq. (1)",
         .make = make_power_law},
        {.name = "carretero-gonzalez",
         .aliases = {},
         .family = "viscous",
         .equation = "F = K delta^(3/2) + gamma sgn(delta_dot) |delta_dot|^alpha, delta > 0",
         .parameters = {{.name = "gamma",
                         .unit = "N (s/m)^alpha",
                         .meaning = "damping, as fitted",
                         .lowest = 0.0,
                         .example = 2.0},
                        {.name = "alpha",
                         .unit = "-",
                         .meaning = "exponent of the speed, as fitted",
                         .lowest = 0.0,
                         .highest = 10.0,
                         .lowest_allowed = false,
                         .example = 1.5},
                        separation_parameter("force")},
         .separation = "zero force, without tension; with separation = \"gap\" zero overlap",
         .stored_energy = "(2/5) K delta^(5/2)",
         .validity = "gamma and alpha belong to one material and one range of speeds; the force "
                     "jumps to gamma "
                     "|delta_dot|^alpha when contact begins",
         .source =
             "in none of the five papers' formulas: Carretero-Gonzalez et al. 2009, WangLiu2022's "
             "reference [72]",
         .make = make_carretero_gonzalez,
         .step_order = {.order = 1.0, .remark = "the force jumps where contact begins"}}};
}

}  // namespace beadwave::laws
