// Viscous laws whose damping follows from the materials' viscosities. Kuwabara-Kono and
// Roy-Carretero take two materials, each with its own; the others know only the effective
// properties of the contact, and both bodies are of one material there.

#include "beadwave/argument_error.hpp"
#include "beadwave/laws/roy_carretero.hpp"
#include "beadwave/laws/spring_dashpot.hpp"
#include "laws/catalogue/parameters.hpp"
#include "laws/catalogue/stiffness_parameters.hpp"
#include "laws/catalogue/viscous_groups.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <string_view>
#include <utility>

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

/// The parameter `one`, which may also be "materials": each body's own.
Parameter or_materials(Parameter one, std::string_view meaning) {
    one.meaning = meaning;
    one.words = {"materials"};
    return one;
}

AnyLaw root_dashpot(const Contact& c, const Settings& s, double damping) {
    return SpringDashpot<double, Exponent::three_halves, Exponent::half>{
        .stiffness = c.stiffness, .damping = damping, .lowest_force = lowest_force(s)};
}

constexpr std::string_view of_materials = "materials";

/// The viscosity of each body [Pa s]: that of the law for both, or each material's own.
std::array<double, 2> viscosities(const Contact& c, const Settings& s, std::string_view parameter,
                                  double Elasticity::*own) {
    if (!s.is(parameter, of_materials)) {
        const double both = s.number(parameter);
        return {both, both};
    }
    if (!c.bodies) {
        throw ArgumentError(
            fmt::format("law \"{}\" needs the two bodies for {} = \"materials\"; give a number",
                        s.name, parameter));
    }
    const std::array<double, 2> each{(*c.bodies)[0].material.*own, (*c.bodies)[1].material.*own};
    if (!(each[0] > 0.0 && each[1] > 0.0)) {
        throw ArgumentError(fmt::format(
            "law \"{}\" needs {} in Pa s, above 0, in the material of each of two touching bodies, "
            "or a number in [law] for both",
            s.name, own == &Elasticity::bulk_viscosity ? "bulk_viscosity" : "shear_viscosity"));
    }
    return each;
}

