#include "scenario/origin.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace beadwave::scenario {

std::string Origin::of(std::string_view key) const {
    constexpr std::size_t longest = 200;  // a material may have any name
    const std::string name = shortened(key, longest);
    const auto place = places_.find(key);
    if (place != places_.end()) {
        const std::string value = place->second.found.empty() ? "" : " = " + place->second.found;
        if (place->second.line == 0)
            return fmt::format("{} {}{}", is_varied(key) ? "--vary" : "--set", name, value);
        return fmt::format("{}:{}: {}{}", file_, place->second.line, name, value);
    }
    for (std::string_view table = key; table.find('.') != std::string_view::npos;) {
        table = table.substr(0, table.rfind('.'));
        const auto parent = places_.find(table);
        if (parent != places_.end() && parent->second.line > 0) {
            return fmt::format("{}:{}: {}", file_, parent->second.line, name);
        }
    }
    return fmt::format("{}: {}", file_, name);
}

int Origin::line_of(std::string_view key) const {
    const auto place = places_.find(key);
    return place == places_.end() ? 0 : place->second.line;
}

bool Origin::is_varied(std::string_view key) const {
    // An error names the first wrong part of a key, so the parents of a varied key count too.
    return std::ranges::any_of(varied_, [&](std::string_view varied) {
        return varied.starts_with(key) &&
               (varied.size() == key.size() || varied[key.size()] == '.');
    });
}

void Origin::fail(std::string_view key, std::string_view message) const {
    throw InputError(fmt::format("{}: {}", of(key), message));
}

}  // namespace beadwave::scenario
