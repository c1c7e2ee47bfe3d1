#include "tasks/laws_json.hpp"

#include "beadwave/input_error.hpp"
#include "beadwave/laws/catalogue.hpp"
#include "beadwave/laws/line_catalogue.hpp"
#include "beadwave/laws/restitution.hpp"
#include "laws/listed_laws.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <utility>
#include <vector>

namespace beadwave::tasks {
namespace {

using nlohmann::ordered_json;

ordered_json as_json(const laws::Parameter& p) {
    ordered_json json{
        {"name", p.name}, {"unit", p.unit}, {"meaning", p.meaning}, {"allowed", p.allowed()}};
    if (p.number_allowed && std::isfinite(p.lowest)) json["lowest"] = p.lowest;
    if (p.number_allowed && std::isfinite(p.highest)) json["highest"] = p.highest;
    if (!p.words.empty()) json["words"] = p.words;
    if (p.standard) json["default"] = *p.standard;
    if (!p.standard_word.empty()) json["default"] = p.standard_word;
    if (!p.example_text.empty()) json["example"] = p.example_text;
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
    ordered_json json{{"name", e.name},
                      {"aliases", e.aliases},
                      {"family", "line"},
                      {"equation", e.equation},
                      {"parameters", ordered_json::array()},
                      {"contacts", ordered_json{"internal"}},
                      {"limit", e.limit},
                      {"validity", e.validity},
                      {"source", e.source}};
    if (e.external) json["contacts"].push_back("external");
    if (e.flat) json["contacts"].push_back("flat");
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

ordered_json as_json(const laws::ListedLaw& l) {
    return {{"name", l.name}, {"for", l.systems}, {"equation", l.equation}, {"source", l.source}};
}

template <class List>
ordered_json all_as_json(const List& list) {
    ordered_json json = ordered_json::array();
    for (const auto& entry : list)
        json.push_back(as_json(entry));
    return json;
}

std::vector<std::string> all_names() {
    std::vector<std::string> names = laws::known_names();
    for (std::string& name : laws::known_line_names())
        names.push_back(std::move(name));
    for (const laws::RestitutionFormula& f : laws::restitution_formulas())
        names.emplace_back(f.name);
    for (const auto& entries : laws::listed_laws()) {
        for (const laws::ListedLaw& l : entries)
            names.emplace_back(l.name);
    }
    return names;
}

}  // namespace

ordered_json laws_json() {
    return {{"laws", all_as_json(laws::catalogue())},
            {"line_laws", all_as_json(laws::line_catalogue())},
            {"restitution_formulas", all_as_json(laws::restitution_formulas())},
            {"friction_laws", all_as_json(laws::friction_laws())},
            {"friction_numbers", all_as_json(laws::friction_numbers())},
            {"rigid_laws", all_as_json(laws::rigid_laws())}};
}

ordered_json laws_json(const std::string& name) {
    check_catalogued(name);
    ordered_json all;
    const auto add = [&](const auto* entry, const char* key) {
        if (entry == nullptr) return;
        if (all.is_null()) {
            all = as_json(*entry);
        } else {
            all[key] = as_json(*entry);
        }
    };
    add(laws::find(name), "law");
    add(laws::find_line(name), "line_law");
    add(laws::find_restitution_formula(name), "restitution_formula");
    add(laws::find_listed(name), "listed_law");
    return all;
}

void check_catalogued(const std::string& name) {
    if (laws::find(name) != nullptr || laws::find_line(name) != nullptr ||
        laws::find_restitution_formula(name) != nullptr || laws::find_listed(name) != nullptr)
        return;
    throw InputError(fmt::format("there is no law \"{}\"{} (beadwave laws lists all)", name,
                                 did_you_mean(name, all_names())));
}

}  // namespace beadwave::tasks
