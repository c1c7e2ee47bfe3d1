#include "io/toml/toml_table.hpp"

#include "io/toml/retired_keys.hpp"
#include "io/toml/toml_text.hpp"

#include <algorithm>
#include <cmath>

namespace beadwave::io {

std::string dotted(std::string_view table, std::string_view name) {
    return table.empty() ? std::string(name) : fmt::format("{}.{}", table, name);
}

void TomlTable::allow_only(const std::vector<std::string>& known) const {
    // The first unknown key by line, not by name. Keys of --set have no line and come last.
    const auto line_of = [](const toml::node& value) { return value.source().begin.line; };
    std::optional<std::string_view> first;
    toml::source_index line = 0;
    for (const auto& entry : *table_) {
        const std::string_view name = entry.first.str();
        if (std::ranges::find(known, name) != known.end()) continue;
        const toml::source_index its_line = line_of(entry.second);
        if (first && its_line - 1 >= line - 1) continue;  // unsigned: line 0 is the largest
        first = name;
        line = its_line;
    }
    if (!first) return;
    std::string hint = did_you_mean(*first, known);
    if (hint.empty()) hint = "; known here: " + comma_separated(known);
    // The message leaves out the value: only the key is wrong.
    const std::string unknown = key(shortened(written_key(*first)));
    scenario::Origin place = *origin_;
    // A table that was merged from others has no lines of its own.
    place.set_place(unknown, line > 0 ? static_cast<int>(line) : origin_->line_of(key(*first)), "");
    const std::string new_key = new_key_of(key(*first));
    if (!new_key.empty()) place.fail(unknown, "is now called " + new_key);
    place.fail(unknown, "unknown key" + hint);
}

bool TomlTable::has_text(std::string_view name) const {
    const toml::node* value = find(name);
    return value != nullptr && value->is_string();
}

bool TomlTable::has_whole_number(std::string_view name) const {
    const toml::node* value = find(name);
    return value != nullptr && value->is_integer();
}

bool TomlTable::has_table(std::string_view name) const {
    const toml::node* value = find(name);
    return value != nullptr && value->is_table();
}

std::vector<std::string> TomlTable::names() const {
    std::vector<std::string> names;
    for (const auto& entry : *table_)
        names.emplace_back(entry.first.str());
    return names;
}

std::optional<double> TomlTable::number(std::string_view name, const laws::Parameter& range) const {
    const toml::node* value = find(name);
    if (value == nullptr) return std::nullopt;
    if (!value->is_number()) wrong_type(name, range.allowed());
    const double number = value->is_integer() ? static_cast<double>(value->as_integer()->get())
                                              : value->as_floating_point()->get();
    if (!std::isfinite(number)) fail(name, "must be finite: " + range.allowed());
    if (!range.accepts(number)) fail(name, "must be " + range.allowed());
    return number;
}

std::optional<std::int64_t> TomlTable::whole_number(std::string_view name, std::int64_t lowest,
                                                    std::int64_t highest) const {
    const toml::node* value = find(name);
    if (value == nullptr) return std::nullopt;
    const std::string allowed = fmt::format("a whole number from {} to {}", lowest, highest);
    if (value->is_floating_point())
        fail(name, fmt::format("must be {}, without a decimal point", allowed));
    if (!value->is_integer()) wrong_type(name, allowed);
    const std::int64_t number = value->as_integer()->get();
    if (number < lowest || number > highest) fail(name, "must be " + allowed);
    return number;
}

std::optional<std::vector<std::string>> TomlTable::texts(std::string_view name) const {
    const toml::node* value = find(name);
    if (value == nullptr) return std::nullopt;
    const toml::array* list = value->as_array();
    if (list == nullptr) wrong_type(name, "a list of strings");
    std::vector<std::string> texts;
    for (const toml::node& element : *list) {
        if (!element.is_string())
            fail(fmt::format("{}[{}]", name, texts.size()), "must be a string");
        texts.push_back(element.as_string()->get());
    }
    return texts;
}

std::optional<std::vector<double>> TomlTable::numbers(std::string_view name,
                                                      const laws::Parameter& range) const {
    const toml::node* value = find(name);
    if (value == nullptr) return std::nullopt;
    const toml::array* list = value->as_array();
    if (list == nullptr) wrong_type(name, "a list of numbers, such as [0.1, 0.0]");
    std::vector<double> numbers;
    for (const toml::node& element : *list) {
        const std::string place = fmt::format("{}[{}]", name, numbers.size());
        const auto number = element.value<double>();
        if (!number || !element.is_number()) fail(place, "must be " + range.allowed());
        if (!std::isfinite(*number)) fail(place, "must be finite: " + range.allowed());
        if (!range.accepts(*number)) fail(place, "must be " + range.allowed());
        numbers.push_back(*number);
    }
    return numbers;
}

std::optional<std::vector<std::int64_t>> TomlTable::whole_numbers(std::string_view name) const {
    const toml::node* value = find(name);
    if (value == nullptr) return std::nullopt;
    const toml::array* list = value->as_array();
    if (list == nullptr) wrong_type(name, "a list of whole numbers, such as [9, 16]");
    std::vector<std::int64_t> numbers;
    for (const toml::node& element : *list) {
        const std::string place = fmt::format("{}[{}]", name, numbers.size());
        if (element.is_floating_point())
            fail(place, "must be a whole number, without a decimal point");
        if (!element.is_integer())
            fail(place, fmt::format("must be a whole number, not {}", type_of(element)));
        numbers.push_back(element.as_integer()->get());
    }
    return numbers;
}

namespace {

std::string how_many(std::size_t least, std::size_t most) {
    return least == most ? fmt::format("{}", most) : fmt::format("{} or {}", least, most);
}

}  // namespace

std::optional<std::vector<double>> TomlTable::numbers(std::string_view name, std::size_t least,
                                                      std::size_t most,
                                                      std::string_view unit) const {
    const toml::node* value = find(name);
    if (value == nullptr) return std::nullopt;
    const std::string wanted =
        fmt::format("a list of {} numbers, in {}", how_many(least, most), unit);
    const toml::array* list = value->as_array();
    if (list == nullptr) wrong_type(name, wanted);
    if (list->size() < least || list->size() > most)
        fail(name, fmt::format("must be {}, not of {}", wanted, list->size()));
    std::vector<double> numbers;
    for (const toml::node& element : *list) {
        const std::string place = fmt::format("{}[{}]", name, numbers.size());
        if (!element.is_number())
            fail(place, fmt::format("must be a number, in {}, not {}", unit, type_of(element)));
        const double number = *element.value<double>();
        if (!std::isfinite(number)) fail(place, fmt::format("must be finite, in {}", unit));
        numbers.push_back(number);
    }
    return numbers;
}

std::optional<std::vector<bool>> TomlTable::flags(std::string_view name, std::size_t least,
                                                  std::size_t most) const {
    const toml::node* value = find(name);
    if (value == nullptr) return std::nullopt;
    const std::string wanted = fmt::format("a list of {} of true and false", how_many(least, most));
    const toml::array* list = value->as_array();
    if (list == nullptr) wrong_type(name, wanted);
    if (list->size() < least || list->size() > most)
        fail(name, fmt::format("must be {}, not of {}", wanted, list->size()));
    std::vector<bool> flags;
    for (const toml::node& element : *list) {
        if (!element.is_boolean()) {
            fail(fmt::format("{}[{}]", name, flags.size()),
                 fmt::format("must be true or false, not {}", type_of(element)));
        }
        flags.push_back(element.as_boolean()->get());
    }
    return flags;
}

std::optional<std::string> TomlTable::text(std::string_view name, std::string_view wanted) const {
    const toml::node* value = find(name);
    if (value == nullptr) return std::nullopt;
    if (!value->is_string()) wrong_type(name, wanted);
    return value->as_string()->get();
}

std::optional<bool> TomlTable::flag(std::string_view name) const {
    const toml::node* value = find(name);
    if (value == nullptr) return std::nullopt;
    if (!value->is_boolean()) wrong_type(name, "true or false");
    return value->as_boolean()->get();
}

std::optional<TomlTable> TomlTable::table(std::string_view name) const {
    const toml::node* value = find(name);
    if (value == nullptr) return std::nullopt;
    if (!value->is_table()) wrong_type(name, fmt::format("a table, such as [{}]", key(name)));
    return TomlTable(*value->as_table(), key(name), *origin_);
}

std::optional<std::vector<TomlTable>> TomlTable::tables(std::string_view name) const {
    const toml::node* value = find(name);
    if (value == nullptr) return std::nullopt;
    const std::string wanted = key_.empty()
                                   ? fmt::format("a list of tables, each headed [[{}]]", name)
                                   : "a list of tables, such as [{ ... }, { ... }]";
    const toml::array* list = value->as_array();
    if (list == nullptr) wrong_type(name, wanted);
    std::vector<TomlTable> tables;
    for (const toml::node& element : *list) {
        const std::size_t index = tables.size();
        if (!element.is_table()) {
            fail(fmt::format("{}[{}]", name, index),
                 fmt::format("must be a table, not {}", type_of(element)));
        }
        tables.emplace_back(*element.as_table(), fmt::format("{}.{}", key(name), index), *origin_);
    }
    return tables;
}

void TomlTable::wrong_type(std::string_view name, std::string_view wanted) const {
    fail(name, fmt::format("must be {}, not {}", wanted, type_of(*find(name))));
}

}  // namespace beadwave::io
