#include "io/scenario/orientation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace beadwave::io {

Key orientation_key(std::string_view meaning) {
    Key orientation = any_number("-");
    orientation.kind = Kind::numbers;
    orientation.ranges("[w, x, y, z], not all 0").otherwise("[1, 0, 0, 0]");
    return named("orientation", orientation, meaning);
}

std::optional<UnitQuaternion> unit_quaternion(const std::array<double, 4>& given) {
    // The largest is taken out, so that no square overflows or vanishes.
    double largest = 0.0;
    for (const double part : given)
        largest = std::max(largest, std::abs(part));
    if (!(largest > 0.0)) return std::nullopt;
    UnitQuaternion unit{.numbers = given, .warning = {}};
    double square = 0.0;
    for (double& part : unit.numbers) {
        part /= largest;
        square += part * part;
    }
    const double scaled = std::sqrt(square);
    for (double& part : unit.numbers)
        part /= scaled;
    const double length = largest * scaled;
    constexpr double rounding = 1e-12;
    if (std::abs(length - 1.0) > rounding) {
        unit.warning = fmt::format(
            "has the length {:.9g}, and is divided by it: orientations are unit quaternions",
            length);
    }
    return unit;
}

std::optional<std::array<double, 4>> read_orientation(const TomlTable& table, const Key& key,
                                                      Reading& reading) {
    const auto given = table.numbers(key, 4, 4);
    if (!given) return std::nullopt;
    const auto unit = unit_quaternion({(*given)[0], (*given)[1], (*given)[2], (*given)[3]});
    if (!unit) {
        table.fail(key.name,
                   "has zero length; expected a unit quaternion [w, x, y, z], such as [1.0, 0.0, "
                   "0.0, 0.0]");
    }
    if (unit->warning)
        reading.warnings.push_back(fmt::format("{}: {}", table.key(key.name), *unit->warning));
    return unit->numbers;
}

}  // namespace beadwave::io
