// Runs the Python part of a command.
#pragma once

#include <string>
#include <vector>

namespace beadwave::cli {

/// Runs the package in `folder` (of share/beadwave, or of src in the source tree of this program)
/// with the first python3 that has its libraries, without a shell. Returns its exit status: 0, 1 or
/// 2. Throws running::RunError, with the Debian packages to install (`libraries`), if the package,
/// Python or a library is missing.
int run_python_package(const std::string& folder, const std::vector<std::string>& arguments,
                       const std::string& libraries);

}  // namespace beadwave::cli
