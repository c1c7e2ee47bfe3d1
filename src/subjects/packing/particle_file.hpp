// Reads particles from a CSV file with the columns x_m, y_m, z_m, radius_m and, optionally,
// vx_m_per_s, vy_m_per_s, vz_m_per_s, wx_rad_per_s, wy_rad_per_s, wz_rad_per_s. Ellipsoids have
// a_m, b_m, c_m in place of radius_m and, optionally, qw, qx, qy, qz; superellipsoids also n2, n1.
#pragma once

#include "io/scenario/named_files.hpp"
#include "packing/scenario.hpp"

#include <string>
#include <vector>

namespace beadwave::io {

/// In two dimensions z_m is optional. Throws InputError with the line of the file.
packing::ListedPlaces read_particles(const NamedFile& file, int dimension);

/// In space. A warning says how many quaternions were not of unit length and were divided by it.
packing::ListedPlaces read_ellipsoids(const NamedFile& file, std::vector<std::string>& warnings);
/// The same, with exponents in the file or without. Radii are set where it has them.
packing::ListedPlaces read_superellipsoids(const NamedFile& file,
                                           std::vector<std::string>& warnings);

}  // namespace beadwave::io
