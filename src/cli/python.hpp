// Runs the Python part of a command.
#pragma once

#include <string>
#include <vector>

namespace beadwave::cli {

/// Runs the package `name` (a folder under share/beadwave, or under src of the source tree this
/// program was built from) with the first python3 that has its libraries, no shell between. Returns
/// its exit status: 0, 1 or 2. Throws running::RunError, saying what to install, where the
/// package, Python or a library is missing.
int run_python_package(const std::string& name, const std::vector<std::string>& arguments);

}  // namespace beadwave::cli
