#include "io/scenario/law_reader.hpp"

#include "beadwave/input_error.hpp"
#include "beadwave/laws/catalogue.hpp"
#include "beadwave/laws/expression/settings.hpp"
#include "beadwave/laws/line_catalogue.hpp"
#include "io/toml/toml_text.hpp"
#include "laws/rigid_law.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace beadwave::io {
namespace {

/// The parameters of all laws of a catalogue and of rigid contacts, each name once.
template <class Catalogue>
std::vector<const laws::Parameter*> parameters_of_all(const Catalogue& catalogue) {
    std::vector<const laws::Parameter*> all;
    const auto is_new = [&](std::string_view name) {
        for (const laws::Parameter* each : all) {
            if (each->name == name) return false;
        }
        return true;
    };
    for (const auto& entry : catalogue) {
        for (const laws::Parameter& parameter : entry.parameters) {
            if (is_new(parameter.name)) all.push_back(&parameter);
        }
    }
    for (const laws::Parameter& parameter : laws::rigid_law().parameters)
        if (is_new(parameter.name)) all.push_back(&parameter);
    return all;
}

Key name_key() {
    return plain("name", Kind::text,
                 "contact law. `beadwave laws NAME` and [LAWS.md](LAWS.md) list its parameters, "
                 "which are keys of the same table")
        .ranges("a name of the catalogue")
        .expects("a law's name (beadwave laws lists all)")
        .needed();
}

Key parameter_key(const laws::Parameter& parameter) {
    Key key = named(parameter.name, in_range(parameter), parameter.meaning);
    key.from_catalogue = true;
    return key;
}

/// A hint what a law name of other programs is here; empty: the name is not known.
std::string named_elsewhere(std::string_view name) {
    std::string plain;
    for (const char c : name) {
        if (c != '-' && c != '_' && c != ' ')
            plain += static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
    }
    if (plain == "hertzmindlin" || plain == "mindlin") {
        return "; the law of Hertz and Mindlin is law.name = \"hertz\" and, in packings, "
               "friction.law = \"mindlin\"";
    }
    return {};
}

const laws::Entry& named_law(const TomlTable& table) {
    const std::string name = table.need(table.text(name_key()), name_key());
    if (const laws::Entry* entry = laws::find(name)) return *entry;
    if (laws::find_line(name) != nullptr) {
        table.fail("name",
                   "is a law of line contacts, for parallel cylinders: bodies that have a length");
    }
    if (name == laws::rigid_name)
        table.fail("name",
                   "is that of rigid contacts, which packings alone have; mechanisms have "
                   "law.name = \"impulse\"");
    std::string hint = named_elsewhere(name);
    if (hint.empty()) hint = did_you_mean(name, laws::known_names());
    table.fail("name", fmt::format("no such law{} (beadwave laws lists all)", hint));
}

const laws::LineEntry& named_line_law(const TomlTable& table) {
    const Key key = name_key().expects("a line law's name (beadwave laws lists all)");
    const std::string name = table.need(table.text(key), key);
    if (const laws::LineEntry* entry = laws::find_line(name)) return *entry;
    if (laws::find(name) != nullptr) {
        table.fail("name",
                   "is not a law of line contacts, and these bodies have a length; a damping "
                   "factor is added to a line law: name = \"johnson\", damping = \"flores\"");
    }
    table.fail("name", fmt::format("no such line law{} (beadwave laws lists all)",
                                   did_you_mean(name, laws::known_line_names())));
}

/// Refuses e = 0 with what to take in its place: the formulas divide by e or take its logarithm.
void refuse_no_restitution(const TomlTable& table, std::string_view law, const Key& key,
                           const laws::Parameter& parameter) {
    if (parameter.name != "restitution" || parameter.accepts(0.0)) return;
    if (!table.has(key.name) || table.has_text(key.name)) return;
    Key any = key;
    any.limits = {};
    if (table.number(any) != 0.0) return;
    table.fail(key.name, fmt::format("must be {}: the formula of {} has no value at e = 0. 0.01 "
                                     "keeps 1e-4 of the energy; in mechanisms the law impulse "
                                     "takes 0, in packings the law rigid",
                                     key.allowed(), law));
}

/// The value of a parameter, or its default value.
laws::Value read_value(const TomlTable& table, std::string_view law,
                       const laws::Parameter& parameter) {
    const Key key = parameter_key(parameter);
    const auto is_text = table.has_text(key.name);
    if (is_text && (!parameter.words.empty() || parameter.is_file || parameter.is_text)) {
        std::string word = *table.text(key);
        if (parameter.accepts(std::string_view(word))) return word;
        const std::vector<std::string> words(parameter.words.begin(), parameter.words.end());
        table.fail(key.name, fmt::format("must be {}{}", key.allowed(), did_you_mean(word, words)));
    }
    // A word that consists of digits, such as a year, needs no quotes if the parameter takes no
    // number.
    if (!parameter.number_allowed && table.has_whole_number(key.name)) {
        std::string word = std::to_string(*table.whole(plain(key.name, Kind::whole)));
        if (parameter.accepts(std::string_view(word))) return word;
    }
    refuse_no_restitution(table, law, key, parameter);
    if (const auto number = table.number(key)) return *number;
    if (!parameter.standard_word.empty()) return std::string(parameter.standard_word);
    if (parameter.standard) return *parameter.standard;
    table.fail(key.name, fmt::format("missing; {} needs {}", law, key.allowed()));
}

Key own_parameters_key() {
    return plain("parameters", Kind::table,
                 "law expression: numbers by name, in SI units, which the formulas read")
        .otherwise("none");
}

/// The parameters of a law that the user writes, and checks of its formulas.
void read_own(const TomlTable& table, laws::Settings& law, Reading& reading) {
    const Key all = own_parameters_key();
    if (const auto own = table.table(all.name)) {
        for (const std::string& name : own->names()) {
            const Key key = named(name, any_number("-"));
            law.values.emplace(std::string(laws::expression_parameters) + name,
                               own->needed_number(key));
        }
    } else if (table.has(all.name)) {
        table.fail(all.name, "must be a table of numbers, such as { k = 1e9, c = 0.2 }");
    }
    try {
        for (const std::string& name : laws::check_expression(law))
            reading.no_effect(table.key(fmt::format("{}.{}", all.name, name)),
                              "no formula reads it");
    } catch (const laws::ExpressionError& error) {
        table.fail(error.key, error.fault);
    }
}

template <class Catalogue, class Named>
laws::Settings read_settings(const TomlTable& table, const Catalogue& catalogue, Named named_law,
                             Reading& reading) {
    const auto parameters = parameters_of_all(catalogue);
    std::vector<std::string> known = {"name", "parameters"};
    for (const laws::Parameter* parameter : parameters)
        known.emplace_back(parameter->name);
    table.allow_only(known, law_key().renamed_children);
    const auto& law = named_law(table);
    laws::Settings settings{.name = law.name, .values = {}};
    for (const laws::Parameter& parameter : law.parameters) {
        const auto value =
            settings.values.emplace(parameter.name, read_value(table, law.name, parameter)).first;
        if (!parameter.is_file) continue;
        NamedFile file = reading.files.read(table, parameter.name);
        value->second = file.name;
        settings.file_texts.emplace(parameter.name, std::move(file.text));
    }
    if (law.name == laws::expression_name)
        read_own(table, settings, reading);
    else if (table.has("parameters"))
        reading.no_effect(table.key("parameters"), law.name + " does not take it");
    for (const laws::Parameter* parameter : parameters) {
        const std::string_view name = parameter->name;
        if (!table.has(name)) continue;
        if (!settings.values.contains(name)) {
            reading.no_effect(table.key(name), law.name + " does not take it");
        } else if (settings.is("damping", "none") &&
                   (name == "restitution" || name.ends_with("impact_speed"))) {
            reading.no_effect(table.key(name), "law.damping is \"none\"");
        }
    }
    return settings;
}

TomlTable law_table(const TomlTable& root, const char* kind) {
    return root.need(
        root.table("law"),
        plain("law", Kind::table)
            .needed(fmt::format("[law] with the name of a {} (beadwave laws lists all)", kind)));
}

}  // namespace

