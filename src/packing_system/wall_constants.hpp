// What a history of a packing says once about its walls: places, directions, shapes, triangles.
#pragma once

#include "packing/packing.hpp"
#include "recording/stream.hpp"

#include <vector>

namespace beadwave::running {

/// Nothing without walls.
void add_walls(recording::Description& all, const std::vector<packing::Wall>& walls,
               const packing::Box& box);

}  // namespace beadwave::running
