#include "subjects/gradients/gradients.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <string_view>

namespace beadwave::tasks {
namespace {

/// "bead 3", "particle 3, y"; of one vector "y".
std::string place_of(const gradients::DifferentiatedBy& input, std::size_t index) {
    const std::size_t row = index / input.columns;
    if (input.columns > 1 && input.of == "number") return std::string(1, "xyz"[index % 3]);
    const std::string axis =
        input.columns == 1 ? "" : fmt::format(", {}", "xyz"[index % input.columns]);
    return fmt::format("{} {}{}", input.of, row, axis);
}

}  // namespace

std::string GradientResult::text() const {
    std::string out;
    const auto row = [&](std::string_view what, const std::string& value) {
        out += fmt::format("  {:<19} {}\n", what, value);
    };
    row("value", fmt::format("{:.9g}", gradient.value));
    for (std::size_t k = 0; k < gradient.by_input.size(); ++k) {
        const std::vector<double>& numbers = gradient.by_input[k];
        const gradients::DifferentiatedBy& input = gradient.inputs[k];
        const std::string per = input.unit.empty() ? "" : fmt::format(" per {}", input.unit);
        if (numbers.size() == 1) {
            row("by " + input.name, fmt::format("{:.9g}{}", numbers.front(), per));
            continue;
        }
        const auto most = std::ranges::max_element(
            numbers, {}, [](double derivative) { return std::fabs(derivative); });
        row("by " + input.name,
            fmt::format("{} numbers, the largest {:.9g}{} at {}", numbers.size(), *most, per,
                        place_of(input, static_cast<std::size_t>(most - numbers.begin()))));
    }
    row("steps", fmt::format("{} of {:g} s", gradient.steps, gradient.time_step));
    row("time", fmt::format("{:.3g} s, of which the run {:.3g} s; {} states stored",
                            gradient.seconds, gradient.run_seconds, gradient.states));
    if (gradient.check) {
        const gradients::Check& check = *gradient.check;
        row("differences",
            fmt::format("of {} numbers; largest deviation {:.2g} of the largest derivative times "
                        "its number, by {} {}: {:.9g} here, {:.9g} by differences",
                        check.numbers, check.largest_deviation, check.input, check.index,
                        check.derivative, check.difference));
    }
    return out;
}

nlohmann::ordered_json GradientResult::json() const {
    nlohmann::ordered_json by_input = nlohmann::ordered_json::object();
    for (std::size_t k = 0; k < gradient.by_input.size(); ++k) {
        const std::vector<double>& numbers = gradient.by_input[k];
        nlohmann::ordered_json& rows = by_input[gradient.inputs[k].name];
        const auto columns = static_cast<std::ptrdiff_t>(gradient.inputs[k].columns);
        if (columns == 1) rows = numbers;
        for (auto at = numbers.begin(); columns > 1 && at != numbers.end(); at += columns)
            rows.push_back(std::vector<double>(at, at + columns));
    }
    nlohmann::ordered_json object{{"value", gradient.value},
                                  {"gradient", by_input},
                                  {"objectives", gradient.objectives},
                                  {"steps", gradient.steps},
                                  {"time_step", gradient.time_step},
                                  {"states", gradient.states},
                                  {"run_seconds", gradient.run_seconds},
                                  {"seconds", gradient.seconds}};
    if (gradient.check) {
        const gradients::Check& check = *gradient.check;
        object["check"] = {
            {"numbers", check.numbers},       {"largest_deviation", check.largest_deviation},
            {"input", check.input},           {"index", check.index},
            {"derivative", check.derivative}, {"difference", check.difference}};
    }
    object["warnings"] = warnings;
    return object;
}

}  // namespace beadwave::tasks