Key impulse_definition_key() {
    return named(
        "definition", words({"newton", "poisson", "stronge"}).otherwise("`\"stronge\"`"),
        "law impulse with friction, or where several contacts may close together: what its "
        "restitution is the ratio of. Newton's (speeds) may create energy with friction; Poisson's "
        "(impulses) and Stronge's (works) do not");
}

const Key& law_key() {
    static const Key law = [] {
        Key key = plain("law", Kind::table, "contact law").needed();
        key.renamed_children = {{"impact_speed_floor", "min_impact_speed"}};
        key.children = {name_key(), impulse_definition_key(), own_parameters_key()};
        for (const laws::Parameter& parameter : laws::rigid_law().parameters) {
            if (parameter.name.starts_with("solver_"))
                key.children.push_back(
                    named(parameter.name,
                          in_range(parameter).otherwise(fmt::format("{:g}", *parameter.standard)),
                          parameter.meaning));
        }
        // In a mechanism also "impulse", in a packing also "rigid".
        std::vector<std::string>& names =
            key.children[0].words = {"impulse", std::string(laws::rigid_name)};
        std::ranges::copy(laws::known_names(), std::back_inserter(names));
        for (const std::string& name : laws::known_line_names()) {
            if (std::ranges::find(names, name) == names.end()) names.push_back(name);
        }
        const auto add = [&](const auto& catalogue) {
            for (const laws::Parameter* parameter : parameters_of_all(catalogue)) {
                if (std::ranges::find(key.children, parameter->name, &Key::name) !=
                    key.children.end())
                    continue;
                key.children.push_back(parameter_key(*parameter));
            }
        };
        add(laws::catalogue());
        add(laws::line_catalogue());
        return key;
    }();
    return law;
}

