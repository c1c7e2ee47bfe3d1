#include "beadwave/laws/line_catalogue.hpp"

#include "beadwave/argument_error.hpp"
#include "beadwave/laws/line_force.hpp"
#include "laws/catalogue/hysteresis_factors.hpp"
#include "laws/catalogue/parameters.hpp"
#include "laws/line/line_makers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace beadwave::laws {
namespace {

Parameter hysteresis_parameter() {
    Parameter damping{
        .name = "damping",
        .unit = "-",
        .meaning = "hysteresis factor on top of the elastic force, by the name of its sphere law",
        .words = {"none"},
        .standard_word = "lankarani-nikravesh",
        .number_allowed = false};
    for (const HysteresisFactor& row : hysteresis_factors()) {
        damping.words.push_back(row.name);
        for (const std::string& alias : row.aliases)
            damping.words.push_back(alias);
    }
    return damping;
}

const HysteresisFactor& factor_of(const Settings& settings) {
    const auto& name = std::get<std::string>(settings.values.at("damping"));
    const auto rows = hysteresis_factors();
    return *std::ranges::find_if(rows, [&](const HysteresisFactor& row) {
        return row.name == name || std::ranges::find(row.aliases, name) != row.aliases.end();
    });
}

/// The law's own parameters, then those of the damping. Without a restitution the contact is
/// elastic.
std::vector<Parameter> with_damping(std::vector<Parameter> own) {
    const auto more = line_damping_parameters();
    own.insert(own.end(), more.begin(), more.end());
    return own;
}

Parameter choice(std::string_view name, std::string_view meaning,
                 std::vector<std::string_view> words) {
    const std::string_view standard = words.front();
    return {.name = name,
            .unit = "-",
            .meaning = meaning,
            .words = std::move(words),
            .standard_word = standard,
            .number_allowed = false};
}

Parameter quantity(std::string_view name, std::string_view meaning, double lowest, double highest,
                   double standard) {
    return {.name = name,
            .unit = "-",
            .meaning = meaning,
            .lowest = lowest,
            .highest = highest,
            .standard = standard};
}

Parameter compliance() {
    return choice("compliance", "1/E* as printed, or divided by pi as in the law's own source",
                  {"printed", "over-pi"});
}

std::vector<LineEntry> all_line_entries() {
    const std::string nowhere = "none";
    return {
        {.name = "hertz",
         .aliases = {},
         .external = true,
         .equation = "delta = (2 F/(pi E* L)) (ln(pi E* DeltaR L/F) - 1)",
         .parameters = with_damping({}),
         .limit = "0.271 DeltaR",
         .validity = "as printed, twice as compliant as johnson; the contact is narrow compared "
                     "with the radii",
         .source = "Skrinjar2018 Eq. (33)",
         .make = line::hertz},
        {.name = "johnson",
         .aliases = {},
         .external = true,
         .equation = "delta = (F/(pi E* L)) (ln(4 pi E* DeltaR L/F) - 1)",
         .parameters = with_damping({}),
         .limit = "0.541 DeltaR",
         .validity = "the contact is narrow compared with the radii",
         .source = "Skrinjar2018 Eq. (36)",
         .make = line::johnson},
        {.name = "radzimovsky",
         .aliases = {},
         .external = true,
         .equation = "delta = (F/(pi E* L)) (2/3 + ln(8 E* DeltaR L/(b0^2 F)))",
         .parameters = with_damping(
             {quantity("b0", "half-width constant: 1.60, or 2.15 as printed for equal materials",
                       0.1, 10.0, 1.60),
              choice("form", "Eq. (41), or Eqs (37)-(39), which have 16 in place of 8",
                     {"eq41", "eq37"})}),
         .limit = "0.713 DeltaR for b0 = 1.60",
         .validity = "derived for external cylinders; in a hole with the difference of the radii",
         .source = "Skrinjar2018 Eqs (37)-(41)",
         .make = line::radzimovsky},
        {.name = "goldsmith",
         .aliases = {},
         .external = true,
         .equation = "delta = (F/(E* L)) (ln(E* L^m/(F R)) + 1), R = 1/DeltaR",
         .parameters = with_damping(
             {choice("curvature", "R is 1/DeltaR, or the effective radius in metres",
                     {"clearance", "radius"}),
              quantity("length_power", "m, the power of the length in metres", 0.0, 4.0, 1.0),
              compliance()}),
         .limit = "DeltaR for m = 1",
         .validity = "made for a pin in a hole; units agree only for m = 1 and R = 1/DeltaR",
         .source = "Skrinjar2018 Eq. (42)",
         .make = line::goldsmith},
        {.name = "dubowsky-freudenstein",
         .aliases = {},
         .external = false,
         .equation = "delta = (F/(E* L)) (ln(E* L^m/(F R)) + 1), m = 3",
         .parameters = with_damping(
             {quantity("length_power", "m, the power of the length in metres", 0.0, 4.0, 3.0),
              compliance()}),
         .limit = "L^2/R",
         .validity = "a pin in a hole",
         .source = "Skrinjar2018 Eq. (43)",
         .make = line::dubowsky_freudenstein},
        {.name = "esdu-78035",
         .aliases = {"esdu"},
         .external = false,
         .equation = "delta = (F/(E* L)) (ln(4 E* L DeltaR/F) + 1)",
         .parameters = with_damping({compliance()}),
         .limit = "4 DeltaR",
         .validity = "a pin in a hole: journal bearings",
         .source = "Skrinjar2018 Eq. (44)",
         .make = line::esdu_78035},
        {.name = "liu",
         .aliases = {},
         .external = false,
         .equation = "F = (pi/2) E* L delta sqrt(delta/(2 (DeltaR + delta)))",
         .parameters = with_damping({}),
         .limit = nowhere,
         .validity = "a pin in a hole, any overlap; L is missing in print",
         .source = "Skrinjar2018 Eq. (45)",
         .make = line::liu},
        {.name = "persson",
         .aliases = {},
         .external = false,
         .equation = "F = pi f E* L DeltaR (b^2 + 1) b^2/(2 - ln(b^2 + 1) - 2 b^4), b^2 = delta/(2 "
                     "DeltaR + delta)",
         .parameters = with_damping(
             {choice("denominator", "as in the equation, or 2 throughout", {"full", "leading"}),
              quantity("modulus_factor",
                       "f, a factor of E*: with 2 the product is the modulus of one of two equal "
                       "bodies; 1 is as printed",
                       0.1, 10.0, 2.0)}),
         .limit = "10.1 DeltaR",
         .validity = "a pin that nearly fills its hole, both of one material. The printed "
                     "denominator has the wrong unit. The theory has one body's E/(1 - nu^2), "
                     "which is 2 E*: only with f = 2 is a narrow contact as wide as Hertz's. As "
                     "printed, with f = 1, it is half as stiff",
         .source = "Skrinjar2018 Table 4",
         .make = line::persson},
        {.name = "pereira",
         .aliases = {},
         .external = true,
         .flat = true,
         .equation = "F = ((a DeltaR + b) L E*/DeltaR) delta^n, in mm and MPa",
         .parameters = with_damping({}),
         .limit = nowhere,
         .validity = "in a hole: clearance from 0.005 mm to 10 mm",
         .source = "Skrinjar2018 Eqs (47), (48), Table 3",
         .make = line::pereira},
        {.name = "lankarani-nikravesh",
         .aliases = {},
         .external = true,
         .flat = true,
         .equation = "F = (4/3) E* sqrt(R) delta^n",
         .parameters = with_damping({quantity("exponent", "n", 1.0, 1.5, 1.5)}),
         .limit = nowhere,
         .validity = "the force of a sphere; the length does not enter; with n other than 1.5 the "
                     "overlap counts in metres",
         .source = "Skrinjar2018 Eq. (46)",
         .make = line::lankarani_nikravesh},
    };
}

}  // namespace

