// The trajectory of one collision as a CSV table.
#pragma once

#include "beadwave/laws/collision.hpp"
#include "io/files/output_path.hpp"

#include <filesystem>
#include <vector>

namespace beadwave::io {

/// Columns time_s, overlap_m, approach_speed_m_per_s, force_N, with all digits. Throws InputError
/// if the path cannot be written or is a file of another kind.
void write_collision_trajectory(const Output& output,
                                const std::vector<laws::CollisionMoment>& moments);

}  // namespace beadwave::io
