#include "subjects/gradients/gradients.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <string_view>

namespace beadwave::tasks {
using gradients::Input;

namespace {

/// What one number of an input belongs to.
std::string_view place_of(const Input& input) {
    if (input.kind == Input::Kind::carried) return "number";
    return is_per_bead(input) ? "bead" : "contact";
}

}  // namespace

std::string GradientResult::text() const {
    std::string out;
    const auto row = [&](std::string_view what, const std::string& value) {
        out += fmt::format("  {:<20}{}\n", what, value);
    };
    row("value", fmt::format("{:.9g}", gradient.value));
    for (std::size_t k = 0; k < gradient.by_input.size(); ++k) {
        const std::vector<double>& numbers = gradient.by_input[k];
        const Input& input = gradient.inputs[k];
        const std::string_view unit = unit_of(input);
        const std::string per = unit.empty() ? "" : fmt::format(" per {}", unit);
        if (numbers.size() == 1) {
            row("by " + input.name, fmt::format("{:.9g}{}", numbers.front(), per));
            continue;
        }
        const auto most = std::ranges::max_element(
            numbers, {}, [](double derivative) { return std::fabs(derivative); });
        row("by " + input.name,
            fmt::format("{} numbers, the largest {:.9g}{} at {} {}", numbers.size(), *most, per,
                        place_of(input), most - numbers.begin()));
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
    for (std::size_t k = 0; k < gradient.by_input.size(); ++k)
        by_input[gradient.inputs[k].name] = gradient.by_input[k];
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
