// A history that a person names to be read.
#pragma once

#include <string>

namespace beadwave::tasks {

/// Throws InputError unless it is an HDF5 file that can be read.
void check_history(const std::string& name);

}  // namespace beadwave::tasks
