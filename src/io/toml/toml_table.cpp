#include "io/toml/toml_table.hpp"

#include "io/toml/toml_text.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <cmath>

namespace beadwave::io {
namespace {

std::string numbered(std::string_view list, std::size_t index) {
    return fmt::format("{}[{}]", list, index);
}

}  // namespace

std::string dotted(std::string_view table, std::string_view name) {
    return table.empty() ? std::string(name) : fmt::format("{}.{}", table, name);
}

void TomlTable::allow_only(const std::vector<std::string>& known, const Renamed& renamed) const {
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
    const auto found = std::ranges::find(renamed, *first, &Renamed::value_type::first);
    if (found == renamed.end()) place.fail(unknown, "unknown key" + hint);
    const std::string_view now = found->second;
    const bool elsewhere = now.find('.') != std::string_view::npos;
    place.fail(unknown, "is now called " + (elsewhere ? std::string(now) : key(now)));
}

bool TomlTable::has(std::string_view name) const {
    return table_->contains(name);
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

std::string TomlTable::key(std::string_view name) const {
    return dotted(key_, name);
}

double TomlTable::needed_number(const Key& key) const {
    return need(number(key), key);
}

void TomlTable::fail(std::string_view name, std::string_view message) const {
    origin_->fail(key(name), message);
}

void TomlTable::fail_missing(const Key& key) const {
    fail(key.name, fmt::format("missing; give {}", key.wanted()));
}

const toml::node* TomlTable::find(std::string_view name) const {
    return table_->get(name);
}

void TomlTable::check_type(const toml::node& node, bool right, std::string_view place,
                           std::string_view wanted) const {
    if (!right) fail(place, fmt::format("must be {}, not {}", wanted, type_of(node)));
}

double TomlTable::number_at(const toml::node& node, std::string_view place, const Key& key) const {
    const std::string allowed = key.limits.allowed();
    check_type(node, node.is_number(), place, allowed);
    const double number = *node.value<double>();
    if (!std::isfinite(number)) fail(place, "must be finite: " + allowed);
    if (!key.limits.accepts(number)) fail(place, "must be " + allowed);
    return number;
}

std::int64_t TomlTable::whole_at(const toml::node& node, std::string_view place,
                                 const Key& key) const {
    const std::string allowed = key.allowed_whole();
    if (node.is_floating_point())
        fail(place, fmt::format("must be {}, without a decimal point", allowed));
    check_type(node, node.is_integer(), place, allowed);
    const std::int64_t number = node.as_integer()->get();
    if (number < key.lowest || number > key.highest) fail(place, "must be " + allowed);
    return number;
}

bool TomlTable::flag_at(const toml::node& node, std::string_view place) const {
    check_type(node, node.is_boolean(), place, "true or false");
    return node.as_boolean()->get();
}

std::string TomlTable::text_at(const toml::node& node, std::string_view place,
                               std::string_view wanted) const {
    check_type(node, node.is_string(), place, wanted);
    return node.as_string()->get();
}

std::optional<std::vector<const toml::node*>> TomlTable::elements(const Key& key, std::size_t least,
                                                                  std::size_t most) const {
    const toml::node* list = find(key.name);
    if (list == nullptr) return std::nullopt;
    const std::string wanted = key.allowed(least, most);
    check_type(*list, list->is_array(), key.name, wanted);
    std::vector<const toml::node*> nodes;
    for (const toml::node& node : *list->as_array())
        nodes.push_back(&node);
    if (nodes.size() < least || nodes.size() > most) {
        const bool own = !key.expected.empty();
        fail(key.name, fmt::format("must be {}{}", wanted,
                                   own ? "" : fmt::format(", not of {}", nodes.size())));
    }
    return nodes;
}

std::optional<double> TomlTable::number(const Key& key) const {
    const toml::node* node = find(key.name);
    return node == nullptr ? std::nullopt : std::optional(number_at(*node, key.name, key));
}

std::optional<std::int64_t> TomlTable::whole(const Key& key) const {
    const toml::node* node = find(key.name);
    return node == nullptr ? std::nullopt : std::optional(whole_at(*node, key.name, key));
}

std::optional<bool> TomlTable::flag(const Key& key) const {
    const toml::node* node = find(key.name);
    return node == nullptr ? std::nullopt : std::optional(flag_at(*node, key.name));
}

std::optional<std::string> TomlTable::text(const Key& key) const {
    const toml::node* node = find(key.name);
    return node == nullptr ? std::nullopt : std::optional(text_at(*node, key.name, key.allowed()));
}

std::optional<std::size_t> TomlTable::word(const Key& key) const {
    const auto word = text(key);
    if (!word) return std::nullopt;
    for (std::size_t i = 0; i < key.words.size(); ++i) {
        if (*word == key.words[i]) return i;
    }
    for (const auto& [old_word, now] : key.renamed_words) {
        if (*word == old_word) fail(key.name, fmt::format("is now \"{}\"", now));
    }
    fail(key.name, fmt::format("must be {}{}", key.allowed(), did_you_mean(*word, key.words)));
}

std::optional<std::vector<double>> TomlTable::numbers(const Key& key, std::size_t least,
                                                      std::size_t most) const {
    const auto nodes = elements(key, least, most);
    if (!nodes) return std::nullopt;
    std::vector<double> numbers;
    for (const toml::node* node : *nodes)
        numbers.push_back(number_at(*node, numbered(key.name, numbers.size()), key));
    return numbers;
}

std::optional<std::vector<bool>> TomlTable::flags(const Key& key, std::size_t least,
                                                  std::size_t most) const {
    const auto nodes = elements(key, least, most);
    if (!nodes) return std::nullopt;
    std::vector<bool> flags;
    for (const toml::node* node : *nodes)
        flags.push_back(flag_at(*node, numbered(key.name, flags.size())));
    return flags;
}

std::optional<std::vector<std::string>> TomlTable::texts(const Key& key, std::size_t least,
                                                         std::size_t most) const {
    const auto nodes = elements(key, least, most);
    if (!nodes) return std::nullopt;
    std::vector<std::string> texts;
    for (const toml::node* node : *nodes)
        texts.push_back(text_at(*node, numbered(key.name, texts.size()), "a string"));
    return texts;
}

std::optional<std::vector<std::array<double, 2>>> TomlTable::points(const Key& key) const {
    const auto nodes = elements(key, 0, SIZE_MAX);
    if (!nodes) return std::nullopt;
    std::vector<std::array<double, 2>> points;
    for (const toml::node* node : *nodes) {
        const std::string place = numbered(key.name, points.size());
        const toml::array* pair = node->as_array();
        check_type(*node, pair != nullptr && pair->size() == 2, place,
                   "[x, y]" + in_unit(key.limits.unit));
        points.push_back({number_at((*pair)[0], numbered(place, 0), key),
                          number_at((*pair)[1], numbered(place, 1), key)});
    }
    return points;
}

std::optional<std::vector<std::vector<double>>> TomlTable::lists(const Key& key,
                                                                 std::size_t numbers,
                                                                 std::string_view wanted) const {
    const auto nodes = elements(key, 0, SIZE_MAX);
    if (!nodes) return std::nullopt;
    std::vector<std::vector<double>> lists;
    for (const toml::node* node : *nodes) {
        const std::string place = numbered(key.name, lists.size());
        const toml::array* list = node->as_array();
        check_type(*node, list != nullptr && list->size() == numbers, place, wanted);
        std::vector<double>& next = lists.emplace_back();
        for (const toml::node& number : *list)
            next.push_back(number_at(number, numbered(place, next.size()), key));
    }
    return lists;
}

std::optional<std::vector<std::int64_t>> TomlTable::wholes(const Key& key) const {
    const auto nodes = elements(key, 0, SIZE_MAX);
    if (!nodes) return std::nullopt;
    std::vector<std::int64_t> numbers;
    for (const toml::node* node : *nodes)
        numbers.push_back(whole_at(*node, numbered(key.name, numbers.size()), key));
    return numbers;
}

std::optional<TomlTable> TomlTable::table(std::string_view name) const {
    const toml::node* node = find(name);
    if (node == nullptr) return std::nullopt;
    check_type(*node, node->is_table(), name, fmt::format("a table, such as [{}]", key(name)));
    return TomlTable(*node->as_table(), key(name), *origin_);
}

std::optional<std::vector<TomlTable>> TomlTable::tables(std::string_view name) const {
    const std::string expected = key_.empty()
                                     ? fmt::format("a list of tables, each headed [[{}]]", name)
                                     : "a list of tables, such as [{ ... }, { ... }]";
    const auto nodes = elements(plain(name, Kind::tables).expects(expected), 0, SIZE_MAX);
    if (!nodes) return std::nullopt;
    std::vector<TomlTable> tables;
    for (const toml::node* node : *nodes) {
        const std::size_t index = tables.size();
        check_type(*node, node->is_table(), numbered(name, index), "a table");
        tables.emplace_back(*node->as_table(), fmt::format("{}.{}", key(name), index), *origin_);
    }
    return tables;
}

std::shared_ptr<const toml::table> TomlTable::merged(std::string_view name,
                                                     const TomlTable& over) const {
    toml::table both = *find(name)->as_table();
    for (const auto& [key, value] : *over.find(name)->as_table())
        both.insert_or_assign(key, value);
    auto holder = std::make_shared<toml::table>();
    holder->insert(name, std::move(both));
    return holder;
}

}  // namespace beadwave::io
