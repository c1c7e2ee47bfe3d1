// [box] and [press] of a packing.
#pragma once

#include "io/scenario/table.hpp"
#include "packing/build/press.hpp"

namespace beadwave::io {

Table<packing::Box> box_table();
Table<packing::PressPlan> press_table();

}  // namespace beadwave::io
