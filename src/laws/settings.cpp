#include "beadwave/laws/settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace beadwave::laws {

std::string Parameter::allowed() const {
    if (is_file) return "the path of a file";
    if (is_text) return "a formula, in quotes";
    std::string text;
    if (number_allowed) {
        text = "a number";
        if (std::isfinite(lowest))
            text += fmt::format(" {} {:g}", lowest_allowed ? "from" : "above", lowest);
        if (std::isfinite(highest)) {
            text += fmt::format(" {} {:g}",
                                std::isfinite(lowest) && lowest_allowed ? "to" : "up to", highest);
        }
        if (unit != "-") text += fmt::format(", in {}", unit);
    }
    for (const std::string_view word : words) {
        text += fmt::format("{}\"{}\"", text.empty() ? "" : " or ", word);
    }
    return text;
}

bool Parameter::accepts(double value) const {
    if (is_file || is_text || !number_allowed || !std::isfinite(value)) return false;
    return (lowest_allowed ? value >= lowest : value > lowest) && value <= highest;
}

bool Parameter::accepts(std::string_view word) const {
    return is_file || is_text ? !word.empty() : std::ranges::find(words, word) != words.end();
}

std::string Parameter::usual(double otherwise) const {
    if (is_file) return {};
    return is_text ? fmt::format("\"{}\"", example_text)
                   : fmt::format("{}", example.value_or(otherwise));
}

double Settings::number(std::string_view parameter) const {
    const auto found = values.find(parameter);
    if (found == values.end()) throw std::logic_error(fmt::format("{} has no {}", name, parameter));
    return std::get<double>(found->second);
}

const std::string& Settings::word(std::string_view parameter) const {
    const auto found = values.find(parameter);
    if (found == values.end()) throw std::logic_error(fmt::format("{} has no {}", name, parameter));
    return std::get<std::string>(found->second);
}

bool Settings::is(std::string_view parameter, std::string_view word) const {
    const auto found = values.find(parameter);
    if (found == values.end()) return false;
    const auto* text = std::get_if<std::string>(&found->second);
    return text != nullptr && *text == word;
}

}  // namespace beadwave::laws
