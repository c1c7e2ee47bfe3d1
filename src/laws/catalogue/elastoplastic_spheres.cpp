// Laws derived from the mechanics of a yielding sphere.

#include "beadwave/argument_error.hpp"
#include "beadwave/laws/elastoplastic/brake.hpp"
#include "beadwave/laws/elastoplastic/burgoyne_daraio.hpp"
#include "beadwave/laws/elastoplastic/du_wang.hpp"
#include "beadwave/laws/elastoplastic/stronge.hpp"
#include "beadwave/laws/elastoplastic/thornton.hpp"
#include "laws/catalogue/elastoplastic_groups.hpp"
#include "laws/catalogue/printed_energy.hpp"

#include <fmt/format.h>

#include <cmath>

namespace beadwave::laws {
namespace {

constexpr const char* detached = "zero force, at the residual overlap";
constexpr const char* hertz_stored = "(2/5) K_u (delta - delta_r)^(5/2)";

Entry entry(std::string name, std::string equation, std::vector<Parameter> parameters,
            Text validity, std::string source, AnyLaw (*make)(const Contact&, const Settings&)) {
    return {.name = std::move(name),
            .aliases = {},
            .family = "elastoplastic",
            .equation = std::move(equation),
            .parameters = std::move(parameters),
            .separation = detached,
            .stored_energy = hertz_stored,
            .validity = std::move(validity),
            .source = std::move(source),
            .needs_yield_stress = true,
            .make = make};
}

AnyLaw make_thornton_law(const Contact& c, const Settings& s) {
    return make_thornton(c, s.number("yield_factor"));
}
AnyLaw make_du_wang_law(const Contact& c, const Settings&) {
    return make_du_wang(c);
}
AnyLaw make_stronge_law(const Contact& c, const Settings& s) {
    return make_stronge(c, s.number("mean_pressure_factor"));
}

AnyLaw make_brake_law(const Contact& c, const Settings& s) {
    const double hardness = s.number("hardness");
    const double yield_factor = s.number("yield_factor");
    // Below that limit delta_p would not lie above delta_y.
    if (!(1.5 * hardness > 1.2 * yield_factor)) {
        throw ArgumentError(
            fmt::format("law \"brake\" needs a hardness above 0.8 yield_factor = {:g}, not {:g}",
                        0.8 * yield_factor, hardness));
    }
    return make_brake(c, hardness, yield_factor, s.number("plastic_onset"));
}

AnyLaw make_burgoyne_daraio_law(const Contact& c, const Settings& s) {
    const double c_1 = s.number("pressure_factor");
    const bool smooth_area = s.is("area_offset", "smooth");
    const bool smooth_onset = s.is("overlap_plastic", "smooth");
    if (smooth_area != smooth_onset) {
        throw ArgumentError(
            "law \"burgoyne-daraio\": area_offset and overlap_plastic are fitted together; give "
            "both "
            "or neither");
    }
    if (smooth_area) return make_burgoyne_daraio(c, c_1, smooth_burgoyne_daraio_fit(c, c_1));
    const auto law = make_burgoyne_daraio(
        c, c_1, {.area = s.number("area_offset"), .overlap_plastic = s.number("overlap_plastic")});
    if (!(law.overlap_plastic > law.overlap_yield) || !(law.force_plastic > law.force_yield)) {
        throw ArgumentError(fmt::format(
            "law \"burgoyne-daraio\": the plastic phase must begin above first yield, at "
            "{:g} m and {:g} N, not at {:g} m and {:g} N",
            law.overlap_yield, law.force_yield, law.overlap_plastic, law.force_plastic));
    }
    return law;
}

std::string stronge_validity() {
    const EnergyFault fault = energy_fault(printed_curves(make_stronge(reference_pair(), 1.1)));
    return fmt::format(
        "the text does not give theta and delta_p: 1.1 is the author's, delta_p follows from "
        "continuity. The slope jumps up at delta_y. As printed with theta = 1.1 the law creates "
        "energy (up to {:.2g} % of the work) for largest overlaps {}. There the recovered span is "
        "shortened so that nothing is created or lost",
        100.0 * fault.most_created, EnergyFault::text(fault.creates, 3));
}

std::string brake_validity() {
    const Brake<double> law = make_brake(reference_pair(), 2.8, 1.6, 1.0);
    PrintedCurves curves = printed_curves(law);
    // As printed, also where the span exceeds the whole overlap, which the law does not allow.
    curves.printed_span = [law, force = curves.force](double w) {
        const double x = w * law.overlap_yield;
        const double K_u = law.stiffness * std::sqrt(1.0 + x / law.diameter);
        return std::pow(force(w) / K_u, 2.0 / 3.0) / law.overlap_yield;
    };
    const EnergyFault fault = energy_fault(curves);
    return fmt::format(
        "the text does not give delta_y, delta_p and the hardness 2.8 sigma_y. With f = 1 loading "
        "lies above Hertz beyond delta_p. As printed the law then creates energy (up to {:.2g} % "
        "of the work) for largest overlaps {}; {} the recovered span is shortened",
        100.0 * fault.most_created, EnergyFault::text(fault.creates, 2),
        EnergyFault::text(fault.shortened, 2));
}

Parameter brake_hardness() {
    return {.name = "hardness",
            .unit = "-",
            .meaning = "p_0 over the yield stress",
            .lowest = 1.0,
            .highest = 10.0,
            .standard = 2.8};
}

Parameter fitted_to_smooth(std::string_view name, std::string_view unit, std::string_view meaning) {
    return {.name = name,
            .unit = unit,
            .meaning = meaning,
            .words = {"smooth"},
            .standard_word = "smooth"};
}

}  // namespace

std::vector<Entry> sphere_plasticity_entries() {
    return {
        entry("thornton",
              "Hertz below delta_y; F_y + pi R p_y (delta - delta_y) above; unloading with radius "
              "R_u, "
              "R/R_u = F_max/F_Hertz(delta_max)",
              {yield_factor_parameter(1.61)},
              "p_y = yield_factor sigma_y. The texts write the yield stress where the largest "
              "pressure at yield is meant",
              "WangReview2022 Table 3; CorralReview Eqs (5.67)-(5.71)", make_thornton_law),
        entry("du-wang",
              "Hertz below delta_y; its tangent above, with p_y = (1 + pi/2) sigma_y; unloading "
              "with radius R",
              {},
              "delta_y is not printed and follows from continuity; the original's intermediate "
              "phase is not in "
              "the text",
              "WangReview2022 Table 3", make_du_wang_law),
        entry("stronge",
              "Hertz below delta_y; F_y z (1 + ln z/(3 theta)), z = 2 delta/delta_y - 1, up to "
              "delta_p; then "
              "(2.8/theta) F_y z; unloading with radius R sqrt(z)",
              {{.name = "mean_pressure_factor",
                .unit = "-",
                .meaning = "theta: mean contact pressure at first yield over the yield stress",
                .lowest = 0.9,
                .highest = 1.5,
                .standard = 1.1}},
              {stronge_validity}, "WangReview2022 Table 3", make_stronge_law),
        entry("brake",
              "Hertz below delta_y; a cubic up to delta_p; then slope 2 pi R p_0; unloading with "
              "radius "
              "R + delta_max/2",
              {brake_hardness(),
               yield_factor_parameter(1.6),
               {.name = "plastic_onset",
                .unit = "-",
                .meaning = "f: delta_p over a_p^2/R",
                .lowest = 1.0,
                .highest = 2.0,
                .standard = 1.0}},
              {brake_validity}, "WangReview2022 Table 3, misprints corrected by continuity",
              make_brake_law),
        entry(
            "burgoyne-daraio",
            "Hertz below delta_y; delta (F_y/delta_y + beta ln(delta/delta_y)) up to delta_p; then "
            "pi p_0 (2 R delta + c_2); unloading with Thornton's radius",
            {{.name = "pressure_factor",
              .unit = "-",
              .meaning = "c_1: p_0 over the yield stress",
              .lowest = 1.6,
              .highest = 10.0,
              .standard = 2.48},
             fitted_to_smooth(
                 "area_offset", "m^2",
                 "c_2: a fitted number, or \"smooth\", with which force and slope are continuous"),
             fitted_to_smooth(
                 "overlap_plastic", "m",
                 "delta_p: a fitted number, or \"smooth\", with which force and slope are "
                 "continuous")},
            "without the strain-rate factor, which is not in the text. c_1 = 2.48 is the authors'. "
            "c_2 and delta_p are fits that no text prints, so the default is \"smooth\". With "
            "fitted ones the slope jumps, and nothing prevents a gain of energy",
            "WangReview2022 Table 3, misprints corrected by continuity", make_burgoyne_daraio_law),
    };
}

}  // namespace beadwave::laws
