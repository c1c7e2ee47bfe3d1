// ORBIT.h5: a periodic orbit as the history of one period, with what is known of it in the group
// /orbit. docs/HISTORY.md lists its datasets.
#pragma once

#include "io/files/output_path.hpp"
#include "subjects/orbits/prepared.hpp"

namespace beadwave::tasks {

/// Throws InputError as write_orbit_file() does if no file can be written there.
void check_orbit_file(const io::Output& output);

/// Throws InputError if the path is that of another file, std::runtime_error if it cannot be
/// written.
void write_orbit_file(const io::Output& output, const Prepared& prepared,
                      const OrbitResult& result);

}  // namespace beadwave::tasks
