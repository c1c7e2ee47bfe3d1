#include "law_reader.hpp"

#include "beadwave/input_error.hpp"
#include "beadwave/laws/catalogue.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <variant>

namespace beadwave::io {
namespace {

/// Names of the parameters of all laws, each once, in the catalogue's order.
std::vector<std::string> parameters_of_all_laws() {
    std::vector<std::string> names;
    for (const laws::Entry& entry : laws::catalogue()) {
        for (const laws::Parameter& parameter : entry.parameters) {
            if (std::ranges::find(names, parameter.name) == names.end())
                names.emplace_back(parameter.name);
        }
    }
    return names;
}

const laws::Entry& named_law(const TomlTable& table) {
    const std::string_view wanted = "a law's name (beadwave laws lists all)";
    const std::string name = table.need(table.text("name", wanted), "name", wanted);
    const laws::Entry* entry = laws::find(name);
    if (entry == nullptr) {
        const std::string hint = did_you_mean(name, laws::known_names());
        table.fail("name", fmt::format("no such law{} (beadwave laws lists all)", hint));
    }
    return *entry;
}

std::string read_word(const TomlTable& table, const laws::Parameter& parameter) {
    std::string word = *table.text(parameter.name);
    if (!parameter.accepts(word)) {
        const std::vector<std::string> words(parameter.words.begin(), parameter.words.end());
        table.fail(parameter.name,
                   fmt::format("must be {}{}", parameter.allowed(), did_you_mean(word, words)));
    }
    return word;
}

laws::Value read_value(const TomlTable& table, const laws::Entry& law,
                       const laws::Parameter& parameter) {
    if (table.has_text(parameter.name) && !parameter.words.empty())
        return read_word(table, parameter);
    if (const auto number = table.number(parameter.name, parameter)) return *number;
    if (!parameter.standard_word.empty()) return std::string(parameter.standard_word);
    if (parameter.standard) return *parameter.standard;
    table.fail(parameter.name, fmt::format("missing; {} needs {}", law.name, parameter.allowed()));
}

}  // namespace

laws::Settings read_law(const TomlTable& root, std::optional<double> impact_speed,
                        std::vector<std::string>& notes) {
    const TomlTable table = root.need(root.table("law"), "law",
                                      "[law] with the name of a law (beadwave laws lists all)");
    const std::vector<std::string> parameters = parameters_of_all_laws();
    std::vector<std::string> known = {"name"};
    known.insert(known.end(), parameters.begin(), parameters.end());
    table.allow_only(known);

    const laws::Entry& law = named_law(table);
    laws::Settings settings{.name = law.name, .values = {}};
    for (const laws::Parameter& parameter : law.parameters) {
        settings.values.emplace(parameter.name, read_value(table, law, parameter));
    }
    const auto speed = settings.values.find("impact_speed");
    const bool has_speed = speed != settings.values.end();
    if (has_speed && !table.has("impact_speed") && impact_speed) speed->second = *impact_speed;

    for (const std::string& name : parameters) {
        if (table.has(name) && !settings.values.contains(name)) {
            notes.push_back(
                fmt::format("{} has no effect: {} does not take it", table.key(name), law.name));
        }
    }
    if (has_speed && std::holds_alternative<double>(speed->second) &&
        table.has("impact_speed_floor")) {
        notes.push_back(
            "law.impact_speed_floor has no effect: the impact speed is one number for all "
            "contacts");
    }
    return settings;
}

}  // namespace beadwave::io
