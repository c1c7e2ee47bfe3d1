#include "io/tables/sweep_writers.hpp"

#include <fmt/format.h>

#include <fstream>
#include <string_view>

namespace beadwave::io {
namespace {

constexpr std::string_view first_columns = "run,status";

/// RFC 4180: quoted if it contains a comma, a quote or a line end.
std::string cell(std::string_view text) {
    if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
    std::string quoted = "\"";
    for (const char c : text) {
        if (c == '"') quoted += '"';
        quoted += c;
    }
    return quoted + '"';
}

std::string with_unit(std::string name, const Quantity& quantity) {
    return quantity.csv_unit.empty() ? name : name + "_" + quantity.csv_unit;
}

}  // namespace

std::string sweep_csv_header(const SweepTable& table, bool all) {
    std::string line(first_columns);
    for (const VariedKey& key : table.plan().keys())
        line += "," + cell(key.key);
    for (const Quantity& quantity : table.columns().of_sensor) {
        for (const std::int64_t bead : table.columns().sensors)
            line += "," + with_unit(fmt::format("{}_{}", quantity.name, bead), quantity);
    }
    for (const Quantity& quantity : table.columns().of_run)
        line += "," + with_unit(quantity.name, quantity);
    for (const Quantity& quantity : table.columns().over_time) {
        if (!all) break;
        for (const double time : table.columns().times)
            line += fmt::format(",{} at {} s", quantity.name, time);
    }
    return line + ",warnings,error\n";
}

std::string sweep_csv_row(const SweepTable& table, std::size_t run, bool all) {
    std::string row = fmt::format("{},{}", run, name_of(table.status(run)));
    for (std::size_t k = 0; k < table.plan().keys().size(); ++k)
        row.append(",").append(cell(unquoted(table.plan().value(run, k))));
    for (std::size_t q = 0; q < table.columns().of_sensor.size(); ++q) {
        for (std::size_t s = 0; s < table.columns().sensors.size(); ++s)
            row += fmt::format(",{}", table.at_sensor(run, q, s));
    }
    for (std::size_t q = 0; q < table.columns().of_run.size(); ++q)
        row += fmt::format(",{}", table.of_run(run, q));
    for (std::size_t q = 0; all && q < table.columns().over_time.size(); ++q) {
        for (std::size_t t = 0; t < table.columns().times.size(); ++t)
            row += fmt::format(",{}", table.over_time(run, q, t));
    }
    row.append(",").append(cell(table.warnings(run)));
    return row.append(",").append(cell(table.error(run))).append("\n");
}

namespace {

bool is_sweep_csv(const std::filesystem::path& path) {
    std::string start(first_columns.size(), '\0');
    std::ifstream file(path, std::ios::binary);
    file.read(start.data(), static_cast<std::streamsize>(start.size()));
    return file.good() && start == first_columns;
}

}  // namespace

const ResultKind csv_result{.name = "the CSV table of a sweep", .is_one = is_sweep_csv};

std::string sweep_csv(const SweepTable& table) {
    std::string text = sweep_csv_header(table);
    for (std::size_t run = 0; run < table.plan().runs(); ++run)
        text += sweep_csv_row(table, run);
    return text;
}

}  // namespace beadwave::io
