#include "scenario/origin.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace beadwave::scenario {

std::string Origin::of(std::string_view key) const {
    constexpr std::size_t longest = 200;  // a person may give a material any name
    const std::string said = shortened(key, longest);
    const auto place = places_.find(key);
    if (place != places_.end()) {
        const std::string value = place->second.found.empty() ? "" : " = " + place->second.found;
        if (place->second.line == 0)
            return fmt::format("{} {}{}", is_varied(key) ? "--vary" : "--set", said, value);
        return fmt::format("{}:{}: {}{}", file_, place->second.line, said, value);
    }
    for (std::string_view table = key; table.find('.') != std::string_view::npos;) {
        table = table.substr(0, table.rfind('.'));
        const auto parent = places_.find(table);
        if (parent != places_.end() && parent->second.line > 0) {
            return fmt::format("{}:{}: {}", file_, parent->second.line, said);
        }
    }
    return fmt::format("{}: {}", file_, said);
}

int Origin::line_of(std::string_view key) const {
    const auto place = places_.find(key);
    return place == places_.end() ? 0 : place->second.line;
}

bool Origin::is_varied(std::string_view key) const {
    // A key that leads nowhere is found out at the first step that is wrong.
    return std::ranges::any_of(varied_, [&](std::string_view varied) {
        return varied.starts_with(key) &&
               (varied.size() == key.size() || varied[key.size()] == '.');
    });
}

void Origin::fail(std::string_view key, std::string_view message) const {
    throw InputError(fmt::format("{}: {}", of(key), message));
}

}  // namespace beadwave::scenario
