#include "io/toml/toml_text.hpp"

#include "beadwave/input_error.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <charconv>
#include <new>
#include <sstream>
#include <system_error>
#include <utility>

namespace beadwave::io {
namespace {

std::string in_quotes(std::string_view text) {
    std::string result = "\"";
    for (const char c : text) {
        const auto code = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\') {
            result += {'\\', c};
        } else if (code < 0x20 || code == 0x7f) {
            result += fmt::format("\\u{:04X}", code);
        } else {
            result += c;
        }
    }
    return result + '"';
}

std::string written(double number) {
    std::string text = fmt::format("{}", number);
    if (text.find_first_of(".en") == std::string::npos)
        text += ".0";  // otherwise TOML reads it as an integer
    return text;
}

/// The keys and values of a table, sorted by line; those without a line (--set) come last.
std::vector<std::pair<std::string, const toml::node*>> in_file_order(const toml::table& table) {
    std::vector<std::pair<std::string, const toml::node*>> entries;
    for (const auto& [key, value] : table)
        entries.emplace_back(written_key(key.str()), &value);
    std::ranges::stable_sort(entries, {}, [](const auto& entry) {
        return entry.second->source().begin.line - 1;  // unsigned: line 0 becomes the largest
    });
    return entries;
}

bool is_block(const toml::node& value) {
    const auto block = [](const toml::node& node) {
        return node.is_table() && !node.as_table()->is_inline();
    };
    const toml::array* list = value.as_array();
    return block(value) || (list != nullptr && !list->empty() && std::ranges::all_of(*list, block));
}

/// [material] is not needed if it contains only tables such as [material.steel].
bool needs_heading(const toml::table& table) {
    return table.empty() || !std::all_of(table.begin(), table.end(),
                                         [](const auto& e) { return is_block(e.second); });
}

/// Plain values come first: a key after a heading would belong to the table of that heading.
void write(const toml::table& table, const std::string& heading, std::string& out) {
    const auto entries = in_file_order(table);
    for (const auto& [key, value] : entries) {
        if (!is_block(*value)) out += fmt::format("{} = {}\n", key, to_text(*value));
    }
    for (const auto& [key, value] : entries) {
        if (!is_block(*value)) continue;
        const std::string name = heading.empty() ? key : fmt::format("{}.{}", heading, key);
        if (const toml::table* child = value->as_table()) {
            if (needs_heading(*child)) out += fmt::format("\n[{}]\n", name);
            write(*child, name, out);
            continue;
        }
        for (const toml::node& element : *value->as_array()) {
            out += fmt::format("\n[[{}]]\n", name);
            write(*element.as_table(), name, out);
        }
    }
}

}  // namespace

std::string to_text(const toml::node& value) {
    if (const auto* text = value.as_string()) return in_quotes(text->get());
    if (const auto* number = value.as_floating_point()) return written(number->get());
    if (const auto* whole = value.as_integer()) return fmt::format("{}", whole->get());
    if (const auto* flag = value.as_boolean()) return flag->get() ? "true" : "false";
    std::vector<std::string> items;
    if (const toml::array* list = value.as_array()) {
        for (const toml::node& element : *list)
            items.push_back(to_text(element));
        return fmt::format("[{}]", comma_separated(items));
    }
    if (const toml::table* table = value.as_table()) {
        for (const auto& [key, element] : in_file_order(*table))
            items.push_back(fmt::format("{} = {}", key, to_text(*element)));
        return fmt::format("{{{}}}", comma_separated(items));
    }
    std::ostringstream date;
    date.exceptions(std::ios::badbit);  // missing memory is no end of the text
    value.visit([&](const auto& node) { date << node; });
    return date.str();
}

std::string excerpt(const toml::node& value) {
    return shortened(to_text(value));
}

std::string to_document(const toml::table& table) {
    std::string text;
    write(table, "", text);
    return text;
}

