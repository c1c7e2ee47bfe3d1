// BASINS.h5: the grid of starts and the attractors they reach. docs/HISTORY.md lists its datasets.
#pragma once

#include "io/files/output_path.hpp"
#include "subjects/orbits/basins.hpp"

namespace beadwave::tasks {

/// Throws InputError as write_basins_file() does if no file can be written there.
void check_basins_file(const io::Output& output);

/// Throws InputError if the path is that of another file, std::runtime_error if it cannot be
/// written.
void write_basins_file(const io::Output& output, const BasinsResult& result);

}  // namespace beadwave::tasks