laws::Settings read_law(const TomlTable& root, std::optional<double> impact_speed,
                        Reading& reading) {
    const TomlTable table = law_table(root, "law");
    laws::Settings settings = read_settings(table, laws::catalogue(), named_law, reading);
    if (table.has("min_impact_speed") && settings.values.contains("min_impact_speed") &&
        !settings.is("impact_speed", "per-contact")) {
        reading.no_effect("law.min_impact_speed", "law.impact_speed is not \"per-contact\"");
    }
    // For a single collision the initial approach speed is known.
    if (impact_speed && settings.is("impact_speed", "initial"))
        settings.values.insert_or_assign("impact_speed", *impact_speed);
    return settings;
}

/// Other numbers for parameters of the formula.
void change_own(const TomlTable& table, laws::Settings& law) {
    const std::string all(own_parameters_key().name);
    const auto own = table.table(all);
    if (!own) table.fail(all, "must be a table of numbers, such as { k = 1e9, c = 0.2 }");
    for (const std::string& name : own->names()) {
        const auto value = law.values.find(std::string(laws::expression_parameters) + name);
        if (value == law.values.end()) own->fail(name, "is no parameter of the formula in [law]");
        value->second = own->needed_number(named(name, any_number("-")));
    }
}

laws::Settings changed_law(const TomlTable& table, laws::Settings law, bool along_lines) {
    const std::span<const laws::Parameter> parameters =
        laws::is_rigid(law) ? std::span<const laws::Parameter>(laws::rigid_law().parameters)
        : along_lines ? std::span<const laws::Parameter>(laws::find_line(law.name)->parameters)
                      : std::span<const laws::Parameter>(laws::find(law.name)->parameters);
    for (const std::string& name : table.names()) {
        if (name == own_parameters_key().name && law.name == laws::expression_name) {
            change_own(table, law);
            continue;
        }
        const auto found = std::ranges::find(parameters, name, &laws::Parameter::name);
        auto value = law.values.find(name);
        if (found == parameters.end() || !std::holds_alternative<double>(value->second)) {
            std::vector<std::string> numbers;
            for (const auto& [known, own] : law.values) {
                if (std::holds_alternative<double>(own)) numbers.push_back(known);
            }
            table.fail(name, fmt::format("is no number of the law {} in [law]; it has {}", law.name,
                                         numbers.empty() ? "none" : comma_separated(numbers)));
        }
        value->second = table.needed_number(parameter_key(*found));
    }
    return law;
}

bool names_rigid(const TomlTable& root) {
    const auto table = root.table("law");
    if (!table || !table->has_text("name")) return false;
    return *table->text(plain("name", Kind::text)) == laws::rigid_name;
}

laws::Settings read_rigid_law(const TomlTable& root, Reading& reading) {
    const auto rigid = [](const TomlTable&) -> const laws::RigidLaw& { return laws::rigid_law(); };
    return read_settings(law_table(root, "law"), laws::catalogue(), rigid, reading);
}

laws::Settings read_line_law(const TomlTable& root, Reading& reading) {
    const TomlTable table = law_table(root, "line law");
    laws::Settings settings = read_settings(table, laws::line_catalogue(), named_line_law, reading);
    if (table.has("damping") && !settings.is("damping", "none") && !table.has("restitution"))
        table.fail("restitution", "missing; law.damping needs a number above 0 up to 1");
    return settings;
}

}  // namespace beadwave::io
