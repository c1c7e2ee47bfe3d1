#include "io/tables/measured_traces.hpp"

#include "beadwave/input_error.hpp"
#include "io/files/text_file.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <optional>
#include <sstream>
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

}  // namespace

MeasuredTraces read_measured_traces(const std::filesystem::path& file, std::size_t sensors) {
    constexpr std::size_t largest = 512;  // MiB: hours of an oscilloscope
    std::istringstream stream(read_text_file(file, "CSV", largest));
    MeasuredTraces traces;
    traces.force.resize(sensors);
    bool may_be_header = true;
    int number = 0;
    for (std::string line; std::getline(stream, line);) {
        ++number;
        if (line.empty() || line == "\r" || line.front() == '#') continue;
        const auto fail = [&](const std::string& what) {
            throw InputError(fmt::format("{}:{}: {}", file.string(), number, what));
        };
        const auto cells = cells_of(line);
        if (cells.size() != sensors + 1) {
            fail(fmt::format(
                "{} columns; expected {}: the time in s and one force in N for each of {} sensors",
                cells.size(), sensors + 1, sensors));
        }
        const bool header = may_be_header && !number_in(cells[0]);
        may_be_header = false;
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

}  // namespace beadwave::io
