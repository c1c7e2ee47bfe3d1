#include "io/toml/key.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <utility>

namespace beadwave::io {
namespace {

/// `"free", "wall" or "fixed"`.
std::string one_of(const std::vector<std::string>& words) {
    std::string text;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const char* separator = i == 0 ? "" : i + 1 == words.size() ? " or " : ", ";
        text += fmt::format("{}\"{}\"", separator, words[i]);
    }
    return text;
}

/// `"free"`, `"wall"`.
std::string joined_words(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words)
        text += fmt::format("{}`\"{}\"`", text.empty() ? "" : ", ", word);
    return text;
}

std::string number_range(const laws::Parameter& limits) {
    const bool below = std::isfinite(limits.lowest), above = std::isfinite(limits.highest);
    if (!below && !above) return "any";
    const std::string lowest = fmt::format("{:g}", limits.lowest);
    if (!above) return fmt::format("{} {}", limits.lowest_allowed ? "from" : "above", lowest);
    if (!below) return fmt::format("up to {:g}", limits.highest);
    return limits.lowest_allowed ? fmt::format("{} to {:g}", lowest, limits.highest)
                                 : fmt::format("above {}, up to {:g}", lowest, limits.highest);
}

/// The texts of a kind: what it is called, what a value must be for messages, and its range.
struct KindTexts {
    std::string_view type, allowed, range;
};
constexpr std::array<KindTexts, 15> kind_texts{{
    {"number", "a number", "any"},
    {"whole number", "a whole number", "whole"},
    {"true or false", "true or false", "`true`, `false`"},
    {"text", "a string", "text"},
    {"word", "a word", "word"},
    {"material", "the name of a material in quotes", "name of a material"},
    {"file", "the path of a CSV file", "path of a CSV file"},
    {"numbers", "a list of {} numbers", "list of numbers"},
    {"whole numbers", "a list of whole numbers, such as [9, 16]", "list of whole numbers"},
    {"flags", "a list of {} of true and false", "list of `true` and `false`"},
    {"texts", "a list of {} strings", "list of texts"},
    {"points", "a list of points [x, y]", "list of `[x, y]`"},
    {"table", "[{}]", "table"},
    {"tables", "at least one [[{}]]", "tables"},
    {"tables by name", "at least one [{}.NAME]", "tables"},
}};
const KindTexts& texts_of(Kind kind) {
    return kind_texts[static_cast<std::size_t>(kind)];
}

}  // namespace

Key::Key() = default;
Key::Key(const Key&) = default;
Key::Key(Key&&) noexcept = default;
Key& Key::operator=(const Key&) = default;
Key& Key::operator=(Key&&) noexcept = default;
Key::~Key() = default;

Key& Key::needed(std::string_view what) {
    required = true;
    if (!what.empty()) given = what;
    return *this;
}

Key& Key::optional() {
    required = false;
    return *this;
}

Key& Key::expects(std::string_view text) {
    expected = text;
    return *this;
}

Key& Key::ranges(std::string_view text) {
    range_text = text;
    return *this;
}

Key& Key::otherwise(std::string_view text) {
    standard_text = text;
    return *this;
}

Key& Key::under(std::string_view heading) {
    section = heading;
    return *this;
}

Key& Key::like(std::string_view key) {
    same_as = key;
    return *this;
}

Key& Key::renamed(Renamed old_and_new) {
    renamed_words = std::move(old_and_new);
    return *this;
}

std::string in_unit(std::string_view unit) {
    return unit.empty() || unit == "-" ? "" : fmt::format(", in {}", unit);
}

std::string_view Key::type() const {
    return texts_of(kind).type;
}

std::string Key::allowed() const {
    if (!expected.empty()) return expected;
    if (kind == Kind::number) return limits.allowed();
    if (kind == Kind::whole) return allowed_whole();
    if (kind == Kind::word) return one_of(words);
    return fmt::format(fmt::runtime(texts_of(kind).allowed), name);
}

std::string Key::allowed(std::size_t least, std::size_t most) const {
    if (!expected.empty()) return expected;
    const std::string count =
        least == most ? fmt::format("{}", most) : fmt::format("{} or {}", least, most);
    return fmt::format(fmt::runtime(texts_of(kind).allowed), count) + in_unit(limits.unit);
}

std::string Key::allowed_whole() const {
    if (lowest == no_limit.min()) return "a whole number";
    return fmt::format("a whole number from {} to {}", lowest, highest);
}

std::string Key::range() const {
    if (!range_text.empty()) return range_text;
    if (kind == Kind::number) return number_range(limits);
    if (kind == Kind::word) return joined_words(words);
    if (kind != Kind::whole) return std::string(texts_of(kind).range);
    return highest == no_limit.max() ? fmt::format("whole, from {}", lowest)
                                     : fmt::format("whole, {} to {}", lowest, highest);
}

std::string Key::standard_in(std::string_view table) const {
    if (!standard_text.empty()) return standard_text;
    if (required) return table.empty() ? "needed" : fmt::format("needed in `[{}]`", table);
    if (standard.empty()) return "none";
    const bool plain = kind == Kind::number || kind == Kind::whole || kind == Kind::numbers;
    return plain ? standard : fmt::format("`{}`", standard);
}

Key of(Kind kind) {
    Key key;
    key.kind = kind;
    return key;
}

Key in_range(const laws::Parameter& limits) {
    Key key = of(Kind::number);
    key.limits = limits;
    return key;
}

Key any_number(std::string_view unit) {
    return in_range({.name = {}, .unit = unit, .meaning = {}});
}

Key from_zero(std::string_view unit) {
    return in_range({.name = {}, .unit = unit, .meaning = {}, .lowest = 0.0});
}

Key above_zero(std::string_view unit) {
    Key key = from_zero(unit);
    key.limits.lowest_allowed = false;
    return key;
}

Key between(double lowest, double highest) {
    return in_range({.name = {}, .unit = "-", .meaning = {}, .lowest = lowest, .highest = highest});
}

Key whole(std::int64_t lowest, std::int64_t highest) {
    Key key = of(Kind::whole);
    key.lowest = lowest;
    key.highest = highest;
    return key;
}

Key words(std::vector<std::string> words) {
    Key key = of(Kind::word);
    key.words = std::move(words);
    return key;
}

Key words(std::initializer_list<std::string_view> list) {
    return words(std::vector<std::string>(list.begin(), list.end()));
}

Key material() {
    Key key = of(Kind::material);
    key.given = "the name of a material";
    return key;
}

Key vector3(std::string_view unit) {
    Key key = any_number(unit);
    key.kind = Kind::numbers;
    key.given = "three numbers" + in_unit(unit);
    return key.ranges("vector");
}

Key vector2(std::string_view unit) {
    Key key = any_number(unit);
    key.kind = Kind::numbers;
    key.given = "[x, y]" + in_unit(unit);
    return key.ranges("[x, y]");
}

Key named(std::string_view name, Key value, std::string_view meaning) {
    value.name = name;
    value.meaning = meaning;
    return value;
}

Key plain(std::string_view name, Kind kind, std::string_view meaning) {
    return named(name, of(kind), meaning);
}

}  // namespace beadwave::io
