#include "base/csv_cells.hpp"

#include "base/trimmed.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string>

namespace beadwave {
namespace {

constexpr std::string_view blanks = " \t\r";

}  // namespace

std::string_view trimmed_cell(std::string_view text) {
    text = trimmed(text, blanks);
    if (text.size() >= 2 && text.front() == '"' && text.back() == '"')
        text = trimmed(text.substr(1, text.size() - 2), blanks);
    return text;
}

std::vector<std::string_view> csv_cells(std::string_view line, char separator) {
    std::vector<std::string_view> cells;
    if (separator == ' ') line = trimmed(line, blanks);
    while (true) {
        const auto end = separator == ' ' ? line.find_first_of(blanks) : line.find(separator);
        cells.push_back(trimmed_cell(line.substr(0, end)));
        if (end == std::string_view::npos) return cells;
        line.remove_prefix(end + 1);
        if (separator == ' ') line.remove_prefix(line.find_first_not_of(blanks));
    }
}

std::optional<double> csv_number(std::string_view cell, char separator) {
    std::string with_point;
    if (separator != ',' && cell.find(',') != std::string_view::npos) {
        if (cell.find('.') != std::string_view::npos) return std::nullopt;
        with_point = cell;
        *std::ranges::find(with_point, ',') = '.';
        cell = with_point;
    }
    if (cell.starts_with('+') && !cell.starts_with("+-")) cell.remove_prefix(1);
    double value = 0.0;
    const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
    if (error != std::errc() || end != cell.data() + cell.size() || !std::isfinite(value))
        return std::nullopt;
    return value;
}

std::string_view without_mark(std::string_view text) {
    constexpr std::string_view mark = "\xEF\xBB\xBF";
    if (text.starts_with(mark)) text.remove_prefix(mark.size());
    return text;
}

}  // namespace beadwave
