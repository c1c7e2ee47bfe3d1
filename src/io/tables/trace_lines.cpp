#include "io/tables/trace_lines.hpp"

#include "base/csv_cells.hpp"
#include "io/tables/oscilloscope_rows.hpp"

#include <algorithm>
#include <charconv>

namespace beadwave::io {
namespace {

bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

}  // namespace

std::string in_lower_case(std::string_view cell) {
    std::string small(cell);
    for (char& c : small)
        c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    return small;
}

std::optional<std::int64_t> sensor_in(std::string_view cell) {
    const std::string small = in_lower_case(cell);
    for (const std::string_view word : {"bead", "particle"}) {
        std::size_t at = small.find(word);
        if (at == std::string::npos) continue;
        at += word.size();
        while (at < small.size() && (small[at] == ' ' || small[at] == '_'))
            ++at;
        std::int64_t number = 0;
        const auto [end, error] =
            std::from_chars(small.data() + at, small.data() + small.size(), number);
        if (error == std::errc()) return number;
    }
    return std::nullopt;
}

TraceLines::TraceLines(std::string_view text, char separator)
    : rest_(without_mark(text)), separator_(separator) {
    // Old instruments end lines with a carriage return alone.
    end_ = rest_.find('\n') == std::string_view::npos ? '\r' : '\n';
}

bool TraceLines::names_columns(std::string_view comment) const {
    const std::vector<std::string_view> cells = csv_cells(comment, separator_);
    const std::string first = in_lower_case(cells.front());
    const bool time = first == "t" || first.starts_with("time") || first.starts_with("t ") ||
                      first.starts_with("t_") || first.starts_with("t[") || first.starts_with("t(");
    constexpr std::size_t longest = 12;  // "time (ms)"; more is a sentence
    if (!time || first.size() > longest || cells.size() < 2) return false;
    // Blanks separate the words of any sentence.
    return std::ranges::any_of(cells, [](auto cell) { return sensor_in(cell).has_value(); }) ||
           (separator_ != ' ' && !other_unit(cells.front()).empty());
}

bool TraceLines::next() {
    while (!rest_.empty()) {
        const std::size_t end = rest_.find(end_);
        line_ = rest_.substr(0, end);
        rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
        ++number_;
        std::string_view words = trimmed_cell(line_);
        if (words.empty()) continue;
        if (words.front() != '#' && words.front() != '%') return true;
        words.remove_prefix(std::min(words.find_first_not_of("#% \t"), words.size()));
        if (words.empty() || !names_columns(words)) continue;
        line_ = words;
        return true;
    }
    return false;
}

char separator_of(std::string_view text) {
    constexpr int most_lines = 1000;  // longer headers are none
    TraceLines lines(text, ',');
    while (lines.next() && lines.number() < most_lines) {
        for (const char separator : csv_separators) {
            std::vector<std::string_view> cells = csv_cells(lines.line(), separator);
            while (cells.size() > 2 && cells.back().empty())
                cells.pop_back();
            const auto is_number = [&](std::string_view cell) {
                return csv_number(cell, separator).has_value();
            };
            if (cells.size() > 1 && std::ranges::all_of(cells, is_number)) return separator;
        }
    }
    return ',';
}

bool is_header(const std::vector<std::string_view>& cells, char separator) {
    const std::string_view first = cells.front();
    if (csv_number(first, separator)) return false;
    const bool like_a_number =
        !first.empty() && std::string_view("0123456789+-.").find(first.front()) != first.npos;
    const bool numbers =
        cells.size() > 1 && std::ranges::all_of(cells.begin() + 1, cells.end(), [&](auto cell) {
            return csv_number(cell, separator).has_value();
        });
    return !like_a_number && !(numbers && std::ranges::count_if(first, is_letter) < 3);
}

}  // namespace beadwave::io
