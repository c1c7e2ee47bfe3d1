// BRANCH.h5: a branch of periodic orbits, with all multipliers, states and the motion of each
// orbit. docs/HISTORY.md lists its datasets.
#pragma once

#include "io/files/output_path.hpp"
#include "subjects/orbits/orbits.hpp"

#include <filesystem>
#include <string>

namespace beadwave::tasks {

/// Throws InputError if the file may not be replaced.
void check_branch_file(const io::Output& output);

/// Throws InputError, std::runtime_error.
void write_branch_file(const io::Output& output, const std::string& scenario_text,
                       const BranchResult& result);

/// Reads such a file. Throws InputError.
BranchResult read_branch(const std::filesystem::path& file);

}  // namespace beadwave::tasks
