// Viscous laws that the texts assign to no group: their states depend on time, which a law here
// does not know. Each header says how the law does without it.

#include "beadwave/argument_error.hpp"
#include "beadwave/laws/jian.hpp"
#include "beadwave/laws/relaxation.hpp"
#include "beadwave/laws/xiong.hpp"
#include "laws/catalogue/parameters.hpp"
#include "laws/catalogue/stiffness_parameters.hpp"
#include "laws/catalogue/viscous_groups.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

namespace beadwave::laws {
namespace {

AnyLaw make_xiong(const Contact& c, const Settings& s) {
    const double lambda = s.number("exponent");
    return Xiong<double>{.stiffness = power_stiffness(c, s, lambda),
                         .exponent = lambda,
                         .damping = s.number("beta_1"),
                         .damping_growth = s.number("beta_2")};
}

AnyLaw make_jian(const Contact& c, const Settings& s) {
    const double turn = s.is("compression_time", "hertz")
                            ? 0.5 * hertz_duration(c.stiffness, c.mass, s.number("impact_speed"))
                            : s.number("compression_time");
    const double frequency = 0.5 * std::numbers::pi / turn;
    const Relaxation material = relaxation_of(c, s);
    const double per_modulus =
        4.0 / 3.0 * std::sqrt(effective_radius(c, s)) / (1.0 - material.poisson_ratio);
    const bool own = s.is("equilibrium_modulus", "bodies");
    return Jian<double>{.stiffness = own ? c.stiffness : per_modulus * material.equilibrium_modulus,
                        .damping = 1.5 * per_modulus * s.number("viscosity"),
                        .frequency = frequency,
                        .decay = 1.0 / (frequency * material.time),
                        .lowest_force = lowest_force(s)};
}

Entry xiong() {
    return {.name = "xiong",
            .aliases = {},
            .family = "viscous",
            .equation =
                "F = K max(0, s + (beta_1 + beta_2 s) ds/dt), s = delta^lambda: the limit of a "
                "large gamma of da/dt = max(-gamma a/(1 + gamma (beta_1 + beta_2 a)), gamma (s "
                "- a)), F = K max(0, s + gamma (beta_1 + beta_2 a) (s - a))",
            .parameters = {{.name = "beta_1",
                            .unit = "s",
                            .meaning = "damping that causes the residual overlap",
                            .lowest = 0.0,
                            .example = 1e-6},
                           {.name = "beta_2",
                            .unit = "s/m^lambda",
                            .meaning = "damping that grows with the overlap",
                            .lowest = 0.0,
                            .example = 20.0},
                           {.name = "exponent",
                            .unit = "-",
                            .meaning = "lambda",
                            .lowest = 1.0,
                            .highest = 10.0,
                            .standard = 1.5},
                           power_stiffness_parameter()},
            .separation = "zero force, at a residual overlap of about beta_1 lambda |delta_dot|",
            .stored_energy = "K delta^(lambda+1) / (lambda + 1)",
            .validity =
                "beta_1 and beta_2 as measured. The program offers only the limit of a large "
                "gamma. There the restitution no longer depends on gamma, as the text says. For "
                "two steel beads it is within 1 % of the limit if gamma times the duration of "
                "contact is above 100. The force of Eq. (5.82) has the sign of its own axis",
            .source = "CorralReview Eqs (5.81), (5.82)",
            .make = make_xiong,
            .step_order = {.order = 1.5,
                           .remark = "the dashpot grows as delta^(1/2) where contact begins; with "
                                     "lambda = 1 it is 1, otherwise the smaller of lambda and 2"}};
}

Entry jian() {
    Parameter speed = stiffness_speed_parameter();
    speed.meaning =
        "speed of compression_time \"hertz\": a number, or the fastest approach at the start";
    return {
        .name = "jian",
        .aliases = {},
        .family = "viscous",
        .equation =
            "F = K delta^(3/2) + 2 eta sqrt(R)/(1 - nu) (1 - exp(-t/T)) sqrt(delta) delta_dot, "
            "t = (2 t_m/pi) atan2(pi delta/(2 t_m), delta_dot), K = 4 G_e sqrt(R)/(3 (1 - nu)), "
            "Hertz's",
        .parameters = {{.name = "viscosity",
                        .unit = "Pa s",
                        .meaning = "eta of the contact damper",
                        .lowest = 0.0,
                        .example = 5e4},
                       {.name = "relaxation_time",
                        .unit = "s",
                        .meaning = "T of the material; \"modulus\": eta/G_0 [Eq. (5.87)]",
                        .lowest = 0.0,
                        .lowest_allowed = false,
                        .words = {"modulus"},
                        .example = 1e-6},
                       {.name = "relaxing_modulus",
                        .unit = "Pa",
                        .meaning = "G_0 of relaxation_time \"modulus\": what the shear modulus "
                                   "G(t) = G_e + G_0 exp(-t/T) loses; 0: not given",
                        .lowest = 0.0,
                        .standard = 0.0},
                       {.name = "equilibrium_modulus",
                        .unit = "Pa",
                        .meaning =
                            "G_e, the shear modulus after a long time; \"bodies\": E/(2 (1 + "
                            "nu)) of theirs",
                        .lowest = 0.0,
                        .lowest_allowed = false,
                        .words = {"bodies"},
                        .standard_word = "bodies"},
                       {.name = "compression_time",
                        .unit = "s",
                        .meaning = "t_m from closing to the largest overlap; \"hertz\": that of a "
                                   "Hertz collision at impact_speed",
                        .lowest = 0.0,
                        .lowest_allowed = false,
                        .words = {"hertz"},
                        .standard_word = "hertz"},
                       speed,
                       poisson_ratio_parameter(),
                       separation_parameter("force")},
        .separation = "zero force, or zero overlap after tension (\"gap\"): the source has no rule",
        .stored_energy = "(2/5) K delta^(5/2)",
        .validity =
            "two viscoelastic spheres of one material, whose Young's modulus is the long-time one, "
            "2 (1 + nu) G_e, unless G_e is given; T far below t_m: `beadwave collide` prints G(t) "
            "and K(t). The text's motion delta_m sin(pi t/(2 t_m)) gives "
            "the age t of the contact from overlap and speed, so a contact that loads more than "
            "once counts as new each time",
        .source = "CorralReview Eqs (5.83)-(5.91)",
        .make = make_jian,
        .step_order = {.remark = "with separation = \"gap\" 1.5: the dashpot ends as delta^(1/2)"}};
}

}  // namespace

Relaxation relaxation_of(const Contact& c, const Settings& s) {
    const double viscosity = s.number("viscosity"), relaxing = s.number("relaxing_modulus");
    const double nu = poisson_ratio(c, s);
    const double equilibrium = s.is("equilibrium_modulus", "bodies")
                                   ? youngs_modulus(c, s) / (2.0 * (1.0 + nu))
                                   : s.number("equilibrium_modulus");
    if (!s.is("relaxation_time", "modulus")) {
        const double time = s.number("relaxation_time");
        if (relaxing > 0.0 && std::abs(viscosity / relaxing - time) > 1e-6 * time) {
            throw ArgumentError(
                fmt::format("law \"{}\": viscosity and relaxing_modulus make the relaxation time "
                            "{:.9g} s, by T "
                            "= eta/G_0; leave out one of the three",
                            s.name, viscosity / relaxing));
        }
        return {equilibrium, viscosity / time, time, nu};
    }
    if (!(relaxing > 0.0 && viscosity > 0.0)) {
        throw ArgumentError(fmt::format(
            "law \"{}\" with relaxation_time = \"modulus\" needs relaxing_modulus, in Pa, and "
            "viscosity, in Pa s, both above 0",
            s.name));
    }
    return {equilibrium, relaxing, viscosity / relaxing, nu};
}

std::vector<Entry> alternative_entries() {
    return {xiong(), jian()};
}

}  // namespace beadwave::laws
