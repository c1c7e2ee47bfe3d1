// particles.N.radii: random radii.
#pragma once

#include "io/scenario/table.hpp"
#include "packing/build/radius_law.hpp"

namespace beadwave::io {

Table<packing::RadiusLaw> radius_table();

}  // namespace beadwave::io
