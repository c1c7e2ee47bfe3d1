#include "beadwave/chain/origin.hpp"

#include <fmt/format.h>

namespace beadwave::chain {

std::string Origin::of(std::string_view key) const {
    const auto place = places_.find(key);
    if (place != places_.end()) {
        const std::string value = place->second.found.empty() ? "" : " = " + place->second.found;
        if (place->second.line == 0) return fmt::format("--set {}{}", key, value);
        return fmt::format("{}:{}: {}{}", file_, place->second.line, key, value);
    }
    for (std::string_view table = key; table.find('.') != std::string_view::npos;) {
        table = table.substr(0, table.rfind('.'));
        const auto parent = places_.find(table);
        if (parent != places_.end() && parent->second.line > 0) {
            return fmt::format("{}:{}: {}", file_, parent->second.line, key);
        }
    }
    return fmt::format("{}: {}", file_, key);
}

void Origin::fail(std::string_view key, std::string_view message) const {
    throw InputError(fmt::format("{}: {}", of(key), message));
}

}  // namespace beadwave::chain
