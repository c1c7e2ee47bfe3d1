// The numbers of joints in a sentence.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstddef>
#include <string>
#include <vector>

namespace beadwave::mechanism {

/// "1, 2, 3"; of more than eight the first four: "1, 2, 3, 4 and 96 others".
inline std::string few_of(const std::vector<std::size_t>& joints) {
    constexpr std::ptrdiff_t most = 8, first = 4;
    if (std::ssize(joints) <= most) return fmt::format("{}", fmt::join(joints, ", "));
    return fmt::format("{} and {} others", fmt::join(joints.begin(), joints.begin() + first, ", "),
                       std::ssize(joints) - first);
}

}  // namespace beadwave::mechanism
