#include "csv_rows.hpp"

#include "beadwave/input_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

namespace beadwave {
namespace {

std::string_view trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(" \t\r");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

std::vector<std::string_view> cells_of(std::string_view line) {
    std::vector<std::string_view> cells;
    while (true) {
        const auto comma = line.find(',');
        cells.push_back(trimmed(line.substr(0, comma)));
        if (comma == std::string_view::npos) return cells;
        line.remove_prefix(comma + 1);
    }
}

}  // namespace

CsvRows::CsvRows(std::istream& csv, std::string name, std::vector<std::string_view> columns,
                 OtherColumns others)
    : csv_(csv), name_(std::move(name)), columns_(std::move(columns)) {
    if (!next_line()) fail("no column names");
    read_names(others);
}

bool CsvRows::next_line() {
    while (std::getline(csv_, line_)) {
        ++number_;
        const std::string_view text = trimmed(line_);
        if (text.empty() || text.front() == '#') continue;
        cells_ = cells_of(text);
        return true;
    }
    return false;
}

void CsvRows::read_names(OtherColumns others) {
    const std::string expected = fmt::format("; expected {}", fmt::join(columns_, ","));
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
    if (cells_.size() != width_) fail(fmt::format("{} cells, not {}", cells_.size(), width_));
    return true;
}

std::optional<double> CsvRows::number(std::size_t column, double lowest) const {
    const std::string_view cell = cells_[at_[column]];
    if (cell.empty()) return std::nullopt;
    double value = 0.0;
    const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
    if (error != std::errc() || end != cell.data() + cell.size() || !std::isfinite(value) ||
        value < lowest) {
        const std::string wanted =
            std::isfinite(lowest) ? fmt::format("a number from {:g}", lowest) : "a finite number";
        fail(fmt::format("{} is \"{}\", not {}", columns_[column], cell, wanted));
    }
    return value;
}

void CsvRows::fail(const std::string& what) const {
    throw InputError(fmt::format("{}, line {}: {}", name_, number_, what));
}

}  // namespace beadwave
