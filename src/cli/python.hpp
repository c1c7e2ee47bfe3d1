// Runs the Python part of a command.
#pragma once

#include <string>
#include <vector>

namespace beadwave::cli {

/// Runs the package `name` (a folder in share/beadwave, or in src of the source tree of this
/// program) with the first python3 that has its libraries, without a shell. Returns its exit
/// status: 0, 1 or 2. Throws running::RunError, with what to install, if the package, Python or a
/// library is missing.
int run_python_package(const std::string& name, const std::vector<std::string>& arguments);

}  // namespace beadwave::cli
