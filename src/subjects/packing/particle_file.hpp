// Reads particles from a CSV file with the columns x_m, y_m, z_m, radius_m and, optionally,
// vx_m_per_s, vy_m_per_s, vz_m_per_s, wx_rad_per_s, wy_rad_per_s, wz_rad_per_s.
#pragma once

#include "io/scenario/named_files.hpp"
#include "packing/scenario.hpp"

namespace beadwave::io {

/// In two dimensions z_m is optional. Throws InputError with the line of the file.
packing::ListedPlaces read_particles(const NamedFile& file, int dimension);

}  // namespace beadwave::io
