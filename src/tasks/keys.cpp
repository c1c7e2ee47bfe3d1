#include "tasks/keys.hpp"

#include "beadwave/input_error.hpp"
#include "jobs/keys.hpp"
#include "jobs/subject.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace beadwave::tasks {
namespace {

using io::Key;
using io::Kind;
using jobs::ListedKey;
using nlohmann::ordered_json;

/// "segment.0.radius" and "segment.N.radius" give "segment.radius".
std::string without_numbers(const std::string& path) {
    std::string text;
    for (std::size_t from = 0; from <= path.size();) {
        const std::size_t to = std::min(path.find('.', from), path.size());
        const std::string part = path.substr(from, to - from);
        const bool number = part == "N" || part == "NAME" ||
                            part.find_first_not_of("0123456789") == std::string::npos;
        if (!number) text += (text.empty() ? "" : ".") + part;
        from = to + 1;
    }
    return text;
}

std::vector<ListedKey> selected(const std::string& name) {
    std::vector<ListedKey> all = jobs::listed_keys();
    if (name.empty()) return all;
    const std::string wanted = without_numbers(name);
    std::vector<std::string> known;
    std::vector<ListedKey> found, ending;
    for (ListedKey& each : all) {
        const std::string path = without_numbers(each.path);
        known.push_back(path);
        known.push_back(path.substr(0, path.find('.')));
        const bool inside = path == wanted || path.starts_with(wanted + ".");
        if (inside || std::ranges::find(each.kinds, name) != each.kinds.end())
            found.push_back(std::move(each));
        else if (path.ends_with("." + wanted))
            ending.push_back(std::move(each));
    }
    if (!found.empty()) return found;
    if (!ending.empty()) return ending;
    for (const jobs::Announcement& subject : jobs::announced_subjects()) {
        if (name != subject.name && name != subject.table) continue;
        if (jobs::find_subject(subject.name) == nullptr)
            throw InputError(fmt::format("{}: {}", name, jobs::built_without(subject)));
    }
    throw InputError(fmt::format("there is no key \"{}\"{} (beadwave keys lists all)",
                                 shortened(name), did_you_mean(wanted, known)));
}

/// The unit with exponents as docs have them.
std::string unit_of(const Key& key) {
    std::string unit(key.unit());
    for (const auto& [power, sign] : {std::pair{"^2", "²"}, {"^3", "³"}}) {
        const std::size_t place = unit.find(power);
        if (place != std::string::npos) unit.replace(place, 2, sign);
    }
    return unit;
}

// ---- JSON schema ----

ordered_json schema_of(const std::vector<Key>& keys);

ordered_json list_of(ordered_json items) {
    return {{"type", "array"}, {"items", std::move(items)}};
}

ordered_json number_schema(const laws::Parameter& limits) {
    ordered_json json{{"type", "number"}};
    if (std::isfinite(limits.lowest))
        json[limits.lowest_allowed ? "minimum" : "exclusiveMinimum"] = limits.lowest;
    if (std::isfinite(limits.highest)) json["maximum"] = limits.highest;
    return json;
}

ordered_json whole_schema(const Key& key) {
    ordered_json json{{"type", "integer"}};
    if (key.lowest != Key::no_limit.min()) json["minimum"] = key.lowest;
    if (key.highest != Key::no_limit.max()) json["maximum"] = key.highest;
    return json;
}

ordered_json value_schema(const Key& key) {
    // Laws differ in the range and in the words of a parameter.
    if (key.from_catalogue) return {{"type", {"number", "string", "integer"}}};
    const bool of_laws = !key.children.empty() && key.children.back().from_catalogue;
    if (of_laws) return {{"allOf", {{{"$ref", "#/definitions/law"}}}}};
    if (key.or_word) {
        Key table = key;
        table.or_word = false;
        return {{"anyOf", {{{"enum", key.words}}, value_schema(table)}}};
    }
    switch (key.kind) {
        case Kind::number:
            return number_schema(key.limits);
        case Kind::whole:
            return whole_schema(key);
        case Kind::flag:
            return {{"type", "boolean"}};
        case Kind::numbers:
            return list_of(number_schema(key.limits));
        case Kind::wholes:
            return list_of(whole_schema(key));
        case Kind::flags:
            return list_of({{"type", "boolean"}});
        case Kind::texts:
            return list_of({{"type", "string"}});
        case Kind::points:
            return list_of(list_of(number_schema(key.limits)));
        case Kind::table:
            if (key.children.empty())  // numbers by any name
                return {{"type", "object"}, {"additionalProperties", {{"type", "number"}}}};
            return schema_of(key.children);
        case Kind::tables:
            return list_of(schema_of(key.children));
        case Kind::named_tables:
            return {{"type", "object"}, {"additionalProperties", schema_of(key.children)}};
        case Kind::word:
        case Kind::text:
        case Kind::material:
        case Kind::file:
            break;
    }
    if (key.words.empty()) return {{"type", "string"}};
    return {{"enum", key.words}};
}

ordered_json schema_of(const std::vector<Key>& keys) {
    ordered_json json{{"type", "object"}, {"additionalProperties", false}};
    ordered_json& properties = json["properties"] = ordered_json::object();
    ordered_json required = ordered_json::array();
    for (const Key& key : keys) {
        // A key may belong to several kinds of a table. It may be a list in one, a table in
        // another.
        const std::string name(key.name);
        ordered_json value = value_schema(key);
        if (properties.contains(name)) {
            ordered_json& known = properties[name];
            if (known.value("type", ordered_json()) == value.value("type", ordered_json()))
                continue;
            if (known.contains("anyOf") || known.contains("enum") || value.contains("enum"))
                continue;
            known = {{"anyOf", {known, value}}};
            continue;
        }
        if (!key.meaning.empty())
            value["description"] = fmt::format("{}{}", key.meaning, io::in_unit(key.unit()));
        if (ordered_json::accept(key.standard))
            value["default"] = ordered_json::parse(key.standard);
        properties[name] = std::move(value);
        if (key.required && key.standard_text.empty() && key.only_with.empty())
            required.push_back(name);
    }
    if (!required.empty()) json["required"] = std::move(required);
    return json;
}

}  // namespace

