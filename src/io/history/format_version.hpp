// The version of the format of histories, sweep tables and fits. It rises whenever a name in the
// file or the sign of a number changes.
#pragma once

#include "io/hdf5/hdf5.hpp"

#include <string>

namespace beadwave::io {

inline constexpr int format_version = 3;

/// Throws InputError, which begins with `name`, unless the open history has this version of the
/// format, as its dataset /parameters/format_version says.
void check_format_version(const hdf5::File& history, const std::string& name);

}  // namespace beadwave::io
