// Reads particles from the files of LAMMPS: dump files (text, `dump custom` or `dump atom` with a
// radius) and data files of the atom style sphere. https://docs.lammps.org/dump.html,
// https://docs.lammps.org/read_data.html
#pragma once

#include "io/scenario/named_files.hpp"
#include "packing/scenario.hpp"

namespace beadwave::io {

// Both sort the particles by their identifiers, whose gaps do not matter, and take masses from the
// file where it has them. Numbers must be in SI units; a file that names other units is refused.
// Types and the box are not read: material and box come from the scenario. Throw InputError with
// the line of the file.

/// The last snapshot. Needed columns: id, x or xu, y or yu, z or zu (not in the plane), radius or
/// diameter. Optional: mass or density, vx, vy, vz, omegax, omegay, omegaz.
packing::ListedPlaces read_lammps_dump(const NamedFile& file, int dimension);

/// Sections Atoms (id, type, diameter, density, x, y, z, perhaps three image flags) and Velocities
/// (id, vx, vy, vz, wx, wy, wz).
packing::ListedPlaces read_lammps_data(const NamedFile& file);

}  // namespace beadwave::io
