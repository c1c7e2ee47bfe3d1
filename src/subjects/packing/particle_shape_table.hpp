// Which shape the particles of a group have: `shape`, `semi_axes`, `exponents`, `spheres` and
// `orientation`.
#pragma once

#include "io/scenario/table.hpp"
#include "packing/build/scenario.hpp"

#include <string_view>

namespace beadwave::io {

/// Sets Group::radius of all that are no spheres, except of those from a file.
Table<packing::Group> particle_shape_rows();

/// Whether the group says this shape.
bool says_shape(const TomlTable& group, std::string_view shape);

}  // namespace beadwave::io
