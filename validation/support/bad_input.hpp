// Wrong inputs: the edit that makes a correct text wrong, and the message that beadwave prints.
#pragma once

#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <vector>

namespace beadwave::validation {

struct BadInput {
    std::string_view name;
    /// The part of the correct text to replace; it occurs once. If it is empty, the whole text is
    /// replaced, or nothing if there are overrides.
    std::string_view right;
    std::string_view wrong;
    std::vector<std::string> sets;  ///< as given to --set
    /// The whole message, with FILE in place of the path. If it ends in "*", the remainder is not
    /// checked.
    std::string_view message;
};

inline std::string spoiled(std::string_view text, const BadInput& input) {
    if (input.right.empty()) return std::string(input.sets.empty() ? input.wrong : text);
    const std::size_t place = text.find(input.right);
    REQUIRE(place != std::string_view::npos);
    REQUIRE(text.find(input.right, place + 1) == std::string_view::npos);
    return std::string(text.substr(0, place))
        .append(input.wrong)
        .append(text.substr(place + input.right.size()));
}

inline bool matches(std::string_view message, std::string_view expected) {
    if (!expected.ends_with('*')) return message == expected;
    expected.remove_suffix(1);
    return message.starts_with(expected);
}

/// The message with FILE in place of the path.
inline std::string without_path(std::string message, const std::string& path) {
    for (std::size_t place = 0; (place = message.find(path, place)) != std::string::npos;) {
        message.replace(place, path.size(), "FILE");
    }
    return message;
}

}  // namespace beadwave::validation
