#include "io/tables/measured_traces.hpp"

#include "base/csv_cells.hpp"
#include "beadwave/input_error.hpp"
#include "io/files/text_file.hpp"
#include "io/tables/oscilloscope_rows.hpp"
#include "io/tables/trace_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace beadwave::io {
namespace {

/// "weight", "Weight bead 9".
bool is_weight(std::string_view cell) {
    return in_lower_case(cell.substr(0, cell.find_first_of(" _"))) == "weight";
}

/// What the columns hold.
struct TraceColumns {
    /// Column of each trace, from 0 (the time); empty after a header of weights alone.
    std::vector<std::size_t> forces;
    /// Column of the weights of each trace; 0: none.
    std::vector<std::size_t> weights;
    /// Columns that are neither: they may hold anything.
    std::vector<std::size_t> skipped{};

    std::size_t count() const {
        std::size_t last = forces.empty() ? 0 : forces.back();
        for (const std::size_t column : weights)
            last = std::max(last, column);
        for (const std::size_t column : skipped)
            last = std::max(last, column);
        return last + 1;
    }
    bool skips(std::size_t column) const { return std::ranges::count(skipped, column) > 0; }
};

/// The columns of a header that begins with the time and names some sensors, which are no sensor's.
std::vector<std::size_t> other_columns(const std::vector<std::string_view>& header) {
    std::vector<std::size_t> others;
    bool any = false;
    for (std::size_t c = 1; c < header.size(); ++c) {
        if (is_weight(header[c])) continue;
        if (sensor_in(header[c]))
            any = true;
        else if (!header[c].empty())
            others.push_back(c);
    }
    const bool begins_with_time = in_lower_case(header.front()).starts_with('t');
    return any && begins_with_time ? others : std::vector<std::size_t>{};
}

/// The columns of a file without a header.
TraceColumns plain_columns(std::size_t sensors) {
    TraceColumns columns{{}, std::vector<std::size_t>(sensors, 0)};
    for (std::size_t s = 0; s < sensors; ++s)
        columns.forces.push_back(s + 1);
    return columns;
}

/// The columns that a header names. `places`: the sensors of the traces, as indices into `sensors`;
/// `others`: columns to skip.
/// Throws std::invalid_argument for weights of a sensor without a trace, or given twice.
TraceColumns named_columns(const std::vector<std::string_view>& header,
                           const std::vector<std::size_t>& places,
                           std::span<const std::int64_t> sensors,
                           const std::vector<std::size_t>& others) {
    TraceColumns columns{{}, std::vector<std::size_t>(places.size(), 0), others};
    for (std::size_t c = 1; c < header.size(); ++c) {
        if (columns.skips(c) || (header[c].empty() && c + 1 == header.size())) continue;
        if (!is_weight(header[c])) {
            columns.forces.push_back(c);
            continue;
        }
        const auto number = sensor_in(header[c]);
        bool any = false;
        for (std::size_t s = 0; s < places.size(); ++s) {
            if (number && (sensors.empty() || sensors[places[s]] != *number)) continue;
            any = true;
            if (std::exchange(columns.weights[s], c) != 0) {
                throw std::invalid_argument(
                    fmt::format("column {}, \"{}\": there are two columns of weights for one "
                                "trace; expected one",
                                c + 1, header[c]));
            }
        }
        if (!any) {
            throw std::invalid_argument(fmt::format(
                "column {} is \"{}\", but there is no trace of this sensor", c + 1, header[c]));
        }
    }
    return columns;
}

/// The sensors of the traces; empty unless all cells except the first, the weights and the `others`
/// name one.
/// Throws std::invalid_argument for a sensor that does not exist or is named twice.
std::vector<std::size_t> named_sensors(const std::vector<std::string_view>& header,
                                       std::span<const std::int64_t> sensors,
                                       const std::vector<std::size_t>& others) {
    std::vector<std::size_t> places;
    for (std::size_t c = 1; c < header.size(); ++c) {
        if (header[c].empty() && c + 1 == header.size()) continue;
        if (is_weight(header[c]) || std::ranges::count(others, c) > 0) continue;
        const auto number = sensor_in(header[c]);
        if (!number) return {};
        const auto found = std::ranges::find(sensors, *number);
        if (found == sensors.end()) {
            throw std::invalid_argument(
                fmt::format("column {} is \"{}\"; the scenario has its sensors at {}", c + 1,
                            header[c], fmt::join(sensors, ", ")));
        }
        places.push_back(static_cast<std::size_t>(found - sensors.begin()));
        if (std::ranges::count(places, places.back()) > 1)
            throw std::invalid_argument(fmt::format("sensor {} has two columns", *number));
    }
    return places;
}

/// Adds the weights of a row. `fail`: throws an error that begins with the place of the row.
template <class Fail>
void add_weights(const std::vector<double>& row, const TraceColumns& columns,
                 MeasuredTraces& traces, const Fail& fail) {
    const auto given = [](std::size_t column) { return column > 0; };
    if (std::ranges::none_of(columns.weights, given)) return;
    traces.weight.resize(columns.weights.size());
    for (std::size_t s = 0; s < columns.weights.size(); ++s) {
        const std::size_t column = columns.weights[s];
        const double weight = column > 0 ? row[column] : 1.0;
        if (weight < 0.0) {
            fail(
                fmt::format("column {} is a weight of {:g}; expected 0 (the row is left out) or "
                            "more",
                            column + 1, weight));
        }
        traces.weight[s].push_back(weight);
    }
}

/// Why a header that is in another unit is refused; empty: it need not be, and `traces` has it.
std::string refused_unit(std::string_view cell, std::string_view unit, Readings readings,
                         MeasuredTraces& traces) {
    if (unit.empty()) return {};
    if (!is_voltage(unit)) {
        return fmt::format("\"{}\" is in {}; expected times in s and forces in N", cell, unit);
    }
    if (readings == Readings::forces) {
        return fmt::format(
            "\"{}\" is in {}; expected times in s and forces in N, or a fit with a free gain of "
            "every sensor, such as --bounds sensor.gain=0.01:0.1, in {} per N",
            cell, unit, unit);
    }
    if (traces.unit != "N" && traces.unit != unit)
        return fmt::format("\"{}\" is in {}, and another column in {}", cell, unit, traces.unit);
    traces.unit = unit;
    return {};
}

/// Reads the traces of `count` sensors, or of the sensors `ids` if the list is not empty.
MeasuredTraces read(const std::filesystem::path& file, std::size_t count,
                    std::span<const std::int64_t> ids, Readings readings) {
    constexpr std::size_t largest = 512;  // MiB: hours of recording
    const auto [text, unit_of_head] = as_columns(read_text_file(file, "CSV", largest));
    MeasuredTraces traces;
    const std::string_view known = unit_of_head == "N" ? std::string_view() : unit_of_head;
    if (const std::string why = refused_unit(known, known, readings, traces); !why.empty())
        throw InputError(fmt::format("{}: {}", file.string(), why));
    for (std::size_t s = 0; s < count; ++s)
        traces.sensors.push_back(s);
    TraceColumns columns = plain_columns(count);
    const char separator = separator_of(text);
    char decimal = 0;
    TraceLines lines(text, separator);
    while (lines.next()) {
        const auto fail = [&](const std::string& what) {
            throw InputError(fmt::format("{}:{}: {}", file.string(), lines.number(), what));
        };
        std::vector<std::string_view> cells = csv_cells(lines.line(), separator);
        if (traces.time.empty() && is_header(cells, separator)) {
            const std::vector<std::size_t> others =
                ids.empty() ? std::vector<std::size_t>{} : other_columns(cells);
            const bool vertical = in_lower_case(cells.front()) == "vertical units";
            for (std::size_t c = 0; c < cells.size(); ++c) {
                const std::string_view unit = vertical ? cells[c] : other_unit(cells[c]);
                const bool skipped = std::ranges::count(others, c) > 0;
                if (skipped || (vertical && !is_voltage(unit))) continue;
                if (c == 0 && is_voltage(unit)) fail("a time in volts; expected times in s");
                const std::string why = refused_unit(cells[c], unit, readings, traces);
                if (!why.empty()) fail(why);
            }
            try {
                if (!ids.empty()) {
                    const std::vector<std::size_t> named = named_sensors(cells, ids, others);
                    if (!named.empty()) traces.sensors = named;
                }
                if (!others.empty() || std::any_of(cells.begin() + 1, cells.end(), is_weight))
                    columns = named_columns(cells, traces.sensors, ids, others);
                else if (columns.forces.empty() || columns.count() == columns.forces.size() + 1)
                    columns = plain_columns(traces.sensors.size());
            } catch (const std::invalid_argument& error) {
                fail(error.what());
            }
            if (!others.empty()) traces.skipped.clear();
            for (const std::size_t c : others)
                traces.skipped.emplace_back(cells[c]);
            continue;
        }
        if (columns.forces.empty())
            fail("the header names weights and no force; expected one force for each sensor");
        const std::size_t sensors = traces.sensors.size();
        const std::size_t expected =
            columns.forces.size() == sensors ? columns.count() : sensors + 1;
        if (cells.size() == expected + 1 && cells.back().empty()) cells.pop_back();
        if (cells.size() != expected || columns.forces.size() != sensors) {
            const bool decimals = separator == ',' && cells.size() == 2 * expected;
            fail(fmt::format(
                "{} columns; expected {}: the time in s and one force in N for each of {} "
                "sensors{}{}",
                cells.size(), expected, sensors,
                ids.empty() || sensors < count ? ""
                                               : ", or a header that names the sensors of the "
                                                 "columns, such as \"time, bead 9, bead 16\"",
                decimals ? "; with decimal commas, separate the columns by semicolons or tabs"
                         : ""));
        }
        traces.force.resize(sensors);
        std::vector<double> row;
        for (std::size_t c = 0; c < cells.size(); ++c) {
            const auto value =
                columns.skips(c) ? std::optional(0.0) : csv_number(cells[c], separator);
            if (!value) {
                const bool missing = cells[c].empty() || cells[c] == "nan" || cells[c] == "NaN";
                fail(fmt::format("column {} is \"{}\"; expected a finite number{}", c + 1,
                                 shortened(cells[c]),
                                 missing ? "; leave out a row without one of its numbers" : ""));
            }
            const auto mark =
                columns.skips(c) ? std::string_view::npos : cells[c].find_first_of(".,");
            if (mark != std::string_view::npos) {
                if (decimal == 0) decimal = cells[c][mark];
                if (decimal != cells[c][mark])
                    fail(fmt::format("column {} is \"{}\", and earlier numbers have a decimal {}",
                                     c + 1, cells[c], decimal == '.' ? "point" : "comma"));
            }
            row.push_back(*value);
        }
        if (!traces.time.empty() && row[0] <= traces.time.back()) {
            fail(fmt::format("time {:g} s does not come after {:g} s; expected increasing times",
                             row[0], traces.time.back()));
        }
        traces.time.push_back(row[0]);
        for (std::size_t s = 0; s < sensors; ++s)
            traces.force[s].push_back(row[columns.forces[s]]);
        add_weights(row, columns, traces, fail);
    }
    for (const std::size_t column : columns.forces)
        traces.columns.push_back(column + 1);
    if (traces.time.size() < 3) {
        throw InputError(fmt::format("{}: {} rows of numbers; expected at least 3", file.string(),
                                     traces.time.size()));
    }
    return traces;
}

}  // namespace

MeasuredTraces read_measured_traces(const std::filesystem::path& file, std::size_t sensors) {
    return read(file, sensors, {}, Readings::forces);
}

MeasuredTraces read_measured_traces(const std::filesystem::path& file,
                                    std::span<const std::int64_t> sensors, Readings readings) {
    return read(file, sensors.size(), sensors, readings);
}

}  // namespace beadwave::io
