// [box] of a packing.
#pragma once

#include "io/scenario/table.hpp"
#include "packing/packing.hpp"

namespace beadwave::io {

Table<packing::Box> box_table();

}  // namespace beadwave::io
