// Checks of a history that is given to be read.
#pragma once

#include <string>

namespace beadwave::tasks {

/// Throws InputError unless `name` is an HDF5 file that can be read.
void check_history(const std::string& name);

/// Does check_history(), and checks the whole structure: Python reads only files that pass this.
void check_structure(const std::string& name);

}  // namespace beadwave::tasks
