// The HDF5 files that beadwave writes, as they are told from those of others.
#pragma once

#include "io/files/result_place.hpp"

namespace beadwave::io {

extern const ResultKind history_result, sweep_result;

/// Whether it is a history that a process was killed writing. In the middle of a write nothing in
/// it may be readable; its first bytes tell then (see create_file_to_share()).
bool is_left_history(const std::filesystem::path& file);

}  // namespace beadwave::io
