// The course of one collision as a CSV table.
#pragma once

#include "beadwave/laws/collision.hpp"
#include "io/files/result_place.hpp"

#include <filesystem>
#include <vector>

namespace beadwave::io {

/// Columns time_s, overlap_m, approach_speed_m_per_s, force_N, to all digits. Throws InputError if
/// `path` cannot be written or is another kind of file.
void write_collision_curve(const Output& output, const std::vector<laws::CollisionMoment>& moments);

}  // namespace beadwave::io
