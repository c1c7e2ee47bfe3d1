#include "io/toml/toml_hints.hpp"

#include "base/trimmed.hpp"
#include "beadwave/input_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

namespace beadwave::io {
namespace {

std::string_view line_of(std::string_view text, std::size_t line) {
    for (; line > 1; --line) {
        const std::size_t end = text.find('\n');
        if (end == std::string_view::npos) return {};
        text.remove_prefix(end + 1);
    }
    return text.substr(0, text.find('\n'));
}

/// A word that begins with a letter and is no value of TOML.
bool is_bare_word(std::string_view word) {
    constexpr std::array values{"true", "false", "inf", "nan"};
    const auto part_of_word = [](unsigned char c) {
        return std::isalnum(c) != 0 || c == '-' || c == '_' || c == '.' || c == '/';
    };
    return !word.empty() && std::isalpha(static_cast<unsigned char>(word.front())) != 0 &&
           std::ranges::all_of(word, part_of_word) &&
           std::ranges::find(values, word) == values.end();
}

/// key = word
std::string quotes(std::string_view line) {
    const std::size_t equals = line.find('=');
    if (equals == std::string_view::npos) return {};
    const std::string_view key = trimmed(line.substr(0, equals));
    const std::string_view after = line.substr(equals + 1);
    const std::string_view word = trimmed(after.substr(0, after.find('#')));
    if (!is_bare_word(word)) return {};
    for (const std::string_view value : {"true", "false"}) {
        const auto same = [](char a, char b) { return std::tolower(a) == b; };
        if (std::ranges::equal(word, value, same))
            return fmt::format("; did you mean {} = {}?", shortened(key), value);
    }
    return fmt::format("; did you mean {} = \"{}\"? A text has quotes", shortened(key),
                       shortened(word));
}

/// key = "text without its second quote
std::string closing_quote(std::string_view line) {
    const std::size_t equals = line.find('=');
    if (equals == std::string_view::npos || line.find('\\') != std::string_view::npos) return {};
    bool in_text = false;
    for (const char c : line) {
        if (c == '#' && !in_text) break;
        if (c == '"') in_text = !in_text;
    }
    if (!in_text) return {};
    return "; did you mean to end the text with a quote?";
}

/// key = 1,5 and key = 1.5 mm and key = 1, 2
std::string plain_number(std::string_view line) {
    const std::size_t equals = line.find('=');
    if (equals == std::string_view::npos) return {};
    const std::string_view after = line.substr(equals + 1);
    const std::string_view value = trimmed(after.substr(0, after.find('#')));
    const std::size_t end = std::min(value.find_first_not_of("+-0123456789._eE"), value.size());
    const std::string_view rest = trimmed(value.substr(end));
    if (value.empty() || rest.empty() || value.find_first_of("0123456789") >= end) return {};
    const std::string_view key = trimmed(line.substr(0, equals));
    if (rest.front() == ',') {
        constexpr const char* digits = "0123456789";
        const std::string_view whole = value.substr(0, end), part = value.substr(end + 1);
        const bool one_number = whole.find_first_not_of("+-0123456789") == whole.npos &&
                                !part.empty() && part.find_first_not_of(digits) == part.npos;
        if (!one_number)
            return fmt::format("; did you mean {} = [ ... ]? A list has brackets", shortened(key));
        return fmt::format("; did you mean {} = {}.{}? Numbers have a point", shortened(key),
                           shortened(value.substr(0, end)), shortened(trimmed(rest.substr(1))));
    }
    if (!is_bare_word(rest)) return {};
    return fmt::format("; numbers have no unit; expected {} in SI units, as a number alone",
                       shortened(key));
}

/// Where the table is that is there twice, below the last head of the list that it belongs to.
std::string first_table(std::string_view text, std::string_view name, std::size_t before) {
    const std::string head = fmt::format("[[{}]]", name.substr(0, name.rfind('.')));
    for (std::size_t line = before - 1; line > 0; --line) {
        const std::string_view own = trimmed(line_of(text, line));
        if (own.starts_with(head)) break;
        if (own.starts_with(fmt::format("[{}]", name)))
            return fmt::format("; the first one is in line {}", line);
    }
    return {};
}

/// Two tables of one name that scenarios have as a list.
std::string double_brackets(std::string_view text, std::size_t line, std::string_view what) {
    constexpr std::array lists{"segment", "foundation",     "resonator", "load",  "drive",
                               "bond",    "pair_force",     "particles", "wall",  "pair",
                               "exit",    "body",           "joint",     "force", "torque",
                               "spring",  "torsion_spring", "contact"};
    constexpr std::string_view start = "cannot redefine existing table '";
    const std::size_t at = what.find(start);
    if (at == std::string_view::npos) return {};
    const std::string_view rest = what.substr(at + start.size());
    const std::string_view name = rest.substr(0, rest.find('\''));
    if (std::ranges::find(lists, name) == lists.end()) return first_table(text, name, line);
    return fmt::format(
        "; did you mean [[{}]]? Tables of which there may be several have double "
        "brackets",
        name);
}

}  // namespace

std::string toml_hint(std::string_view text, std::size_t line, std::string_view what) {
    const std::string_view own = line_of(text, line);
    for (const std::string& hint :
         {double_brackets(text, line, what), closing_quote(own), plain_number(own), quotes(own)}) {
        if (!hint.empty()) return hint;
    }
    return {};
}

}  // namespace beadwave::io
