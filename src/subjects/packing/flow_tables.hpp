// Particles that come, particles.N.pour, and leave, [[exit]].
#pragma once

#include "io/scenario/table.hpp"
#include "packing/build/scenario.hpp"

namespace beadwave::io {

Table<packing::PourPlan> pour_table();
Table<packing::Exit> exit_table();

}  // namespace beadwave::io