AnyLaw make_kuwabara_kono(const Contact& c, const Settings& s) {
    const auto zetas = viscosities(c, s, "bulk_viscosity", &Elasticity::bulk_viscosity);
    const auto etas = viscosities(c, s, "shear_viscosity", &Elasticity::shear_viscosity);
    const bool printed = s.is("form", "printed");
    double both = 0.0;
    for (const std::size_t body : {0, 1}) {
        const double zeta = zetas[body], eta = etas[body], sum = 3.0 * zeta + eta;
        const double difference = printed ? 3.0 * (zeta - eta) : 3.0 * zeta - 2.0 * eta;
        const double one_body =
            (4.0 * sum * sum - difference * difference) / (36.0 * sum * zeta * eta);
        if (!(one_body > 0.0)) {
            throw ArgumentError(fmt::format(
                "law \"{}\" as printed has no positive damping for a shear viscosity of nine "
                "times the bulk viscosity or more; expected form = \"corrected\"",
                s.name));
        }
        both += one_body;
    }
    return root_dashpot(c, s, 2.0 * std::sqrt(effective_radius(c, s)) / both);
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

/// The two spheres of Roy-Carretero: the bodies, or two of one material with the contact's
/// effective properties.
struct Spheres {
    std::array<double, 2> radius, modulus;  ///< [m], [Pa]

    /// x1 x2/(R2 x1 + R1 x2), as in Eq. (5.80).
    double series(const std::array<double, 2>& x) const {
        return x[0] * x[1] / (radius[1] * x[0] + radius[0] * x[1]);
    }
};

Spheres spheres_of(const Contact& c, const Settings& s) {
    const bool balls = c.bodies && (*c.bodies)[0].radius > 0.0 &&
                       std::isfinite((*c.bodies)[0].radius) && std::isfinite((*c.bodies)[1].radius);
    if (s.is("radius_ratio", "bodies") && balls) {
        const auto& [a, b] = *c.bodies;
        if (!s.is("poisson_ratio", "bodies")) {
            const double modulus = youngs_modulus(c, s);
            return {{a.radius, b.radius}, {modulus, modulus}};
        }
        return {{a.radius, b.radius}, {a.material.youngs_modulus, b.material.youngs_modulus}};
    }
    const double ratio = s.is("radius_ratio", "bodies") ? 1.0 : s.number("radius_ratio");
    const double smaller = effective_radius(c, s) * (1.0 + ratio) / ratio;
    const double modulus = youngs_modulus(c, s);
    return {{smaller, smaller * ratio}, {modulus, modulus}};
}

AnyLaw make_roy_carretero(const Contact& c, const Settings& s) {
    if (c.axis_ratio != 1.0) {
        throw ArgumentError(fmt::format(
            "law \"{}\" is for two spheres; these surfaces touch on an ellipse", s.name));
    }
    const Spheres spheres = spheres_of(c, s);
    std::array<double, 2> damping{};
    if (s.is("viscosity", of_materials)) {
        // As Young's modulus 9 K G/(3 K + G) follows from bulk and shear modulus.
        const auto zeta = viscosities(c, s, "viscosity", &Elasticity::bulk_viscosity);
        const auto eta = viscosities(c, s, "viscosity", &Elasticity::shear_viscosity);
        for (const std::size_t body : {0, 1})
            damping[body] = 9.0 * zeta[body] * eta[body] / (3.0 * zeta[body] + eta[body]);
    } else {
        damping.fill(s.number("viscosity"));
    }
    const auto& [first, second] = spheres.radius;
    return RoyCarretero<double>{.modulus = spheres.series(spheres.modulus),
                                .viscosity = spheres.series(damping),
                                .radii = first + second,
                                .radius_difference = std::abs(second - first),
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
            "F = K delta^(3/2) + 2 sqrt(R)/D0 delta^(1/2) delta_dot, D0 the sum over both bodies "
            "of "
            "(3 zeta + 4 eta) / (4 eta (3 zeta + eta))",
            {or_materials(bulk(),
                          "zeta of both bodies, or \"materials\": each material's bulk_viscosity"),
             or_materials(shear(),
                          "eta of both bodies, or \"materials\": each material's shear_viscosity"),
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
        ruleless_entry(
            "roy-carretero",
            "F = E1 E2/(R2 E1 + R1 E2) V + D1 D2/(R2 D1 + R1 D2) dV/d(delta) delta_dot, "
            "V the volume that the two spheres share",
            {or_materials(viscosity("viscosity", "", 5e5),
                          "D of both bodies, or \"materials\": 9 zeta eta/(3 zeta + eta) "
                          "of each material's bulk_viscosity and shear_viscosity"),
             {.name = "radius_ratio",
              .unit = "-",
              .meaning = "greater over smaller radius of two spheres of one material; "
                         "\"bodies\": the two spheres' own radii and moduli, or 1 where "
                         "there are no two spheres",
              .lowest = 1.0,
              .highest = 1e3,
              .words = {"bodies"},
              .standard_word = "bodies"},
             poisson_ratio_parameter()},
            "spheres only: against a flat the stiffness would be zero. The text prints "
            "E in the V_dot term, where D is needed, and does not define R1 and R2; the "
            "program takes the radii. Far softer than Hertz at small overlaps",
            "CorralReview Eq. (5.80)", make_roy_carretero)};
    for (const std::size_t one_material : {1, 2})
        entries[one_material].validity =
            "two bodies of one material; " + entries[one_material].validity();
    for (std::size_t root : {0, 1, 2}) {
        entries[root].step_order = {
            .order = 1.5, .remark = "the dashpot grows as delta^(1/2) where contact begins"};
    }
    entries.back().stored_energy = "E1 E2/(R2 E1 + R1 E2) times the integral of V";
    return entries;
}

}  // namespace beadwave::laws