std::span<const LineEntry> line_catalogue() {
    static const std::vector<LineEntry> list = all_line_entries();
    return list;
}

std::span<const Parameter> line_damping_parameters() {
    static const std::vector<Parameter> parameters = [] {
        Parameter restitution = restitution_parameter();
        restitution.standard = 1.0;
        Parameter floor = min_impact_speed_parameter();
        floor.meaning = "least impact speed, in mechanisms, where each impact has its own";
        floor.standard = 1e-3;
        return std::vector<Parameter>{hysteresis_parameter(), restitution, impact_speed_parameter(),
                                      floor};
    }();
    return parameters;
}

const LineEntry* find_line(std::string_view name) {
    for (const LineEntry& entry : line_catalogue()) {
        if (entry.name == name || std::ranges::find(entry.aliases, name) != entry.aliases.end())
            return &entry;
    }
    return nullptr;
}

std::vector<std::string> known_line_names() {
    std::vector<std::string> names;
    for (const LineEntry& entry : line_catalogue()) {
        names.push_back(entry.name);
        names.insert(names.end(), entry.aliases.begin(), entry.aliases.end());
    }
    return names;
}

LineLaw make_line(const LineContact& contact, const Settings& settings, double speed) {
    const LineEntry* entry = find_line(settings.name);
    if (!entry->external && !contact.internal) {
        throw ArgumentError(fmt::format(
            "{} is only for a pin in a hole; make the larger body concave, or take one of "
            "the laws for cylinders side by side",
            entry->name));
    }
    if (!entry->flat && std::isinf(contact.radius_difference)) {
        throw ArgumentError(fmt::format(
            "{} has no force against a flat, where its Delta R is infinite; take pereira or "
            "lankarani-nikravesh",
            entry->name));
    }
    LineLaw law{.name = entry->name, .spring = entry->make(contact, settings), .damping = 0.0};
    if (settings.is("damping", "none")) return law;
    const Value& given = settings.values.at("impact_speed");
    const double impact_speed =
        std::holds_alternative<double>(given) ? std::get<double>(given) : speed;
    const HysteresisFactor& factor = factor_of(settings);
    const double restitution = settings.number("restitution");
    if (!(restitution > factor.least_restitution)) {
        throw ArgumentError(fmt::format("damping \"{}\" needs a restitution above {:g}",
                                        factor.name, factor.least_restitution));
    }
    law.damping = factor.chi(restitution) / impact_speed;
    return law;
}

bool line_depends_on_impact_speed(const Settings& settings) {
    return !settings.is("damping", "none") && settings.number("restitution") != 1.0 &&
           !settings.is("impact_speed", "per-contact");
}

AnyLaw make_line_force(const LineContact& contact, const Settings& settings) {
    const bool per_contact = settings.is("impact_speed", "per-contact");
    const LineLaw law = make_line(contact, settings, 1.0);  // at 1 m/s, damping is chi itself
    const LineNumbers numbers = numbers_of(law.spring);
    const auto made = [&]<ImpactSpeed kind>(LineForce<double, kind> line) -> AnyLaw {
        line.form = numbers.form;
        line.a = numbers.a;
        line.b = numbers.b;
        line.c = numbers.c;
        line.damping = law.damping;
        line.min_impact_speed = settings.number("min_impact_speed");
        return line;
    };
    return per_contact ? made(LineForce<double, ImpactSpeed::per_contact>{})
                       : made(LineForce<double, ImpactSpeed::uniform>{});
}

}  // namespace beadwave::laws
