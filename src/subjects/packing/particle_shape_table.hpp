// Which shape the particles of a group have: `shape`, `semi_axes`, `spheres` and `orientation`.
#pragma once

#include "io/scenario/table.hpp"
#include "packing/scenario.hpp"

#include <string_view>

namespace beadwave::io {

/// Sets Group::radius of ellipsoids and clumps, except of those from a file.
Table<packing::Group> particle_shape_rows();

/// Shapes that are known but not there yet, before their own keys are called unknown.
void refuse_missing_shapes(const TomlTable& root);

/// Whether the group says this shape.
bool says_shape(const TomlTable& group, std::string_view shape);

}  // namespace beadwave::io
