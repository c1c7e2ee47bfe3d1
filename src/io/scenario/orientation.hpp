// Orientations of bodies in space, as unit quaternions.
#pragma once

#include "io/scenario/reading.hpp"
#include "io/toml/toml_table.hpp"

#include <array>
#include <optional>
#include <string_view>

namespace beadwave::io {

/// A quaternion [w, x, y, z] that turns vectors of the body into space; `meaning` of the key.
Key orientation_key(std::string_view meaning);

/// The given quaternion with unit length, and a warning if its length was another one;
/// unit_quaternion() returns none if the quaternion has no direction.
struct UnitQuaternion {
    std::array<double, 4> numbers;       ///< w, x, y, z
    std::optional<std::string> warning;  ///< without the place
};
std::optional<UnitQuaternion> unit_quaternion(const std::array<double, 4>& given);

/// The unit quaternion of the key, if it is given, with a warning where its length is not 1.
/// Throws InputError for four zeros.
std::optional<std::array<double, 4>> read_orientation(const TomlTable& table, const Key& key,
                                                      Reading& reading);

}  // namespace beadwave::io
