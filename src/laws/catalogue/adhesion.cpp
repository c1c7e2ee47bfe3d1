// Laws with adhesion: the force acts beyond contact, or jumps to tension where contact begins.

#include "beadwave/argument_error.hpp"
#include "beadwave/laws/adhesion/capillary.hpp"
#include "beadwave/laws/adhesion/dmt.hpp"
#include "beadwave/laws/adhesion/jkr.hpp"
#include "laws/catalogue/families.hpp"
#include "laws/catalogue/stiffness_parameters.hpp"
#include "laws/catalogue/viscous_groups.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

namespace beadwave::laws {
namespace {

using std::numbers::pi;

/// alpha sqrt(K m) of Tsuji's dashpot [N s/m^1.25]; 0 for e = 1.
double tsuji_damping(const Contact& c, const Settings& s) {
    const double e = s.number("restitution");
    if (e == 1.0) return 0.0;
    return std::sqrt(5.0) * damping_ratio(e) * std::sqrt(c.stiffness * c.mass);
}

AnyLaw make_jkr(const Contact& c, const Settings& s) {
    const double R = effective_radius(c, s), E = effective_modulus(c, s);
    const double w = s.number("adhesion_energy");
    const double a_s = std::cbrt(pi * w * R * R / (8.0 * E));
    return Jkr<double>{.per_length = R / (a_s * a_s),
                       .unit_force = pi * w * R / 6.0,
                       .damping = tsuji_damping(c, s) * std::sqrt(a_s / std::sqrt(R))};
}

AnyLaw make_dmt(const Contact& c, const Settings& s) {
    return Dmt<double>{.stiffness = c.stiffness,
                       .pull_off = 2.0 * pi * s.number("adhesion_energy") * effective_radius(c, s),
                       .damping = tsuji_damping(c, s)};
}

AnyLaw make_capillary(const Contact& c, const Settings& s) {
    const double R = effective_radius(c, s);
    const double angle = s.number("contact_angle"), volume = s.number("bridge_volume");
    Capillary<double> law{.stiffness = c.stiffness,
                          .pull_off = 4.0 * pi * R * s.number("surface_tension") * std::cos(angle),
                          .per_gap = std::sqrt(2.0 * R / volume),
                          .rupture = (1.0 + 0.5 * angle) * std::cbrt(volume),
                          .total_work = 0.0,
                          .damping = tsuji_damping(c, s)};
    law.total_work = law.pull_off / law.per_gap * law.integral(law.rupture * law.per_gap);
    return law;
}

Parameter adhesion_energy_parameter() {
    return {.name = "adhesion_energy",
            .unit = "J/m^2",
            .meaning =
                "work of adhesion w: the energy that it takes to part a unit area of the "
                "two surfaces; twice the surface energy of equal materials",
            .lowest = 0.0,
            .lowest_allowed = false,
            .example = 0.05};
}

Parameter damping_parameter() {
    return {.name = "restitution",
            .unit = "-",
            .meaning =
                "sets a dashpot as tsuji's: the coefficient of restitution that it would "
                "give without adhesion; 1: no dashpot",
            .lowest = 0.0,
            .highest = 1.0,
            .lowest_allowed = false,
            .standard = 1.0};
}

Entry jkr() {
    return {
        .name = "jkr",
        .aliases = {"johnson-kendall-roberts"},
        .family = "adhesion",
        .equation =
            "F = (4 E/(3 R)) a^3 - 2 sqrt(2 pi w E a^3), delta = a^2/R - sqrt(2 pi w a/E); "
            "+ alpha sqrt(K m) (a^2/R)^(1/4) delta_dot, alpha(e) as tsuji's",
        .parameters = {adhesion_energy_parameter(), damping_parameter()},
        .separation =
            "where the neck breaks, at the overlap -3 a_s^2/R below zero, a_s^3 = pi w "
            "R^2/(8 E); the largest tension before is F_c = (3/2) pi w R",
        .stored_energy =
            "4 F_0 (a_s^2/R) (s^10/10 - s^7 + 1.5 s^4), s^2 = a/a_s, F_0 = F_c/9: of "
            "elasticity and surfaces, below zero in the adhesive contact",
        .validity =
            "elastic spheres, contact radius far below R; soft bodies, strong adhesion: w^2 R/(E^2 "
            "z^3) well above 1, with atomic distances z. Forming and breaking of the neck lose "
            "7.09 (w^5 R^4/E^2)^(1/3), so slower bodies stick. Friction is limited by mu (F + 2 "
            "F_c) (Thornton 1991). For chains, packings and collide",
        .source = "Johnson, Kendall and Roberts 1971; Thornton and Ning 1998; Thornton 1991",
        .make = make_jkr,
        .step_order = {.order = 1.0, .remark = "the force jumps where the neck forms and breaks"}};
}

Entry dmt() {
    return {.name = "dmt",
            .aliases = {"derjaguin-muller-toporov"},
            .family = "adhesion",
            .equation =
                "F = K delta^(3/2) - F_c, F_c = 2 pi w R; + alpha sqrt(K m) delta^(1/4) "
                "delta_dot, alpha(e) as tsuji's",
            .parameters = {adhesion_energy_parameter(), damping_parameter()},
            .separation = "zero overlap, at the tension F_c",
            .stored_energy = "(2/5) K delta^(5/2) - F_c delta",
            .validity =
                "elastic spheres, contact radius far below R; stiff bodies, weak adhesion: w^2 "
                "R/(E^2 z^3) well below 1, with atomic distances z. Without a dashpot nothing is "
                "lost and nothing sticks. Friction is limited by mu (F + F_c). For chains, "
                "packings and collide",
            .source = "Derjaguin, Muller and Toporov 1975",
            .make = make_dmt,
            .step_order = {.order = 1.0, .remark = "the force jumps at zero overlap"}};
}

Entry capillary() {
    return {
        .name = "capillary",
        .aliases = {"willett"},
        .family = "adhesion",
        .equation =
            "F = K delta^(3/2) - F_c/(1 + 1.05 x + 2.5 x^2), F_c = 4 pi R gamma "
            "cos(theta), x = gap sqrt(2 R/V); + alpha sqrt(K m) delta^(1/4) delta_dot, "
            "alpha(e) as tsuji's",
        .parameters = {{.name = "surface_tension",
                        .unit = "N/m",
                        .meaning = "gamma of the liquid",
                        .lowest = 0.0,
                        .lowest_allowed = false,
                        .example = 0.072},
                       {.name = "bridge_volume",
                        .unit = "m^3",
                        .meaning = "V of the liquid bridge of each contact",
                        .lowest = 0.0,
                        .lowest_allowed = false,
                        .example = 1e-12},
                       {.name = "contact_angle",
                        .unit = "rad",
                        .meaning = "theta of the liquid on the bodies",
                        .lowest = 0.0,
                        .highest = 1.5,
                        .standard = 0.0},
                       damping_parameter()},
        .separation = "where the bridge ruptures, at a gap of (1 + theta/2) V^(1/3)",
        .stored_energy = "(2/5) K delta^(5/2) - F_c delta minus the work that rupture would take",
        .validity =
            "bridges far smaller than the spheres, V/R^3 below some 0.01, slow enough for viscous "
            "and inertial forces of the liquid to vanish. A bridge forms at every touch with the "
            "same volume, and that energy is lost. Friction is limited by mu (F + F_c) in "
            "contact. For chains, packings and collide",
        .source = "Willett et al. 2000; Lian, Thornton and Adams 1993",
        .make = make_capillary,
        .step_order = {.order = 1.0,
                       .remark = "the force jumps where the bridge forms and ruptures"}};
}

}  // namespace

std::vector<Entry> adhesion_entries() {
    return {jkr(), dmt(), capillary()};
}

}  // namespace beadwave::laws
