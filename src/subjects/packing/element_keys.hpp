// Keys that several tables of what particles carry share.
#pragma once

#include "io/scenario/table.hpp"
#include "packing/elements/element_plans.hpp"
#include "packing/packing.hpp"

#include <array>
#include <string_view>
#include <vector>

namespace beadwave::io {

std::array<double, 3> parts(const packing::Vec3& v);

/// A vector that must be given; in the plane without z.
packing::Vec3 needed_vector(const TomlTable& table, const Key& key, const Reading& reading);

/// One column of a file per axis of the packing.
std::vector<std::string_view> axis_columns(const std::array<std::string_view, 3>& names,
                                           const Reading& reading);

/// `needed`: a choice of particles must be given.
Table<packing::Selection> selection_rows(bool needed);

/// The key `cycles` with this meaning.
Key cycles_key(std::string_view meaning);

}  // namespace beadwave::io
