// The rows of [[wall]]: shapes, prescribed motions and loads of a packing's walls.
#pragma once

#include "io/scenario/table.hpp"
#include "packing/build/scenario.hpp"

namespace beadwave::io {

Table<packing::WallPlan> wall_table();

}  // namespace beadwave::io
