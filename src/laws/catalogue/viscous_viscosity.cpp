// Viscous laws whose damping follows from the materials' viscosities. The contact knows only
// effective properties: both bodies are of one material here.

#include "beadwave/argument_error.hpp"
#include "beadwave/laws/roy_carretero.hpp"
#include "beadwave/laws/spring_dashpot.hpp"
#include "laws/catalogue/parameters.hpp"
#include "laws/catalogue/stiffness_parameters.hpp"
#include "laws/catalogue/viscous_groups.hpp"

#include <fmt/format.h>

#include <cmath>

namespace beadwave::laws {
namespace {

Parameter viscosity(std::string_view name, std::string_view meaning, double example = 5e4) {
    return {.name = name,
            .unit = "Pa s",
            .meaning = meaning,
            .lowest = 0.0,
            .lowest_allowed = false,
            .example = example};
}

Parameter bulk() {
    return viscosity("bulk_viscosity", "zeta of both bodies");
}
Parameter shear() {
    return viscosity("shear_viscosity", "eta of both bodies");
}

AnyLaw root_dashpot(const Contact& c, const Settings& s, double damping) {
    return SpringDashpot<double, Exponent::three_halves, Exponent::half>{
        .stiffness = c.stiffness, .damping = damping, .lowest_force = lowest_force(s)};
}

AnyLaw make_kuwabara_kono(const Contact& c, const Settings& s) {
    const double zeta = s.number("bulk_viscosity"), eta = s.number("shear_viscosity");
    const double sum = 3.0 * zeta + eta;
    const bool printed = s.is("form", "printed");
    const double difference = printed ? 3.0 * (zeta - eta) : 3.0 * zeta - 2.0 * eta;
    const double one_body = (4.0 * sum * sum - difference * difference) / (36.0 * sum * zeta * eta);
    if (!(one_body > 0.0)) {
        throw ArgumentError(fmt::format(
            "law \"{}\" as printed has no positive damping for a shear viscosity of nine "
            "times the bulk viscosity or more; expected form = \"corrected\"",
            s.name));
    }
    return root_dashpot(c, s, 2.0 * std::sqrt(effective_radius(c, s)) / (2.0 * one_body));
}

AnyLaw make_brilliantov(const Contact& c, const Settings& s) {
    const double zeta = s.number("bulk_viscosity"), eta = s.number("shear_viscosity");
    const double nu = poisson_ratio(c, s), E = youngs_modulus(c, s);
    double A;
    if (s.is("form", "1996")) {
        if (!(nu > 0.0)) {
            throw ArgumentError(fmt::format(
                "law \"{}\" of 1996 divides by poisson_ratio, which must be above 0", s.name));
        }
        const double difference = 3.0 * zeta - eta;
        A = difference * difference / (3.0 * (3.0 * zeta + 2.0 * eta)) * (1.0 - nu * nu) *
            (1.0 - 2.0 * nu) / (E * nu * nu);
    } else {
        const double incompressible = 1.0 - 2.0 * nu;
        A = (1.0 + nu) / (1.0 - nu) / E *
            (4.0 / 3.0 * eta * (1.0 - nu + nu * nu) + zeta * incompressible * incompressible);
    }
    return root_dashpot(c, s, 1.5 * c.stiffness * A);
}

AnyLaw make_zheng(const Contact& c, const Settings& s) {
    const double nu = poisson_ratio(c, s), E = youngs_modulus(c, s);
    const double A = (1.0 - 2.0 * nu) * (1.0 + nu) / E *
                     (2.0 * s.number("bulk_viscosity") + s.number("shear_viscosity") / 3.0);
    return root_dashpot(c, s, 2.0 * A * E * std::sqrt(effective_radius(c, s)) / (1.0 - nu * nu));
}

AnyLaw make_roy_carretero(const Contact& c, const Settings& s) {
    const double ratio = s.number("radius_ratio");
    const double smaller = effective_radius(c, s) * (1.0 + ratio) / ratio;
    const double radii = smaller * (1.0 + ratio);
    return RoyCarretero<double>{.modulus = youngs_modulus(c, s) / radii,
                                .viscosity = s.number("viscosity") / radii,
                                .radii = radii,
                                .radius_difference = smaller * (ratio - 1.0),
                                .lowest_force = lowest_force(s)};
}

Parameter form(std::string_view meaning, std::vector<std::string_view> words,
               std::string_view standard) {
    return {.name = "form",
            .unit = "-",
            .meaning = meaning,
            .words = std::move(words),
            .standard_word = standard,
            .number_allowed = false};
}

}  // namespace

std::vector<Entry> viscosity_entries() {
    std::vector<Entry> entries{
        ruleless_entry(
            "kuwabara-kono",
            "F = K delta^(3/2) + 2 sqrt(R)/D0 delta^(1/2) delta_dot, D0 = 2 (3 zeta + 4 eta) / "
            "(4 eta (3 zeta + eta))",
            {bulk(), shear(),
             form("form of D0: \"printed\" has (4 (3 zeta + eta)^2 - 9 (zeta - eta)^2) / (36 (3 "
                  "zeta + eta) zeta eta) per body",
                  {"corrected", "printed"}, "corrected")},
            "the restitution falls with the speed. As printed, D0 is negative for eta > 9 zeta; "
            "the corrected form is the viscous counterpart of Hertz's (1 - nu^2)/E. The fraction "
            "bar of Eq. (5.37) is lost in print",
            "CorralReview Eqs (5.36)-(5.38)", make_kuwabara_kono),
        ruleless_entry(
            "brilliantov",
            "F = K (delta^(3/2) + (3/2) A delta^(1/2) delta_dot); 2015: A = (1 + nu)/(1 - nu)/E "
            "((4/3) eta (1 - nu + nu^2) + zeta (1 - 2 nu)^2); 1996: A = (1/3) (3 zeta - eta)^2/(3 "
            "zeta + 2 eta) "
            "(1 - nu^2) (1 - 2 nu)/(E nu^2)",
            {bulk(), shear(), poisson_ratio_parameter(),
             form("form of A: the authors' first one, or their corrected one", {"2015", "1996"},
                  "2015")},
            "the restitution falls with the speed. The form of 1996 has no damping at eta = 3 "
            "zeta, and infinite damping at nu = 0. Skrinjar2018 Table 1 prints it with 1/K in "
            "place of K/2, (1 - nu) in place of (1 - nu^2) and E nu^2 next to eta, which does not "
            "have the unit of a damping. The program uses CorralReview's",
            "CorralReview Eqs (5.47), (5.48), (5.51); WangReview2022 Table 2 has the form of 1996 "
            "as "
            "Kuwabara and Kono",
            make_brilliantov),
        ruleless_entry("zheng",
                       "F = K delta^(3/2) + 2 A E sqrt(R)/(1 - nu^2) delta^(1/2) delta_dot, "
                       "A = (1 - 2 nu) (1 + nu)/E (2 zeta + eta/3)",
                       {bulk(), shear(), poisson_ratio_parameter()},
                       "the restitution falls with the speed. As printed, the damping is twice the "
                       "(3/2) K A of brilliantov; the two would be equal if one body were rigid. "
                       "The text does not say which is meant",
                       "CorralReview Eqs (5.49), (5.50)", make_zheng),
        ruleless_entry("roy-carretero",
                       "F = (E V + D dV/d(delta) delta_dot)/(R1 + R2), V the volume that the two "
                       "spheres share",
                       {viscosity("viscosity", "D of both bodies", 5e5),
                        {.name = "radius_ratio",
                         .unit = "-",
                         .meaning = "greater over smaller radius of the two spheres",
                         .lowest = 1.0,
                         .highest = 1e3,
                         .standard = 1.0},
                        poisson_ratio_parameter()},
                       "spheres only: against a flat the stiffness would be zero. The text prints "
                       "E in the V_dot term, where D is needed, and does not define R1 and R2; the "
                       "program takes the radii. Far softer than Hertz at small overlaps",
                       "CorralReview Eq. (5.80)", make_roy_carretero)};
    for (Entry& entry : entries)
        entry.validity = "two bodies of one material; " + entry.validity();
    for (std::size_t root : {0, 1, 2}) {
        entries[root].step_order = {
            .order = 1.5, .remark = "the dashpot grows as delta^(1/2) where contact begins"};
    }
    entries.back().stored_energy = "E/(R1 + R2) times the integral of V";
    return entries;
}

}  // namespace beadwave::laws
