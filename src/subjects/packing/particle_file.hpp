// Reads particles from a CSV file with the columns x_m, y_m, z_m, radius_m and, optionally,
// vx_m_per_s, vy_m_per_s, vz_m_per_s, wx_rad_per_s, wy_rad_per_s, wz_rad_per_s. Ellipsoids have
// a_m, b_m, c_m in place of radius_m and, optionally, qw, qx, qy, qz; superellipsoids also n2, n1.
#pragma once

#include "io/scenario/named_files.hpp"
#include "packing/build/scenario.hpp"

#include <string>
#include <vector>

namespace beadwave::io {

/// Reads particles; z_m is optional in two dimensions. Throws InputError with the file's line.
packing::ListedPlaces read_particles(const NamedFile& file, int dimension);

/// Reads ellipsoids in space. A warning counts quaternions that were divided by their length.
packing::ListedPlaces read_ellipsoids(const NamedFile& file, std::vector<std::string>& warnings);
/// Reads superellipsoids, with exponents in the file or without; where given, radii follow them.
packing::ListedPlaces read_superellipsoids(const NamedFile& file,
                                           std::vector<std::string>& warnings);

}  // namespace beadwave::io
