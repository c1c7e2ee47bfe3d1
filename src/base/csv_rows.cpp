#include "base/csv_rows.hpp"

#include "base/csv_cells.hpp"
#include "beadwave/input_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace beadwave {
namespace {

/// Spreadsheets end lines with separators.
void drop_empty_ends(std::vector<std::string_view>& cells, std::size_t least) {
    while (cells.size() > least && cells.back().empty())
        cells.pop_back();
}

/// Numbers, as other programs write them without the names of their columns.
bool has_only_numbers(std::string_view line) {
    return std::ranges::any_of(csv_separators, [&](char separator) {
        const std::vector<std::string_view> cells = csv_cells(line, separator);
        return std::ranges::all_of(
            cells, [&](std::string_view cell) { return csv_number(cell, separator).has_value(); });
    });
}

}  // namespace

CsvRows::CsvRows(std::istream& csv, std::string name, std::vector<std::string_view> columns,
                 OtherColumns others)
    : csv_(csv), name_(std::move(name)), columns_(std::move(columns)) {
    if (!next_line()) fail("no column names");
    find_separator();
    read_names(others);
}

bool CsvRows::next_line() {
    while (std::getline(csv_, line_)) {
        const std::string_view text = number_++ == 0 ? without_mark(line_) : line_;
        const std::string_view trimmed = trimmed_cell(text);
        if (trimmed.empty() || trimmed.front() == '#') continue;
        cells_ = csv_cells(text, separator_);
        return true;
    }
    return false;
}

void CsvRows::find_separator() {
    const std::string_view header = number_ == 1 ? without_mark(line_) : line_;
    for (const char separator : csv_separators) {
        const std::vector<std::string_view> cells = csv_cells(header, separator);
        const auto named = [&](std::string_view column) {
            return std::ranges::find(cells, column) != cells.end();
        };
        if (!std::ranges::all_of(columns_, named)) continue;
        separator_ = separator;
        cells_ = cells;
        return;
    }
}

void CsvRows::read_names(OtherColumns others) {
    const std::string expected = fmt::format("; expected {}", fmt::join(columns_, ","));
    if (has_only_numbers(number_ == 1 ? without_mark(line_) : line_)) {
        fail(
            fmt::format("numbers without the names of their columns; expected a line before them, "
                        "such as {}",
                        fmt::join(columns_, line_.find(',') != std::string::npos ? "," : " ")));
    }
    drop_empty_ends(cells_, 1);
    for (const std::string_view wanted : columns_) {
        const auto found = std::ranges::find(cells_, wanted);
        if (found == cells_.end()) fail(fmt::format("no column {}{}", wanted, expected));
        at_.push_back(static_cast<std::size_t>(found - cells_.begin()));
    }
    width_ = cells_.size();
    for (std::size_t cell = 0; others == OtherColumns::refused && cell < width_; ++cell) {
        if (std::ranges::find(at_, cell) != at_.end()) continue;
        const bool twice = std::ranges::find(columns_, cells_[cell]) != columns_.end();
        fail(fmt::format("{} column \"{}\"{}", twice ? "a second" : "unknown", cells_[cell],
                         expected));
    }
}

bool CsvRows::next() {
    if (!next_line()) return false;
    drop_empty_ends(cells_, width_);
    if (cells_.size() != width_) fail(fmt::format("{} cells, not {}", cells_.size(), width_));
    return true;
}

std::optional<double> CsvRows::number(std::size_t column, double lowest) const {
    const std::string_view cell = cells_[at_[column]];
    if (cell.empty()) return std::nullopt;
    const std::optional<double> value = csv_number(cell, separator_);
    if (!value || *value < lowest) {
        const std::string wanted =
            std::isfinite(lowest) ? fmt::format("a number from {:g}", lowest) : "a finite number";
        fail(fmt::format("{} is \"{}\", not {}", columns_[column], cell, wanted));
    }
    return value;
}

double CsvRows::needed_number(std::size_t column) const {
    if (const auto given = number(column)) return *given;
    fail(std::string(columns_[column]) + " is empty; expected a number");
}

void CsvRows::fail(const std::string& what) const {
    throw InputError(fmt::format("{}, line {}: {}", name_, number_, what));
}

}  // namespace beadwave
