#include "beadwave/input_error.hpp"
#include "beadwave/laws/catalogue.hpp"
#include "beadwave/laws/line_catalogue.hpp"
#include "beadwave/laws/restitution.hpp"
#include "cli/commands.hpp"
#include "cli/laws_markdown.hpp"
#include "cli/terminal.hpp"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace beadwave::cli {
namespace {

using nlohmann::ordered_json;

std::string joined(const std::vector<std::string>& words, const char* separator = ", ") {
    std::string text;
    for (const std::string& word : words)
        text += (text.empty() ? "" : separator) + word;
    return text;
}

std::string standard_of(const laws::Parameter& parameter) {
    if (parameter.required()) return "must be given";
    return parameter.standard ? fmt::format("{:g}", *parameter.standard)
                              : std::string(parameter.standard_word);
}

ordered_json as_json(const laws::Parameter& p) {
    ordered_json json{
        {"name", p.name}, {"unit", p.unit}, {"meaning", p.meaning}, {"allowed", p.allowed()}};
    if (p.number_allowed && std::isfinite(p.lowest)) json["lowest"] = p.lowest;
    if (p.number_allowed && std::isfinite(p.highest)) json["highest"] = p.highest;
    if (!p.words.empty()) json["words"] = p.words;
    if (p.standard) json["default"] = *p.standard;
    if (!p.standard_word.empty()) json["default"] = p.standard_word;
    return json;
}

ordered_json as_json(const laws::Entry& e) {
    ordered_json json{{"name", e.name},
                      {"aliases", e.aliases},
                      {"family", e.family},
                      {"equation", e.equation},
                      {"parameters", ordered_json::array()},
                      {"needs_yield_stress", e.needs_yield_stress},
                      {"separation", e.separation},
                      {"stored_energy", e.stored_energy},
                      {"validity", e.validity()},
                      {"source", e.source}};
    if (e.refused.empty()) {
        json["time_step_order"] = e.step_order.order;
        json["time_step_order_remark"] = e.step_order.remark;
    }
    if (!e.refused.empty()) json["refused"] = e.refused;
    for (const laws::Parameter& p : e.parameters)
        json["parameters"].push_back(as_json(p));
    return json;
}

ordered_json as_json(const laws::LineEntry& e) {
    ordered_json json{
        {"name", e.name},
        {"aliases", e.aliases},
        {"family", "line"},
        {"equation", e.equation},
        {"parameters", ordered_json::array()},
        {"contacts", e.external ? ordered_json{"internal", "external"} : ordered_json{"internal"}},
        {"limit", e.limit},
        {"validity", e.validity},
        {"source", e.source}};
    for (const laws::Parameter& p : e.parameters)
        json["parameters"].push_back(as_json(p));
    return json;
}

ordered_json as_json(const laws::RestitutionFormula& f) {
    return {{"name", f.name},
            {"equation", f.equation},
            {"validity", f.validity},
            {"source", f.source},
            {"needs_poisson_ratio", f.needs_poisson_ratio},
            {"needs_density", f.needs_density}};
}

template <class List>
ordered_json all_as_json(const List& list) {
    ordered_json json = ordered_json::array();
    for (const auto& entry : list)
        json.push_back(as_json(entry));
    return json;
}

void line(const char* what, std::string_view text) {
    fmt::print("  {:<14}{}\n", what, text);
}

void print_parameters(const std::vector<laws::Parameter>& parameters) {
    fmt::print("\n  parameters{}\n", parameters.empty() ? ": none beside the materials" : "");
    for (const laws::Parameter& p : parameters) {
        fmt::print("    {:<22}{}\n    {:<22}{}; default: {}\n", p.name, p.meaning, "", p.allowed(),
                   standard_of(p));
    }
}

void print_one(const laws::Entry& e) {
    fmt::print("{}{}\n\n", e.name, e.aliases.empty() ? "" : " (also " + joined(e.aliases) + ")");
    line("family", e.family);
    line("equation", e.equation);
    line("stored energy", e.stored_energy);
    line("separation", e.separation);
    line("validity", e.validity());
    line("source", e.source);
    if (e.refused.empty()) line("step order", e.step_order.text());
    if (!e.refused.empty()) line("not offered", e.refused);
    if (e.needs_yield_stress)
        line("material", "needs yield_stress; of two bodies the softer one yields");
    print_parameters(e.parameters);
}

void print_one(const laws::LineEntry& e) {
    fmt::print("{}{}, of a line contact\n\n", e.name,
               e.aliases.empty() ? "" : " (also " + joined(e.aliases) + ")");
    line("equation", e.equation);
    line("damping", "times 1 + chi delta_dot/delta_dot_0, chi of the law named by damping");
    line("cylinders", e.external ? "a pin in a hole, or side by side" : "a pin in a hole");
    line("ends", e.limit == "none" ? "at no overlap" : "at the overlap " + e.limit);
    line("validity", e.validity);
    line("source", e.source);
    print_parameters(e.parameters);
}

void print_one(const laws::RestitutionFormula& f) {
    fmt::print("{}, a restitution formula\n\n", f.name);
    line("equation", f.equation);
    line("validity", f.validity);
    line("needs", fmt::format("yield_stress{}{}", f.needs_poisson_ratio ? ", poisson_ratio" : "",
                              f.needs_density ? ", density" : ""));
    line("source", f.source);
}

std::string short_list(const std::vector<laws::Parameter>& parameters) {
    std::vector<std::string> names;
    for (const laws::Parameter& p : parameters)
        names.emplace_back(p.name);
    if (names.size() > 4) {
        names.resize(4);
        names.emplace_back("...");
    }
    return names.empty() ? "-" : joined(names, " ");
}

void print_table() {
    fmt::print("{:<26}{:<24}{:<60}{}\n", "law", "family", "parameters", "source");
    for (const laws::Entry& e : laws::catalogue()) {
        fmt::print("{:<26}{:<24}{:<60}{}\n", e.name, e.family, short_list(e.parameters), e.source);
        for (const std::string& alias : e.aliases)
            fmt::print("{:<26}as {}\n", alias, e.name);
    }
    fmt::print(
        "\nIn `beadwave collide` where both bodies have a length, and in a mechanism's journal "
        "that has one:\n\n");
    fmt::print("{:<26}{:<24}{:<60}{}\n", "line law", "cylinders", "parameters", "source");
    for (const laws::LineEntry& e : laws::line_catalogue()) {
        fmt::print("{:<26}{:<24}{:<60}{}\n", e.name, e.external ? "internal, external" : "internal",
                   short_list(e.parameters), e.source);
        for (const std::string& alias : e.aliases)
            fmt::print("{:<26}as {}\n", alias, e.name);
    }
    fmt::print(
        "\nIn a mechanism's contacts, `impulse`: impacts in no time, of a restitution; "
        "docs/MECHANISMS.md.\n");
    fmt::print("\n`beadwave collide` also says what these make of a yielding pair:\n\n");
    fmt::print("{:<26}{:<76}{}\n", "restitution formula", "validity", "source");
    for (const laws::RestitutionFormula& f : laws::restitution_formulas()) {
        fmt::print("{:<26}{:<76}{}\n", f.name, f.validity, f.source);
    }
    fmt::print("\nbeadwave laws NAME shows one in full.\n");
}

std::vector<std::string> all_names() {
    std::vector<std::string> names = laws::known_names();
    for (std::string& name : laws::known_line_names())
        names.push_back(std::move(name));
    for (const laws::RestitutionFormula& f : laws::restitution_formulas())
        names.emplace_back(f.name);
    return names;
}

/// All that goes by this name; the first one's object, the others inside it.
void show(const laws::Entry* law, const laws::LineEntry* line_law,
          const laws::RestitutionFormula* formula, bool json) {
    ordered_json all;
    bool first = true;
    const auto add = [&](const auto* entry, const char* key) {
        if (entry == nullptr) return;
        if (!json) {
            if (!first) fmt::print("\n");
            print_one(*entry);
        } else if (first) {
            all = as_json(*entry);
        } else {
            all[key] = as_json(*entry);
        }
        first = false;
    };
    add(law, "law");
    add(line_law, "line_law");
    add(formula, "restitution_formula");
    if (json) print_json(all);
}

}  // namespace

int laws_command(const LawsOptions& options) {
    if (options.markdown) {
        fmt::print("{}", laws_markdown());
        return 0;
    }
    if (options.name.empty()) {
        if (!options.json) {
            print_table();
            return 0;
        }
        print_json(
            ordered_json{{"laws", all_as_json(laws::catalogue())},
                         {"line_laws", all_as_json(laws::line_catalogue())},
                         {"restitution_formulas", all_as_json(laws::restitution_formulas())}});
        return 0;
    }
    const laws::Entry* law = laws::find(options.name);
    const laws::LineEntry* line_law = laws::find_line(options.name);
    const laws::RestitutionFormula* formula = laws::find_restitution_formula(options.name);
    if (law == nullptr && line_law == nullptr && formula == nullptr) {
        throw InputError(fmt::format("no law \"{}\"{} (beadwave laws lists all)", options.name,
                                     did_you_mean(options.name, all_names())));
    }
    show(law, line_law, formula, options.json);
    return 0;
}

}  // namespace beadwave::cli
