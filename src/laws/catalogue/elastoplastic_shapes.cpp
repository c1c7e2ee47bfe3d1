// Elastoplastic laws that give only a shape: their constants come from a collision or a
// measurement.

#include "beadwave/argument_error.hpp"
#include "beadwave/laws/elastoplastic/goldsmith.hpp"
#include "beadwave/laws/elastoplastic/tabulated.hpp"
#include "beadwave/laws/elastoplastic/walton_braun.hpp"
#include "beadwave/laws/elastoplastic/yigit.hpp"
#include "laws/catalogue/elastoplastic_groups.hpp"
#include "laws/catalogue/parameters.hpp"
#include "laws/catalogue/stiffness_parameters.hpp"

#include <numbers>

namespace beadwave::laws {
namespace {

AnyLaw make_yigit_law(const Contact& c, const Settings& s) {
    return make_yigit(c, s.number("yield_factor"));
}
AnyLaw make_yigit_linear_law(const Contact& c, const Settings& s) {
    return make_yigit_linear(c, s.number("yield_factor"));
}

AnyLaw make_goldsmith_law(const Contact& c, const Settings& s) {
    const double n = s.number("exponent");
    const double e = s.number("restitution");
    return Goldsmith<double>{
        {.stiffness = power_stiffness(c, s, n), .exponent = n, .recovered = e * e}};
}

AnyLaw make_walton_braun(const Contact& c, const Settings& s) {
    const bool plastic = s.is("stiffness", "plastic");
    if (plastic && !(c.yield_stress > 0.0)) {
        throw ArgumentError(
            "law \"walton-braun\" needs a stiffness k_1 in N/m, or a yield_stress in the material "
            "of at least one of two touching bodies");
    }
    const double k_1 =
        plastic ? std::numbers::pi * c.radius * 1.61 * c.yield_stress : s.number("stiffness");
    const double e = s.number("restitution");
    return WaltonBraun<double>{{.loading_stiffness = k_1,
                                .unloading_stiffness = k_1 / (e * e),
                                .hardening = s.number("hardening")}};
}

AnyLaw make_tabulated(const Contact&, const Settings& s) {
    const std::string& file = s.word("file");
    const auto text = s.file_texts.find("file");
    const double table = text == s.file_texts.end()
                             ? IndentationTable::number_of_file(file)
                             : IndentationTable::number_of(text->second, file);
    return Tabulated<double>{{.table = table}};
}

Entry entry(std::string name, std::string equation, std::vector<Parameter> parameters,
            std::string stored, std::string validity, std::string source,
            AnyLaw (*make)(const Contact&, const Settings&)) {
    return {.name = std::move(name),
            .aliases = {},
            .family = "elastoplastic",
            .equation = std::move(equation),
            .parameters = std::move(parameters),
            .separation = "zero force, at the residual overlap",
            .stored_energy = std::move(stored),
            .validity = std::move(validity),
            .source = std::move(source),
            .make = make};
}

Entry yielding(Entry entry) {
    entry.needs_yield_stress = true;
    return entry;
}

}  // namespace

std::vector<Entry> phenomenological_entries() {
    return {
        yielding(entry(
            "yigit",
            "Hertz below delta_y; F_y + K_y (delta - delta_y), K_y = 1.5 K sqrt(delta_y), above; "
            "unloading "
            "K (delta^1.5 - delta_r^1.5)",
            {yield_factor_parameter(1.61)},
            "K (0.4 (delta^2.5 - delta_r^2.5) - delta_r^1.5 (delta - delta_r))",
            "delta_y is not in the text; here it is the overlap at which the largest Hertz "
            "pressure is yield_factor sigma_y",
            "CorralReview Eqs (5.75), (5.76)", make_yigit_law)),
        yielding(
            entry("yigit-linear",
                  "F = K_y delta, K_y = 1.5 K sqrt(delta_y); unloading (K_y/gamma^2) (delta - "
                  "delta_r), gamma^2 = "
                  "1 - delta_r/delta_max, delta_r = delta_max (1 - K_y/(K sqrt(delta_max)))^(2/3)",
                  {yield_factor_parameter(1.61)}, "K_u (delta - delta_r)^2 / 2",
                  "the text prints gamma in place of gamma^2; then the force would jump where "
                  "unloading begins, and nothing would be dissipated. Elastic up to 2.25 delta_y; "
                  "delta_y as in yigit",
                  "CorralReview Eqs (5.77)-(5.79)", make_yigit_linear_law)),
        entry("goldsmith",
              "F = K delta^n; unloading F_max ((delta - delta_r)/(delta_max - delta_r))^n, "
              "delta_r = (1 - e^2) delta_max",
              {restitution_parameter(),
               {.name = "exponent",
                .unit = "-",
                .meaning = "n",
                .lowest = 1.0,
                .highest = 5.0,
                .standard = 1.5},
               power_stiffness_parameter()},
              "F_max (delta_max - delta_r)/(n+1) ((delta - delta_r)/(delta_max - delta_r))^(n+1)",
              "the text does not give delta_r; here the restitution is e at every speed",
              "CorralReview Eq. (5.7)", make_goldsmith_law),
        entry("walton-braun",
              "F = k_1 delta; unloading k_2 (delta - delta_r), k_2 = k_1/e^2 + S F_max",
              {restitution_parameter(),
               {.name = "stiffness",
                .unit = "N/m",
                .meaning = "k_1; \"plastic\": pi R 1.61 sigma_y, the slope of a plastic sphere",
                .lowest = 0.0,
                .lowest_allowed = false,
                .words = {"plastic"},
                .standard_word = "plastic"},
               {.name = "hardening",
                .unit = "1/m",
                .meaning = "S: growth of k_2 with the largest force; with 0 the restitution is the "
                           "same at every speed",
                .lowest = 0.0,
                .standard = 0.0}},
              "k_2 (delta - delta_r)^2 / 2", "linear: no Hertz stiffening at small overlaps",
              "in none of the five papers: Walton and Braun 1986", make_walton_braun),
        entry("tabulated",
              "F = the measured loading curve; unloading from any delta_max is the measured "
              "unloading curve, scaled to "
              "F_max and delta_max",
              {{.name = "file",
                .unit = "-",
                .meaning = "CSV of a quasi-static test: "
                           "overlap_m,loading_force_N,unloading_force_N; a cell may be empty; "
                           "a relative path starts at the folder of the scenario",
                .is_file = true}},
              "the integral of the scaled unloading curve",
              "bodies like those of the test. Beyond the last measured overlap, loading continues "
              "along a straight line. Where scaled unloading would create energy, the recovered "
              "span is shortened",
              "a measurement; monotone cubic (PCHIP) interpolation", make_tabulated),
    };
}

}  // namespace beadwave::laws
