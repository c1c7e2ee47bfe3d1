// Laws fitted to finite-element simulations of a yielding sphere.

#include "beadwave/argument_error.hpp"
#include "beadwave/laws/elastoplastic/jackson_green.hpp"
#include "beadwave/laws/elastoplastic/kogut_etsion.hpp"
#include "beadwave/laws/elastoplastic/vu_quoc_zhang.hpp"
#include "laws/catalogue/elastoplastic_groups.hpp"
#include "laws/catalogue/printed_energy.hpp"
#include "laws/catalogue/stiffness_parameters.hpp"

#include <fmt/format.h>

namespace beadwave::laws {
namespace {

AnyLaw make_vu_quoc_zhang_law(const Contact& c, const Settings& s) {
    const HertzYield yield(c, s.number("yield_factor") * c.yield_stress);
    const double radius = std::sqrt(c.radius * yield.overlap);
    const double widening =
        s.is("widening", "aluminium") ? 0.02583 : s.number("widening") * yield.force / radius;
    const double flattening =
        s.is("flattening", "aluminium") ? 0.009805 : s.number("flattening") * yield.force;
    if (!vu_quoc_zhang_is_usable(widening, flattening)) {
        throw ArgumentError(
            fmt::format("law \"vu-quoc-zhang\": widening C_a and flattening K_c do not fit "
                        "together: with F_y = {:g} N and the "
                        "contact radius a_y = {:g} m at yield, K_c must not exceed 2 C_a/a_y (else "
                        "loading lies above Hertz) "
                        "and the force may nowhere rise faster than delta^2",
                        yield.force, radius));
    }
    return make_vu_quoc_zhang(c, s.number("yield_factor"), widening, flattening);
}

AnyLaw make_kogut_etsion_law(const Contact& c, const Settings& s) {
    return make_kogut_etsion(c, s.number("hardness"), yielding_poisson_ratio(c, s),
                             s.is("transition", "printed"));
}

AnyLaw make_jackson_green_law(const Contact& c, const Settings& s) {
    const bool falls = s.is("hardness", "variable");
    return make_jackson_green(c, {.hardness = falls ? 2.84 : s.number("hardness"),
                                  .hardness_falls = falls,
                                  .poisson_ratio = yielding_poisson_ratio(c, s),
                                  .printed = s.is("transition", "printed"),
                                  .residual_by_fit = s.is("unloading", "fit2005")});
}

std::string kogut_etsion_validity() {
    const EnergyFault fault =
        energy_fault(printed_curves(make_kogut_etsion(reference_pair(), 2.8, 0.3, true)));
    return fmt::format(
        "the text does not give delta_y, F_c, the hardness and the residual overlap; they are from "
        "the authors' papers. Above 110 delta_y loading continues along the tangent. Printed: the "
        "steps would create energy (up to {:.2g} % of the work). For largest overlaps {} the "
        "recovered span is therefore shortened",
        100.0 * fault.most_created, EnergyFault::text(fault.shortened, 3));
}

std::string jackson_green_validity() {
    const EnergyFault fault =
        energy_fault(printed_curves(make_jackson_green(reference_pair(), {.printed = true})), 1.9);
    return fmt::format(
        "the text does not give delta_c, F_c, H, a and fit2005; they are from the authors' papers. "
        "Contact radius up to 0.4 R. The two unloadings differ much (restitution 0.73 and 0.43 at "
        "100 delta_c). Printed: the step would create energy (up to {:.2g} % of the work) for "
        "largest overlaps {}. There the recovered span is shortened",
        100.0 * fault.most_created, EnergyFault::text(fault.creates, 3));
}

Parameter transition(std::string_view meaning) {
    return {.name = "transition",
            .unit = "-",
            .meaning = meaning,
            .words = {"continuous", "printed"},
            .standard_word = "continuous",
            .number_allowed = false};
}

Parameter hardness(double standard) {
    return {.name = "hardness",
            .unit = "-",
            .meaning = "H over the yield stress",
            .lowest = 1.0,
            .highest = 10.0,
            .standard = standard};
}

Parameter variable_hardness() {
    Parameter parameter = hardness(2.84);
    parameter.meaning = "H over the yield stress; \"variable\": falls with the contact radius";
    parameter.words = {"variable"};
    return parameter;
}

Parameter fitted_to_aluminium(std::string_view name, std::string_view unit,
                              std::string_view meaning) {
    return {.name = name,
            .unit = unit,
            .meaning = meaning,
            .lowest = 0.0,
            .words = {"aluminium"},
            .standard_word = "aluminium"};
}

}  // namespace

std::vector<Entry> sphere_fit_entries() {
    return {
        {.name = "vu-quoc-zhang",
         .aliases = {},
         .family = "elastoplastic",
         .equation =
             "delta = (a_e + a_p)^2/(C_R R), a_e = (3 R F/(4 E))^(1/3), a_p = C_a (F - F_y), "
             "C_R = 1 + K_c (F - F_y); unloading with radius C_R^3 R",
         .parameters = {yield_factor_parameter(1.61),
                        fitted_to_aluminium(
                            "widening", "m/N",
                            "C_a; \"aluminium\": 0.02583 a_y/F_y, a fit scaled to this contact"),
                        fitted_to_aluminium(
                            "flattening", "1/N",
                            "K_c; \"aluminium\": 0.009805/F_y, a fit scaled to this contact")},
         .separation = "zero force, at the residual overlap",
         .stored_energy = "(2/5) K_u (delta - delta_r)^(5/2)",
         .validity = "C_a, K_c and F_y are fits that no text prints. The default ones are the "
                     "authors', for an aluminium sphere. Up to about 100 delta_y; beyond, loading "
                     "becomes a line and hardly anything is recovered",
         .source = "WangReview2022 Table 3",
         .needs_yield_stress = true,
         .make = make_vu_quoc_zhang_law},
        {.name = "kogut-etsion",
         .aliases = {},
         .family = "elastoplastic",
         .equation = "w = delta/delta_y: F_c w^1.5 below 1, 1.03 F_c w^1.425 below 6, 1.40 F_c "
                     "w^1.263 up to 110; "
                     "unloading exponent n = 1.5 w_max^-0.0331",
         .parameters = {hardness(2.8), yielding_poisson_ratio_parameter(),
                        transition("printed: 1.03 and 1.40, the force steps up at w = 1 and 6; "
                                   "continuous: 1 and 1.337")},
         .separation = "zero force, at the residual overlap",
         .stored_energy =
             "F_max (delta_max - delta_r)/(n+1) ((delta - delta_r)/(delta_max - delta_r))^(n+1)",
         .validity = {kogut_etsion_validity},
         .source = "WangReview2022 Table 3",
         .needs_yield_stress = true,
         .make = make_kogut_etsion_law,
         .step_order = {.remark = "with transition = \"printed\" 1: the force steps up"}},
        {.name = "jackson-green",
         .aliases = {},
         .family = "elastoplastic",
         .equation =
             "w = delta/delta_c: F_c w^1.5 below 1.9; then F_c (exp(-w^(5/12)/4) w^1.5 + (4 H/(C "
             "sigma_y)) "
             "(1 - exp(-w^(5/9)/25)) w), C = 1.295 exp(0.736 nu); unloading with radius R cos(a/R)",
         .parameters =
             {variable_hardness(),
              yielding_poisson_ratio_parameter(),
              transition(
                  "printed: the force steps up by 0.5 % at w = 1.9; continuous: scaled by 1/1.005 "
                  "above"),
              {.name = "unloading",
               .unit = "-",
               .meaning = "\"text\": radius R cos(a/R); \"fit2005\": residual overlap as fitted by "
                          "Jackson, Chusoipin and Green, which is far larger",
               .words = {"text", "fit2005"},
               .standard_word = "text",
               .number_allowed = false}},
         .separation = "zero force, at the residual overlap",
         .stored_energy = "(2/5) K_u (delta - delta_r)^(5/2)",
         .validity = {jackson_green_validity},
         .source = "WangReview2022 Table 3",
         .needs_yield_stress = true,
         .make = make_jackson_green_law,
         .step_order = {.remark = "with transition = \"printed\" 1: the force steps up"}},
    };
}

}  // namespace beadwave::laws