std::string keys_text(const std::string& name) {
    std::string text, heading;
    for (const ListedKey& each : selected(name)) {
        const std::string now = fmt::format("{}: {}", each.kinds.front(), each.section);
        if (now != heading) text += "\n" + now + "\n";
        heading = now;
        const std::string unit =
            each.key.unit().empty() ? "" : fmt::format(" [{}]", each.key.unit());
        text +=
            fmt::format("  {}{}\n      {}\n      {}; default: {}; for {}\n", each.path, unit,
                        each.meaning, each.key.range(), each.standard, fmt::join(each.kinds, ", "));
    }
    return text.substr(1);
}

ordered_json keys_json(const std::string& name) {
    ordered_json list = ordered_json::array();
    for (const ListedKey& each : selected(name)) {
        list.push_back({{"key", each.path},
                        {"type", each.key.type()},
                        {"unit", each.key.unit()},
                        {"range", each.key.range()},
                        {"needed", each.key.required && each.key.standard_text.empty()},
                        {"default", each.standard},
                        {"meaning", each.meaning},
                        {"scenarios", each.kinds}});
        if (!each.key.words.empty()) list.back()["words"] = each.key.words;
    }
    return {{"keys", list}};
}

std::string keys_markdown() {
    std::string text, heading;
    for (const ListedKey& each : jobs::listed_keys()) {
        const std::string now = fmt::format("{}: {}", each.kinds.front(), each.section);
        if (now != heading) {
            text += fmt::format(
                "{}<!-- {} -->\n\n| key | unit | range | default | meaning |\n| --- | --- | --- | "
                "--- | --- |\n",
                text.empty() ? "" : "\n", now);
        }
        heading = now;
        text += fmt::format("| `{}` | {} | {} | {} | {} |\n", each.path, unit_of(each.key),
                            each.key.range(), each.standard, each.meaning);
    }
    return text;
}

ordered_json keys_schema() {
    // The first kind is what has the table of no other one.
    ordered_json schema;
    const auto& kinds = jobs::kinds_of_scenarios();
    for (const auto& kind : kinds) {
        ordered_json own = schema_of(kind.keys);
        if (schema.is_null()) {
            schema = std::move(own);
            continue;
        }
        ordered_json condition{{"required", {kind.table}}};
        if (kind.timeless) condition["not"] = {{"required", {"time"}}};
        schema = {{"if", condition}, {"then", std::move(own)}, {"else", std::move(schema)}};
    }
    ordered_json whole{{"$schema", "http://json-schema.org/draft-07/schema#"},
                       {"title", "a scenario or a collision case of beadwave"}};
    const auto& first = kinds.front().keys;
    whole["definitions"]["law"] = schema_of(std::ranges::find(first, "law", &Key::name)->children);
    whole.update(schema);
    return whole;
}

}  // namespace beadwave::tasks
