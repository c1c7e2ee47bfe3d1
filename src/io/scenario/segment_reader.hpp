// What a chain is made of: the [material.NAME] and [[segment]] tables.
#pragma once

#include "chain/scenario.hpp"
#include "io/toml/toml_table.hpp"

#include <optional>
#include <string>
#include <vector>

namespace beadwave::io {

using Materials = decltype(chain::Scenario::materials);

Materials read_materials(const TomlTable& root);

/// The table's `material`, if it has one; it must be one of `materials`.
std::optional<std::string> read_material_name(const TomlTable& table, const Materials& materials);

/// Adds a sentence to `notes` for each key that is right but has no effect.
std::vector<chain::Segment> read_segments(const TomlTable& root, const Materials& materials,
                                          std::vector<std::string>& notes);

}  // namespace beadwave::io
