#include "io/tables/oscilloscope_rows.hpp"

#include "base/csv_cells.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

namespace beadwave::io {
namespace {

using Cells = std::vector<std::string_view>;

/// Makes a line of another one; the cells are separated by commas.
template <class Line>
std::string with_each_line(std::string_view text, const Line& line_of) {
    std::string made;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        made += line_of(csv_cells(text.substr(0, end), ','));
        made += '\n';
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    return made;
}

/// Settings in three columns, then time and reading.
ColumnText of_tektronix(std::string_view text) {
    ColumnText made;
    made.text = with_each_line(text, [&](const Cells& cells) {
        if (cells.size() > 1 && cells[0] == "Vertical Units") made.unit = cells[1];
        if (cells.size() < 5) return fmt::format("{}", fmt::join(cells, ","));
        return fmt::format("{},{}", cells[3], cells[4]);
    });
    return made;
}

struct RigolHead {
    std::size_t channels;     ///< columns of readings
    double start, increment;  ///< [s]
};

/// The head that two lines of the file give; none: the file is of another form.
std::optional<RigolHead> rigol_head(std::string_view text) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) return std::nullopt;
    const Cells names = csv_cells(text.substr(0, end), ',');
    const std::string_view rest = text.substr(end + 1);
    const Cells second = csv_cells(rest.substr(0, rest.find('\n')), ',');
    const auto at = static_cast<std::size_t>(std::ranges::find(names, "Start") - names.begin());
    if (names.empty() || names[0] != "X" || at < 2 || at + 1 >= names.size() ||
        names[at + 1] != "Increment" || at + 1 >= second.size())
        return std::nullopt;
    const auto start = csv_number(second[at], ','), increment = csv_number(second[at + 1], ',');
    if (!start || !increment || !(*increment > 0.0)) return std::nullopt;
    return RigolHead{at - 1, *start, *increment};
}

/// The first column times the increment; the two lines of the head become comments.
ColumnText of_rigol(std::string_view text, const RigolHead& head) {
    ColumnText columns_of;
    int line = 0;
    columns_of.text = with_each_line(text, [&](const Cells& cells) {
        const std::size_t columns = std::min(cells.size(), head.channels + 1);
        ++line;
        if (line == 2 && columns > 1)
            columns_of.unit = cells[1] == "VOLT" ? std::string_view("V") : cells[1];
        if (line <= 2) return std::string("#");
        const auto count = csv_number(cells[0], ',');
        std::string made = count ? fmt::format("{:.17g}", head.start + *count * head.increment)
                                 : std::string(cells[0]);
        for (std::size_t c = 1; c < columns; ++c)
            made += fmt::format(",{}", cells[c]);
        return made;
    });
    return columns_of;
}

}  // namespace

ColumnText as_columns(std::string text) {
    const std::string_view all = without_mark(text);
    if (all.starts_with("Record Length,")) return of_tektronix(all);
    if (const auto head = rigol_head(all)) return of_rigol(all, *head);
    return {std::move(text), {}};
}

std::string_view other_unit(std::string_view cell) {
    const auto end = cell.find_last_not_of(" )]");
    if (end == std::string_view::npos) return {};
    cell = cell.substr(0, end + 1);
    const auto start = cell.find_last_of(" ([_/");
    if (start == std::string_view::npos) return {};
    const std::string_view unit = cell.substr(start + 1);
    constexpr std::array others{"ms", "us", "\xC2\xB5s", "\xCE\xBCs", "ns", "min",
                                "kN", "mN", "uN",        "V",         "mV", "lbf"};
    return std::ranges::find(others, unit) == others.end() ? std::string_view() : unit;
}

bool is_voltage(std::string_view unit) {
    return unit == "V" || unit == "mV";
}

}  // namespace beadwave::io
