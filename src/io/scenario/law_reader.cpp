#include "io/scenario/law_reader.hpp"

#include "beadwave/input_error.hpp"
#include "beadwave/laws/catalogue.hpp"
#include "beadwave/laws/line_catalogue.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>

namespace beadwave::io {
namespace {

/// The names of the parameters of all laws, each once, in the order of the catalogue.
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
        if (laws::find_line(name) != nullptr) {
            table.fail(
                "name",
                "is a law of line contacts, for a collision case whose two bodies have a length");
        }
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

/// A word that consists of digits, such as a year, needs no quotes if the parameter takes no
/// number.
std::optional<std::string> read_digits(const TomlTable& table, const laws::Parameter& parameter) {
    if (parameter.number_allowed || !table.has_whole_number(parameter.name)) return std::nullopt;
    constexpr auto any = std::numeric_limits<std::int64_t>();
    std::string word = std::to_string(*table.whole_number(parameter.name, any.min(), any.max()));
    if (!parameter.accepts(std::string_view(word))) return std::nullopt;
    return word;
}

}  // namespace

laws::Value read_law_value(const TomlTable& table, std::string_view law,
                           const laws::Parameter& parameter) {
    if (table.has_text(parameter.name) && (!parameter.words.empty() || parameter.is_file))
        return read_word(table, parameter);
    if (auto word = read_digits(table, parameter)) return *std::move(word);
    if (const auto number = table.number(parameter.name, parameter)) return *number;
    if (!parameter.standard_word.empty()) return std::string(parameter.standard_word);
    if (parameter.standard) return *parameter.standard;
    table.fail(parameter.name, fmt::format("missing; {} needs {}", law, parameter.allowed()));
}

laws::Settings read_law(const TomlTable& root, std::optional<double> impact_speed,
                        NamedFiles& files, std::vector<std::string>& warnings) {
    const TomlTable table = root.need(root.table("law"), "law",
                                      "[law] with the name of a law (beadwave laws lists all)");
    const std::vector<std::string> parameters = parameters_of_all_laws();
    std::vector<std::string> known = {"name"};
    known.insert(known.end(), parameters.begin(), parameters.end());
    table.allow_only(known);

    const laws::Entry& law = named_law(table);
    laws::Settings settings{.name = law.name, .values = {}};
    for (const laws::Parameter& parameter : law.parameters) {
        const auto value =
            settings.values.emplace(parameter.name, read_law_value(table, law.name, parameter))
                .first;
        if (!parameter.is_file) continue;
        NamedFile file = files.read(table, parameter.name, "CSV");
        value->second = file.name;
        settings.file_texts.emplace(parameter.name, std::move(file.text));
    }
    // For a single collision the initial approach speed is known.
    if (impact_speed && settings.is("impact_speed", "initial")) {
        settings.values.insert_or_assign("impact_speed", *impact_speed);
    }

    for (const std::string& name : parameters) {
        if (table.has(name) && !settings.values.contains(name)) {
            warnings.push_back(
                fmt::format("{} has no effect: {} does not take it", table.key(name), law.name));
        }
    }
    if (table.has("min_impact_speed") && settings.values.contains("min_impact_speed") &&
        !settings.is("impact_speed", "per-contact")) {
        warnings.emplace_back(
            "law.min_impact_speed has no effect: law.impact_speed is not \"per-contact\"");
    }
    return settings;
}

}  // namespace beadwave::io
