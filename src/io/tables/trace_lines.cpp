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

std::string TraceLines::names_in(std::string_view comment) const {
    if (comment.find('=') != std::string_view::npos) return {};  // "t = 0, bead 3 is struck"
    for (const char separator : csv_separators) {
        const std::vector<std::string_view> cells = csv_cells(comment, separator);
        const std::string first = in_lower_case(cells.front());
        const bool time = first.starts_with("time") || first == "t" ||
                          (first.size() > 1 && first[0] == 't' && !is_letter(first[1]));
        constexpr std::size_t longest = 16;  // "time in seconds"; more is a sentence
        if (!time || first.size() > longest || cells.size() < 2) continue;
        // Blanks separate the words of any sentence.
        const auto names_one = [](auto cell) { return sensor_in(cell).has_value(); };
        if (!std::ranges::any_of(cells, names_one) &&
            (separator == ' ' || other_unit(cells.front()).empty()))
            continue;
        std::string names;
        for (std::size_t k = 0; k < cells.size(); ++k) {
            if (k > 0) names += separator_;
            names += cells[k];
            if (separator_ == ' ')
                std::ranges::replace(names.end() - static_cast<std::ptrdiff_t>(cells[k].size()),
                                     names.end(), ' ', '_');
        }
        return names;
    }
    return {};
}

bool TraceLines::next() {
    while (!rest_.empty()) {
        const std::size_t end = rest_.find(end_);
        line_ = rest_.substr(0, end);
        rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
        ++number_;
        std::string_view words = trimmed_cell(line_);
        if (words.empty()) continue;
        if (words.front() != '#' && words.front() != '%') {
            in_numbers_ |= csv_number(csv_cells(line_, separator_).front(), separator_).has_value();
            return true;
        }
        words.remove_prefix(std::min(words.find_first_not_of("#% \t"), words.size()));
        if (in_numbers_ || words.empty()) continue;
        names_ = names_in(words);
        if (names_.empty()) continue;
        line_ = names_;
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
