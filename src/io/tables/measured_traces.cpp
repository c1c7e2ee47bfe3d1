#include "io/tables/measured_traces.hpp"

#include "beadwave/input_error.hpp"
#include "io/files/text_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>

namespace beadwave::io {
namespace {

std::vector<std::string_view> cells_of(std::string_view line) {
    std::vector<std::string_view> cells;
    while (true) {
        const std::size_t comma = line.find(',');
        std::string_view cell = line.substr(0, comma);
        while (!cell.empty() && (cell.front() == ' ' || cell.front() == '\t'))
            cell.remove_prefix(1);
        while (!cell.empty() &&
               (cell.back() == ' ' || cell.back() == '\t' || cell.back() == '\r')) {
            cell.remove_suffix(1);
        }
        cells.push_back(cell);
        if (comma == std::string_view::npos) return cells;
        line.remove_prefix(comma + 1);
    }
}

std::optional<double> number_in(std::string_view cell) {
    double value = 0.0;
    const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
    if (error != std::errc() || end != cell.data() + cell.size() || !std::isfinite(value))
        return std::nullopt;
    return value;
}

/// "bead 9", "force_bead_9_N": 9.
std::optional<std::int64_t> sensor_in(std::string_view cell) {
    std::string small(cell);
    for (char& c : small)
        c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
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

/// The sensors of the columns; empty unless all cells except the first name one. Throws
/// std::invalid_argument for a sensor that does not exist or is named twice.
std::vector<std::size_t> named_sensors(const std::vector<std::string_view>& header,
                                       std::span<const std::int64_t> sensors) {
    std::vector<std::size_t> places;
    for (std::size_t c = 1; c < header.size(); ++c) {
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

/// Reads the traces of `count` sensors, or of the sensors `ids` if the list is not empty.
MeasuredTraces read(const std::filesystem::path& file, std::size_t count,
                    std::span<const std::int64_t> ids) {
    constexpr std::size_t largest = 512;  // MiB: hours of recording
    std::istringstream stream(read_text_file(file, "CSV", largest));
    MeasuredTraces traces;
    for (std::size_t s = 0; s < count; ++s)
        traces.sensors.push_back(s);
    bool may_be_header = true;
    int number = 0;
    for (std::string line; std::getline(stream, line);) {
        ++number;
        if (line.empty() || line == "\r" || line.front() == '#') continue;
        const auto fail = [&](const std::string& what) {
            throw InputError(fmt::format("{}:{}: {}", file.string(), number, what));
        };
        const auto cells = cells_of(line);
        const bool header = may_be_header && !number_in(cells[0]);
        may_be_header = false;
        if (header && !ids.empty()) {
            try {
                const std::vector<std::size_t> named = named_sensors(cells, ids);
                if (!named.empty()) traces.sensors = named;
            } catch (const std::invalid_argument& error) {
                fail(error.what());
            }
        }
        const std::size_t sensors = traces.sensors.size();
        if (cells.size() != sensors + 1) {
            fail(fmt::format(
                "{} columns; expected {}: the time in s and one force in N for each of {} "
                "sensors{}",
                cells.size(), sensors + 1, sensors,
                ids.empty() || sensors < count ? ""
                                               : ", or a header that names the sensors of the "
                                                 "columns, such as \"time, bead 9, bead 16\""));
        }
        traces.force.resize(sensors);
        if (header) continue;
        std::vector<double> row;
        for (std::size_t c = 0; c < cells.size(); ++c) {
            const auto value = number_in(cells[c]);
            if (!value)
                fail(fmt::format("column {} is \"{}\"; expected a finite number", c + 1, cells[c]));
            row.push_back(*value);
        }
        if (!traces.time.empty() && row[0] <= traces.time.back()) {
            fail(fmt::format("time {:g} s does not come after {:g} s; expected increasing times",
                             row[0], traces.time.back()));
        }
        traces.time.push_back(row[0]);
        for (std::size_t s = 0; s < sensors; ++s)
            traces.force[s].push_back(row[s + 1]);
    }
    if (traces.time.size() < 3) {
        throw InputError(fmt::format("{}: {} rows of numbers; expected at least 3", file.string(),
                                     traces.time.size()));
    }
    return traces;
}

}  // namespace

MeasuredTraces read_measured_traces(const std::filesystem::path& file, std::size_t sensors) {
    return read(file, sensors, {});
}

MeasuredTraces read_measured_traces(const std::filesystem::path& file,
                                    std::span<const std::int64_t> sensors) {
    return read(file, sensors.size(), sensors);
}

}  // namespace beadwave::io
