#include "subjects/orbits/key_range.hpp"

#include <charconv>
#include <cmath>
#include <system_error>

namespace beadwave::tasks {
namespace {

template <class Number>
std::optional<Number> whole_text(std::string_view text) {
    Number number{};
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, number);
    if (error != std::errc{} || stop != end) return std::nullopt;
    return number;
}

/// As whole_text(), with a sign.
std::optional<double> number_in(std::string_view text) {
    if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
    const auto number = whole_text<double>(text);
    return number && std::isfinite(*number) ? number : std::nullopt;
}

}  // namespace

std::optional<KeyRange> key_range_in(std::string_view text) {
    const std::size_t equals = text.find('='), colon = text.find(':', equals + 1);
    if (equals == std::string_view::npos || equals == 0 || colon == std::string_view::npos)
        return std::nullopt;
    const auto from = number_in(text.substr(equals + 1, colon - equals - 1)),
               to = number_in(text.substr(colon + 1));
    if (!from || !to || *from == *to) return std::nullopt;
    return KeyRange{std::string(text.substr(0, equals)), *from, *to};
}

std::optional<unsigned> count_in(std::string_view text, unsigned most) {
    const auto number = whole_text<unsigned>(text);
    return number && *number >= 1 && *number <= most ? number : std::nullopt;
}

}  // namespace beadwave::tasks
