// Reads the [material.NAME] and [[segment]] tables of a chain.
#pragma once

#include "chain/scenario.hpp"
#include "io/toml/toml_table.hpp"

#include <optional>
#include <string>
#include <vector>

namespace beadwave::io {

using Materials = decltype(chain::Scenario::materials);

Materials read_materials(const TomlTable& root);

/// The table's `material`, if given; it must be one of `materials`.
std::optional<std::string> read_material_name(const TomlTable& table, const Materials& materials);

/// Adds a sentence to `warnings` for each key that is valid but has no effect.
std::vector<chain::Segment> read_segments(const TomlTable& root, const Materials& materials,
                                          std::vector<std::string>& warnings);

}  // namespace beadwave::io
