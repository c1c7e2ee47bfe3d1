// The [[particles]] tables of a packing.
#pragma once

#include "io/scenario/table.hpp"
#include "packing/build/scenario.hpp"

namespace beadwave::io {

/// The list of groups; together they have a limited number of particles.
Table<packing::Scenario> particles_row();

}  // namespace beadwave::io