std::string_view type_of(const toml::node& value) {
    switch (value.type()) {
        case toml::node_type::string:
            return "a string";
        case toml::node_type::integer:
        case toml::node_type::floating_point:
            return "a number";
        case toml::node_type::boolean:
            return "true or false";
        case toml::node_type::array:
            return "a list";
        case toml::node_type::table:
            return "a table";
        default:
            return "a date or time";
    }
}

std::string comma_separated(const std::vector<std::string>& items) {
    std::string text;
    for (const std::string& item : items)
        text.append(text.empty() ? "" : ", ").append(item);
    return text;
}

std::string joined(const std::vector<std::string_view>& items, std::string_view separator) {
    std::string text;
    for (std::size_t i = 0; i < items.size(); ++i)
        text.append(i == 0 ? "" : separator).append(items[i]);
    return text;
}

int line_of_overlong_key(std::string_view toml) {
    int line = 1;
    std::size_t dots = 0;
    char quote = 0;
    bool several_lines = false;  // a string of three quotes
    const auto three_quotes = [&](std::size_t i) {
        return i + 2 < toml.size() && toml[i] == toml[i + 1] && toml[i] == toml[i + 2];
    };
    for (std::size_t i = 0; i < toml.size(); ++i) {
        const char c = toml[i];
        if (c == '\n') {
            ++line;
            dots = 0;
            if (!several_lines) quote = 0;
        } else if (quote != 0) {
            if (c == '\\' && quote == '"') {
                if (i + 1 < toml.size() && toml[i + 1] != '\n') ++i;
            } else if (c == quote && (!several_lines || three_quotes(i))) {
                // The content of such a string may end with quotes.
                while (several_lines && i + 1 < toml.size() && toml[i + 1] == quote)
                    ++i;
                quote = 0;
                several_lines = false;
            }
        } else if (c == '"' || c == '\'') {
            quote = c;
            several_lines = three_quotes(i);
            i += several_lines ? 2 : 0;
        } else if (c == '#') {
            i = std::min(toml.find('\n', i), toml.size()) - 1;
        } else if (c == '.') {
            if (++dots == most_key_parts) return line;
        } else if (std::string_view("=,[]{}").find(c) != std::string_view::npos) {
            dots = 0;
        }
    }
    return 0;
}

std::string one_line(std::string_view text) {
    std::string line(text);
    std::ranges::replace_if(
        line, [](char c) { return c == '\n' || c == '\r'; }, ' ');
    return line;
}

bool is_utf8(std::string_view text) {
    for (std::size_t i = 0; i < text.size();) {
        const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[k]); };
        const unsigned char first = byte(i);
        const std::size_t more = first < 0x80 ? 0 : first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : 1;
        if ((first >= 0x80 && first < 0xc2) || first > 0xf4 || text.size() - i <= more)
            return false;
        char32_t code = more == 0 ? first : first & (0x3f >> more);
        for (std::size_t k = i + 1; k <= i + more; ++k) {
            if ((byte(k) & 0xc0) != 0x80) return false;
            code = code << 6 | (byte(k) & 0x3f);
        }
        const char32_t smallest = more == 3 ? 0x10000 : more == 2 ? 0x800 : 0;
        const bool surrogate = code >= 0xd800 && code < 0xe000;
        if (code < smallest || surrogate || code > 0x10ffff) return false;
        i += more + 1;
    }
    return true;
}

std::string written_key(std::string_view key) {
    const bool bare = !key.empty() && std::ranges::all_of(key, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               c == '_' || c == '-';
    });
    return bare ? std::string(key) : in_quotes(key);
}

void check_memory(std::string_view description) {
    // toml++ reads decimal numbers through a stream, which fails in the same way for both.
    constexpr std::string_view after = "' could not be interpreted as a value";
    std::string_view number = description;
    if (!number.ends_with(after)) return;
    number.remove_suffix(after.size());
    number.remove_prefix(number.rfind('\'') + 1);
    double value = 0.0;
    const auto [end, wrong] = std::from_chars(number.data(), number.data() + number.size(), value);
    if (wrong == std::errc{} && end == number.data() + number.size()) throw std::bad_alloc();
}

}  // namespace beadwave::io
