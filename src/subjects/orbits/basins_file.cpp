#include "subjects/orbits/basins_file.hpp"

#include "subjects/orbits/result_file.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>

namespace beadwave::tasks {
namespace {

namespace hdf5 = io::hdf5;

bool is_basins(const std::filesystem::path& path) {
    return is_result(path, "basins");
}

const io::ResultKind basins_result{.name = "basins that beadwave wrote", .is_one = is_basins};

std::vector<double> values_of(const BasinAxis& axis) {
    std::vector<double> values;
    for (std::size_t k = 0; k < axis.count; ++k)
        values.push_back(axis.at(k));
    return values;
}

void write_attractor(hid_t group, const orbits::Attractor& each) {
    hdf5::set_attribute(group, "kind", each.kind);
    hdf5::set_attribute(group, "cycle", static_cast<int>(each.cycle));
    hdf5::set_attribute(group, "count", static_cast<int>(each.count));
    write_table(group, "amplitude", {}, std::span(&each.amplitude, 1), "m");
    if (!each.states.empty()) {
        std::vector<double> u, v;
        for (const orbits::State& state : each.states) {
            u.insert(u.end(), state.displacement.begin(), state.displacement.end());
            v.insert(v.end(), state.velocity.begin(), state.velocity.end());
        }
        const std::size_t freedoms = each.states.front().displacement.size();
        write_table(group, "displacement", {each.states.size(), freedoms}, u, "m");
        write_table(group, "velocity", {each.states.size(), freedoms}, v, "m s-1");
    }
    if (each.stability) {
        write_table(group, "multipliers", {each.stability->multipliers.size(), 2},
                    parts_of(each.stability->multipliers), "1");
    }
}

double largest_multiplier(const orbits::Attractor& attractor) {
    return attractor.stability ? std::abs(attractor.stability->multipliers.front()) : NAN;
}

}  // namespace

void check_basins_file(const io::Output& output) {
    io::check_output(output, basins_result);
}

void write_basins_file(const io::Output& output, const BasinsResult& result) {
    ResultFile{output, basins_result, "basins", result.scenario_text, result.warnings}.write(
        [&](hid_t group) {
            hdf5::set_attribute(group, "along", result.along);
            hdf5::set_attribute(group, "steps", static_cast<int>(result.steps));
            hdf5::set_attribute(group, "most_periods", static_cast<int>(result.most_periods));
            write_table(group, "frequency", {}, std::span(&result.frequency, 1), "Hz");
            for (std::size_t k = 0; k < result.axes.size(); ++k) {
                const std::string name = fmt::format("axis_{}", k);
                write_table(group, name.c_str(), {result.axes[k].count}, values_of(result.axes[k]),
                            result.axes[k].unit());
                hdf5::set_attribute(group, name, result.axes[k].name);
            }
            const std::size_t rows = result.rows(), columns = result.columns();
            const std::vector<double> attractor(result.attractor.begin(), result.attractor.end()),
                periods(result.periods.begin(), result.periods.end());
            write_table(group, "attractor", {rows, columns}, attractor, "1");
            write_table(group, "periods", {rows, columns}, periods, "1");
            write_table(group, "amplitude", {rows, columns}, result.amplitude, "m");
            const std::vector<std::int64_t> bead(result.bead.begin(), result.bead.end());
            hdf5::write_vector<std::int64_t>(group, "bead", bead);
            for (std::size_t k = 0; k < result.attractors.size(); ++k) {
                write_attractor(hdf5::create_group(group, fmt::format("attractor_{}", k)).id(),
                                result.attractors[k]);
            }
        });
}

std::string BasinsResult::text() const {
    std::string out = fmt::format("  {:>9}  {:<12} {:>8} {:>14} {:>20}\n", "attractor", "kind",
                                  "starts", "amplitude_m", "largest_multiplier");
    for (std::size_t k = 0; k < attractors.size(); ++k) {
        const orbits::Attractor& each = attractors[k];
        out += fmt::format("  {:>9}  {:<12} {:>8} {:>14.6g} {:>20}\n", k, each.text(), each.count,
                           each.amplitude,
                           each.stability ? fmt::format("{:.9g}", largest_multiplier(each)) : "");
    }
    for (const BasinAxis& axis : axes) {
        const std::string unit = axis.name == "velocity" ? " m/s"
                                 : axis.name == "drive"  ? " times its amplitude"
                                                         : std::string(" ") + axis.unit();
        out += fmt::format("  {} starts along {} from {:g} to {:g}{}{}\n", axis.count, axis.name,
                           axis.from, axis.to, unit,
                           along.empty() || axis.of_drive() ? "" : " of " + along);
    }
    if (!file.empty()) out += fmt::format("  file {}\n", file);
    return out;
}

nlohmann::ordered_json BasinsResult::json() const {
    auto own = nlohmann::ordered_json::array(), reached = own, places = own;
    for (const BasinAxis& axis : axes)
        places.push_back({{"name", axis.name}, {"unit", axis.unit()}, {"values", values_of(axis)}});
    for (const orbits::Attractor& each : attractors) {
        nlohmann::ordered_json one{{"kind", each.kind},
                                   {"period", each.cycle},
                                   {"starts", each.count},
                                   {"amplitude", each.amplitude}};
        if (each.stability) {
            one["largest_multiplier"] = largest_multiplier(each);
            one["stable"] = each.stability->stable();
        }
        if (!each.states.empty()) {
            one["state"] = {{"displacement", each.states.front().displacement},
                            {"velocity", each.states.front().velocity}};
        }
        reached.push_back(one);
    }
    const auto table = [&](const auto& numbers) {
        auto rows = nlohmann::ordered_json::array();
        for (std::size_t j = 0; j < this->rows(); ++j) {
            auto row = nlohmann::ordered_json::array();
            for (std::size_t i = 0; i < columns(); ++i)
                row.push_back(numbers[j * columns() + i]);
            rows.push_back(row);
        }
        return rows;
    };
    nlohmann::ordered_json object{{"axes", places},
                                  {"along", along},
                                  {"frequency", frequency},
                                  {"attractors", reached},
                                  {"attractor", table(attractor)},
                                  {"amplitude", table(amplitude)},
                                  {"periods", table(periods)},
                                  {"steps", steps},
                                  {"transient", transient},
                                  {"warnings", warnings}};
    if (!file.empty()) object["file"] = file;
    return object;
}

}  // namespace beadwave::tasks
