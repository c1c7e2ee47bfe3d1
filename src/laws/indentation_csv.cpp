#include "indentation_csv.hpp"

#include "beadwave/input_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <istream>
#include <map>
#include <optional>
#include <string_view>

namespace beadwave::laws {
namespace {

constexpr std::string_view overlap_column = "overlap_m";
constexpr std::string_view loading_column = "loading_force_N";
constexpr std::string_view unloading_column = "unloading_force_N";

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

class Reader {
  public:
    Reader(std::istream& csv, const std::string& name) : csv_(csv), name_(name) {}

    IndentationRows read() {
        for (std::string line; std::getline(csv_, line);) {
            ++line_;
            const std::string_view text = trimmed(line);
            if (text.empty() || text.front() == '#') continue;
            if (columns_ == 0) {
                read_header(cells_of(text));
            } else {
                read_row(cells_of(text));
            }
        }
        if (columns_ == 0) fail("no column names");
        return {sorted(loading_), sorted(unloading_)};
    }

  private:
    [[noreturn]] void fail(const std::string& what) const {
        throw InputError(fmt::format("{}, line {}: {}", name_, line_, what));
    }

    void read_header(const std::vector<std::string_view>& names) {
        columns_ = names.size();
        for (const std::string_view wanted : {overlap_column, loading_column, unloading_column}) {
            const auto found = std::ranges::find(names, wanted);
            if (found == names.end()) {
                fail(fmt::format("no column {}; expected {},{},{}", wanted, overlap_column,
                                 loading_column, unloading_column));
            }
            (wanted == overlap_column   ? overlap_at_
             : wanted == loading_column ? loading_at_
                                        : unloading_at_) =
                static_cast<std::size_t>(found - names.begin());
        }
    }

    void read_row(const std::vector<std::string_view>& cells) {
        if (cells.size() != columns_) fail(fmt::format("{} cells, not {}", cells.size(), columns_));
        const auto overlap = number(cells[overlap_at_], overlap_column);
        if (!overlap) fail("no overlap");
        const auto add = [&](std::size_t column, std::string_view name,
                             std::map<double, double>& points) {
            const auto force = number(cells[column], name);
            if (force && !points.emplace(*overlap, *force).second) {
                fail(fmt::format("a second {} at {:g} m", name, *overlap));
            }
        };
        add(loading_at_, loading_column, loading_);
        add(unloading_at_, unloading_column, unloading_);
    }

    std::optional<double> number(std::string_view cell, std::string_view column) const {
        if (cell.empty()) return std::nullopt;
        double value = 0.0;
        const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
        if (error != std::errc() || end != cell.data() + cell.size() || !std::isfinite(value) ||
            value < 0.0) {
            fail(fmt::format("{} is \"{}\", not a number from 0", column, cell));
        }
        return value;
    }

    static MeasuredCurve sorted(const std::map<double, double>& points) {
        MeasuredCurve curve;
        for (const auto& [overlap, force] : points) {
            curve.overlap.push_back(overlap);
            curve.force.push_back(force);
        }
        return curve;
    }

    std::istream& csv_;
    const std::string& name_;
    int line_ = 0;
    std::size_t columns_ = 0, overlap_at_ = 0, loading_at_ = 0, unloading_at_ = 0;
    std::map<double, double> loading_, unloading_;
};

}  // namespace

IndentationRows read_indentation_csv(std::istream& csv, const std::string& name) {
    return Reader(csv, name).read();
}

}  // namespace beadwave::laws
