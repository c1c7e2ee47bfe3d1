// The tables of `beadwave compare` for spreadsheets and papers.

#include "tasks/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <utility>

namespace beadwave::tasks {
namespace {

constexpr const char* latex_mark = "% beadwave compare";

/// A column: its name in CSV, its heading in LaTeX, the format and factor of its numbers there.
struct Column {
    std::string name, heading;
    const char* form;
    double factor = 1.0;
};

/// Columns, and the numbers of each row behind the name of its law.
struct Rows {
    std::vector<Column> columns;
    std::vector<std::pair<std::string, std::vector<double>>> rows{};
};

Rows rows_of_impacts(const std::vector<Compared>& all) {
    Rows table{.columns = {{"impacts", "impacts", "{:.0f}"},
                           {"fastest_impact_m_per_s", "fastest / m/s", "{:.6g}"},
                           {"peak_force_N", "peak force / N", "{:.6g}"},
                           {"dissipated_energy_J", "dissipated / J", "{:.6g}"},
                           {"energy_error_J", "energy error / J", "{:.1e}"},
                           {"steps", "steps", "{:.0f}"}}};
    for (const Compared& r : all) {
        table.rows.emplace_back(r.law,
                                std::vector{r.of_run("impacts"), r.of_run("fastest_impact"),
                                            r.of_run("peak_force"), r.of_run("dissipated_energy"),
                                            r.of_run("energy_error"), r.of_run("steps")});
    }
    return table;
}

/// "peak_velocity" with its unit as a paper has it: "peak velocity / m/s".
std::string heading_of(const io::Quantity& quantity, const char* prefix) {
    std::string name = quantity.json_name();
    std::ranges::replace(name, '_', ' ');
    const std::string unit = quantity.unit == "m s-1" ? "m/s" : quantity.unit;
    return fmt::format("{} / {}{}", name, prefix, unit);
}

/// "peak_force" and its unit, "N".
std::string with_unit(const io::Quantity& quantity) {
    return quantity.csv_unit.empty() ? quantity.name : quantity.name + "_" + quantity.csv_unit;
}

Rows rows_of_sensors(const std::vector<Compared>& all) {
    const Compared& first = all.front();
    const bool sensors = !first.columns.sensors.empty(), measured = !first.errors.empty();
    Rows table{.columns = {{"dissipated_energy_J", "dissipated / J", "{:.4g}"},
                           {"relative_energy_error", "energy error", "{:.1e}"}}};
    if (sensors) table.columns.push_back({first.columns.body, first.columns.body, "{:.0f}"});
    for (std::size_t q = 0; sensors && q < first.columns.of_sensor.size(); ++q) {
        const io::Quantity& quantity = first.columns.of_sensor[q];
        const bool time = quantity.unit == "s";
        table.columns.push_back({with_unit(quantity), heading_of(quantity, time ? "\u00b5" : ""),
                                 time ? "{:.3f}" : "{:.6g}", time ? 1e6 : 1.0});
    }
    if (sensors && measured) {
        table.columns.push_back({"peak_force_error", "peak error / \\%", "{:.2f}", 100.0});
        table.columns.push_back({"arrival_error_s", "arrival error / \u00b5s", "{:.2f}", 1e6});
    }
    for (const Compared& r : all) {
        for (std::size_t s = 0; s < (sensors ? r.columns.sensors.size() : 1); ++s) {
            std::vector<double> row{r.of_run("dissipated_energy"),
                                    r.of_run("relative_energy_error")};
            if (sensors) row.push_back(static_cast<double>(r.columns.sensors[s]));
            for (std::size_t q = 0; sensors && q < r.columns.of_sensor.size(); ++q)
                row.push_back(r.at_sensor(q, s));
            if (sensors && measured)
                row.insert(row.end(), {r.errors[s].peak_force, r.errors[s].arrival});
            table.rows.emplace_back(r.law, std::move(row));
        }
    }
    return table;
}

Rows rows_of(const std::vector<Compared>& all) {
    return all.front().has("impacts") ? rows_of_impacts(all) : rows_of_sensors(all);
}

/// The characters that LaTeX would take for commands.
std::string in_latex(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (c == '_' || c == '&' || c == '#') out += '\\';
        out += c;
    }
    return out;
}

bool begins_with(const std::filesystem::path& path, std::string_view start) {
    std::string line;
    std::ifstream file(path, std::ios::binary);
    return std::getline(file, line) && line.starts_with(start);
}

constexpr io::ResultKind csv_table{
    .name = "a table of beadwave compare", .is_one = [](const std::filesystem::path& path) {
        return begins_with(path, "law,dissipated_energy_J,relative_energy_error") ||
               begins_with(path, "law,impacts,fastest_impact_m_per_s,");
    }};
constexpr io::ResultKind latex_table{
    .name = "a table of beadwave compare",
    .is_one = [](const std::filesystem::path& path) { return begins_with(path, latex_mark); }};

}  // namespace

CompareFiles::CompareFiles(const std::string& csv, const std::string& latex, bool overwrite) {
    if (!csv.empty()) csv_.emplace(io::Output(csv, overwrite), csv_table);
    if (!latex.empty()) latex_.emplace(io::Output(latex, overwrite), latex_table);
}

void write(const Comparison& comparison, CompareFiles& files) {
    std::vector<io::AtomicFile*> written;
    const auto add = [&](std::optional<io::AtomicFile>& file, const std::string& text) {
        if (!file) return;
        file->write(text);
        written.push_back(&*file);
    };
    add(files.csv_, comparison.csv());
    add(files.latex_, comparison.latex());
    commit_together(written);
}

std::string Comparison::csv() const {
    const Rows table = rows_of(laws);
    std::string out = "law";
    for (const Column& column : table.columns)
        out += "," + column.name;
    for (const auto& [law, numbers] : table.rows) {
        out += "\n" + law;
        for (const double number : numbers)
            out += std::isnan(number) ? "," : fmt::format(",{}", number);
    }
    return out + "\n";
}

std::string Comparison::latex() const {
    const Rows table = rows_of(laws);
    std::string out =
        fmt::format("{}; needs \\usepackage{{booktabs}}\n\\begin{{tabular}}{{l{}}}\n\\toprule\nlaw",
                    latex_mark, std::string(table.columns.size(), 'r'));
    for (const Column& column : table.columns)
        out += " & " + in_latex(column.heading);
    out += " \\\\\n\\midrule\n";
    for (const auto& [law, numbers] : table.rows) {
        out += in_latex(law);
        for (std::size_t k = 0; k < numbers.size(); ++k) {
            const Column& column = table.columns[k];
            out += " & " + (std::isnan(numbers[k]) ? "--"
                                                   : fmt::format(fmt::runtime(column.form),
                                                                 column.factor * numbers[k]));
        }
        out += " \\\\\n";
    }
    return out + "\\bottomrule\n\\end{tabular}\n";
}

}  // namespace beadwave::tasks
