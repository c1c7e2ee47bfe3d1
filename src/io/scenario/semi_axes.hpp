// Semi-axes of ellipsoids.
#pragma once

#include "io/scenario/reading.hpp"
#include "io/toml/toml_table.hpp"

#include <array>
#include <optional>
#include <string_view>

namespace beadwave::io {

/// Three numbers above 0 [m]; `otherwise` and `meaning` of the key.
Key semi_axes_key(std::string_view otherwise, std::string_view meaning);

/// None: the key is not given. Throws InputError.
std::optional<std::array<double, 3>> read_semi_axes(const TomlTable& table, const Key& key);

}  // namespace beadwave::io
