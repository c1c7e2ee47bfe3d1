// How HDF5 files written by beadwave are recognised.
#pragma once

#include "io/files/output_path.hpp"

namespace beadwave::io {

extern const ResultKind history_result, sweep_result;

/// Whether the file is a history whose writing process was killed. In the middle of a write nothing
/// in it may be readable. Then its first bytes decide (see create_swmr_file()).
bool is_orphaned_history(const std::filesystem::path& file);

}  // namespace beadwave::io
