// [[pair]]: what contacts of two materials do differently from the others of a packing.
#pragma once

#include "io/scenario/table.hpp"
#include "packing/build/scenario.hpp"

namespace beadwave::io {

/// The tables. [law], [friction] and [rolling], which they change, are in the rows above them.
Table<packing::Scenario> pairs_row();

}  // namespace beadwave::io
