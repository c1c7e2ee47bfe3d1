#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "beadwave/input_error.hpp"
#include "beadwave/laws/catalogue.hpp"
#include "commands.hpp"

namespace beadwave::cli {
namespace {

using nlohmann::ordered_json;

std::string joined(const std::vector<std::string>& words, const char* separator = ", ") {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : separator) + word;
    return text;
}

std::string standard_of(const laws::Parameter& parameter) {
    if (parameter.required()) return "must be given";
    return parameter.standard ? fmt::format("{:g}", *parameter.standard) : std::string(parameter.standard_word);
}

ordered_json as_json(const laws::Parameter& p) {
    ordered_json json{{"name", p.name}, {"unit", p.unit}, {"meaning", p.meaning}, {"allowed", p.allowed()}};
    if (p.number_allowed && std::isfinite(p.lowest)) json["lowest"] = p.lowest;
    if (p.number_allowed && std::isfinite(p.highest)) json["highest"] = p.highest;
    if (!p.words.empty()) json["words"] = p.words;
    if (p.standard) json["default"] = *p.standard;
    if (!p.standard_word.empty()) json["default"] = p.standard_word;
    return json;
}

ordered_json as_json(const laws::Entry& e) {
    ordered_json json{{"name", e.name},         {"aliases", e.aliases},       {"family", e.family},
                      {"equation", e.equation}, {"parameters", ordered_json::array()},
                      {"needs_yield_stress", e.needs_yield_stress},           {"separation", e.separation},
                      {"stored_energy", e.stored_energy},                     {"validity", e.validity},
                      {"source", e.source}};
    for (const laws::Parameter& p : e.parameters) json["parameters"].push_back(as_json(p));
    return json;
}

void print_one(const laws::Entry& e) {
    fmt::print("{}{}\n\n", e.name, e.aliases.empty() ? "" : " (also " + joined(e.aliases) + ")");
    const auto line = [](const char* what, const std::string& text) { fmt::print("  {:<14}{}\n", what, text); };
    line("family", e.family);
    line("equation", e.equation);
    line("stored energy", e.stored_energy);
    line("separation", e.separation);
    line("validity", e.validity);
    line("source", e.source);
    if (e.needs_yield_stress) line("material", "needs yield_stress; of two bodies the softer one yields");
    fmt::print("\n  parameters{}\n", e.parameters.empty() ? ": none beside the materials" : "");
    for (const laws::Parameter& p : e.parameters) {
        fmt::print("    {:<20}{}\n    {:<20}{}; default: {}\n", p.name, p.meaning, "", p.allowed(), standard_of(p));
    }
}

void print_table() {
    fmt::print("{:<22}{:<24}{:<52}{}\n", "law", "family", "parameters", "source");
    for (const laws::Entry& e : laws::catalogue()) {
        std::vector<std::string> names;
        for (const laws::Parameter& p : e.parameters) names.emplace_back(p.name);
        if (names.size() > 4) {
            names.resize(4);
            names.emplace_back("...");
        }
        fmt::print("{:<22}{:<24}{:<52}{}\n", e.name, e.family, names.empty() ? "-" : joined(names, " "), e.source);
        for (const std::string& alias : e.aliases) fmt::print("{:<22}as {}\n", alias, e.name);
    }
    fmt::print("\nbeadwave laws NAME shows one in full.\n");
}

}  // namespace

int laws_command(const LawsOptions& options) {
    if (options.name.empty()) {
        if (!options.json) {
            print_table();
            return 0;
        }
        ordered_json list = ordered_json::array();
        for (const laws::Entry& e : laws::catalogue()) list.push_back(as_json(e));
        fmt::print("{}\n", ordered_json{{"laws", list}}.dump(2));
        return 0;
    }
    const laws::Entry* entry = laws::find(options.name);
    if (entry == nullptr) {
        throw InputError(fmt::format("no law \"{}\"{} (beadwave laws lists all)", options.name,
                                     did_you_mean(options.name, laws::known_names())));
    }
    if (options.json) {
        fmt::print("{}\n", as_json(*entry).dump(2));
    } else {
        print_one(*entry);
    }
    return 0;
}

}  // namespace beadwave::cli
