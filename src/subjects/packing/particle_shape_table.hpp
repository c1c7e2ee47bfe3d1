// Which shape the particles of a group have: `shape`, `semi_axes` and `orientation`.
#pragma once

#include "io/scenario/table.hpp"
#include "packing/scenario.hpp"

namespace beadwave::io {

/// Sets Group::radius of ellipsoids, except of those from a file.
Table<packing::Group> particle_shape_rows();

/// Shapes that are known but not there yet, before their own keys are called unknown.
void refuse_missing_shapes(const TomlTable& root);

/// Whether the group says shape = "ellipsoid".
bool says_ellipsoid(const TomlTable& group);

}  // namespace beadwave::io
