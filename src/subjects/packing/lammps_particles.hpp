// Reads particles from the files of LAMMPS: dump files (text, `dump custom` or `dump atom` with a
// radius) and data files of the atom style sphere. https://docs.lammps.org/dump.html,
// https://docs.lammps.org/read_data.html
#pragma once

#include "io/scenario/named_files.hpp"
#include "packing/build/scenario.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace beadwave::io {

struct LammpsParticles {
    packing::ListedPlaces places;
    std::vector<std::int64_t>
        types;  ///< all that the file has, ascending; empty: no column of types
};

// Both sort the particles by their identifiers, whose gaps do not matter, and take masses from the
// file where it has them. `type`: only the particles of this type. Numbers must be in SI units; a
// file that names other units is refused. The box is not read. Throw InputError with the line of
// the file.

/// The last snapshot. Needed columns: id, x or xu, y or yu, z or zu (not in the plane), radius or
/// diameter. Optional: mass or density, vx, vy, vz, omegax, omegay, omegaz.
LammpsParticles read_lammps_dump(const NamedFile& file, int dimension,
                                 std::optional<std::int64_t> type = {});

/// Sections Atoms (id, type, diameter, density, x, y, z, perhaps three image flags) and Velocities
/// (id, vx, vy, vz, wx, wy, wz).
LammpsParticles read_lammps_data(const NamedFile& file, std::optional<std::int64_t> type = {});

}  // namespace beadwave::io
