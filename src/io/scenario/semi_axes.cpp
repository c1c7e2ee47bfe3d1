#include "io/scenario/semi_axes.hpp"

#include <string>

namespace beadwave::io {

Key semi_axes_key(std::string_view otherwise, std::string_view meaning) {
    Key axes = above_zero("m");
    axes.kind = Kind::numbers;
    axes.ranges("[a, b, c], each above 0").otherwise(std::string(otherwise));
    return named("semi_axes", axes, meaning);
}

std::optional<std::array<double, 3>> read_semi_axes(const TomlTable& table, const Key& key) {
    const auto given = table.numbers(key, 3, 3);
    if (!given) return std::nullopt;
    return std::array<double, 3>{(*given)[0], (*given)[1], (*given)[2]};
}

}  // namespace beadwave::io
