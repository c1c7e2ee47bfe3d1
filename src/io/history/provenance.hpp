// Which program on which machine wrote a history.
#pragma once

#include "io/hdf5/hdf5.hpp"

namespace beadwave::io {

/// Writes the texts `commit` (of the sources, "-dirty" if they differ from it; "unknown" without
/// git), `compiler`, `instruction_set` (of the vector code) and `processor` (its model).
void write_provenance(const hdf5::Group& parameters);

}  // namespace beadwave::io
