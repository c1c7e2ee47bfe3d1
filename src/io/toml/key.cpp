#include "io/toml/key.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <cmath>

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

std::string number_range(const laws::Parameter& limits) {
    const bool below = std::isfinite(limits.lowest), above = std::isfinite(limits.highest);
    if (!below && !above) return "any";
    const std::string lowest = fmt::format("{:g}", limits.lowest);
    if (!above) return fmt::format("{} {}", limits.lowest_allowed ? "from" : "above", lowest);
    if (!below) return fmt::format("up to {:g}", limits.highest);
    return limits.lowest_allowed ? fmt::format("{} to {:g}", lowest, limits.highest)
                                 : fmt::format("above {}, up to {:g}", lowest, limits.highest);
}

/// By kind: what it is called, what a value must be for messages, and its range.
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
    if (kind == Kind::word) return fmt::format("`\"{}\"`", fmt::join(words, "\"`, `\""));
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

}  // namespace beadwave::io
