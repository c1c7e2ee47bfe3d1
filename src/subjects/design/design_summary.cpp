#include "subjects/design/designs.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <string_view>

namespace beadwave::tasks {
namespace {

using design::Kind;
using design::Numbers;
using design::Variable;

std::vector<double> part_of(const Numbers& numbers, Kind kind, const Variable& variable) {
    const std::vector<double>& all = numbers.of(kind);
    const auto begin = all.begin() + static_cast<std::ptrdiff_t>(variable.first);
    return {begin, begin + static_cast<std::ptrdiff_t>(variable.count())};
}

std::string places(std::string_view one, std::size_t first, std::size_t last) {
    return first == last ? fmt::format("{} {}", one, first)
                         : fmt::format("{}s {} to {}", one, first, last);
}

std::string stopped_text(const DesignResult& result) {
    const std::size_t count = result.evaluations.size();
    std::string text = fmt::format("after {} evaluation{}", count, count == 1 ? "" : "s");
    if (result.resumed > 0) text += fmt::format(", {} of them stored before", result.resumed);
    if (result.stopped == "converged") return text + ": converged";
    if (result.stopped == "evaluations") return text + ": the limit of evaluations";
    if (result.stopped == "interrupted")
        return text + ": interrupted; the same command continues it";
    return text + ": the next one has no value";
}

/// How good the starts are beside the best one.
std::string starts_text(const DesignResult& result) {
    const double best = (result.relaxed ? *result.relaxed : result.best).value;
    const auto value = [&](const DesignStart& start) {
        return result.evaluations[*start.best].value;
    };
    std::size_t near = 0, first = result.starts.size();
    for (std::size_t k = 0; k < result.starts.size(); ++k) {
        if (!result.starts[k].best) continue;
        if (std::fabs(value(result.starts[k]) - best) <= 0.01 * std::fabs(best)) ++near;
        if (first == result.starts.size() && value(result.starts[k]) == best) first = k;
    }
    return fmt::format("{}; the best is number {}, and {} of them come within 1 % of it",
                       result.starts.size(), first, near);
}

nlohmann::ordered_json runs_json(const DesignResult& result) {
    nlohmann::ordered_json all = nlohmann::ordered_json::array();
    for (std::size_t k = 0; k < result.tables.runs.size(); ++k) {
        const io::DesignRun& own = result.tables.runs[k];
        all.push_back({{"set", own.settings},
                       {"weight", own.weight},
                       {"value", result.best.runs[k]},
                       {"start", result.start.runs[k]},
                       {"time_step", result.steps[k].step},
                       {"steps", result.steps[k].count}});
    }
    return all;
}

nlohmann::ordered_json starts_json(const DesignResult& result) {
    nlohmann::ordered_json all = nlohmann::ordered_json::array();
    for (const DesignStart& each : result.starts) {
        nlohmann::ordered_json one{{"evaluations", each.count}, {"stopped", each.stopped}};
        one["value"] = nullptr;
        if (each.best) one["value"] = result.evaluations[*each.best].value;
        all.push_back(std::move(one));
    }
    return all;
}

}  // namespace

std::string DesignResult::text() const {
    std::string out;
    const auto row = [&](std::string_view what, const std::string& value) {
        out += fmt::format("  {:<20}{}\n", what, value);
    };
    row("value", fmt::format("{:.9g}, {:.9g} at the start", best.value, start.value));
    if (relaxed)
        row("before rounding", fmt::format("{:.9g}; above with available sizes", relaxed->value));
    for (std::size_t k = 0; k < tables.runs.size(); ++k) {
        row(fmt::format("run {}", k),
            fmt::format("{:.9g} with weight {:g}, {:.9g} at the start", best.runs[k],
                        tables.runs[k].weight, start.runs[k]));
    }
    for (const Variable& each : tables.variables) {
        const std::vector<double> numbers = part_of(best.numbers, each.kind, each),
                                  before = part_of(start_numbers, each.kind, each);
        const auto [least, most] = std::ranges::minmax(numbers);
        const auto [least_before, most_before] = std::ranges::minmax(before);
        const auto from_to = [](double low, double high) {
            return low == high ? fmt::format("{:.6g}", low)
                               : fmt::format("{:.6g} to {:.6g}", low, high);
        };
        row(each.input,
            fmt::format("of {}: {} {}, at the start {}",
                        places(each.kind == Kind::gap ? "contact" : "bead", each.first, each.last),
                        from_to(least, most), unit_of(each.kind),
                        from_to(least_before, most_before)));
    }
    for (std::size_t k = 0; k < tables.constraints.size(); ++k) {
        const design::Constraint& each = tables.constraints[k];
        row("sum of " + each.input,
            fmt::format("{:.9g} {}, to be {:.9g}", best.sums[k], unit_of(each.kind), each.sum));
    }
    row("ended", stopped_text(*this));
    if (head.starts > 1) row("starts", starts_text(*this));
    const bool same = std::ranges::all_of(steps, [&](const DesignSteps& each) {
        return each.step == steps.front().step && each.count == steps.front().count;
    });
    row("runs", same ? fmt::format("{} steps of {:g} s each, the time step of the start",
                                   steps.front().count, steps.front().step)
                     : "each with the time step of its start");
    row("time", fmt::format("{:.3g} s", seconds));
    if (!hdf5.empty()) row("files", fmt::format("{}, {}", hdf5, scenario));
    return out;
}

nlohmann::ordered_json DesignResult::json() const {
    using nlohmann::ordered_json;
    ordered_json variables = ordered_json::array(), constraints = ordered_json::array();
    for (const Variable& each : tables.variables) {
        ordered_json one{{"input", each.input},
                         {"beads", {each.first, each.last}},
                         {"range", {each.low, each.high}},
                         {"values", part_of(best.numbers, each.kind, each)},
                         {"start", part_of(start_numbers, each.kind, each)}};
        if (each.density_kept) one["mass"] = part_of(best.numbers, Kind::mass, each);
        variables.push_back(std::move(one));
    }
    for (std::size_t k = 0; k < tables.constraints.size(); ++k) {
        const design::Constraint& each = tables.constraints[k];
        constraints.push_back({{"sum", each.input},
                               {"beads", {each.first, each.last}},
                               {"equals", each.sum},
                               {"value", best.sums[k]},
                               {"start", start.sums[k]}});
    }
    ordered_json object{{"value", best.value}, {"start", start.value}};
    if (relaxed) object["value_before_rounding"] = relaxed->value;
    object["maximise"] = head.maximise;
    object["evaluations"] = evaluations.size();
    object["resumed"] = resumed;
    object["stopped"] = stopped;
    object["variables"] = variables;
    object["constraints"] = constraints;
    if (!tables.runs.empty()) object["runs"] = runs_json(*this);
    if (head.starts > 1) object["starts"] = starts_json(*this);
    object["time_step"] = steps.front().step;
    object["steps"] = steps.front().count;
    object["seconds"] = seconds;
    object["file"] = hdf5;
    object["scenario"] = scenario;
    object["warnings"] = warnings;
    return object;
}

}  // namespace beadwave::tasks
